#include "isoscope/history/litmus_text.h"
#include "report/explain/explanation_text.h"

namespace isoscope::report {

namespace {

void transaction_json(JsonWriter& json, const History& history, std::optional<TransactionId> t) {
  t ? json.string(history.label(*t)) : json.null();
}

void operations_json(JsonWriter& json, const History& history,
                     std::span<const OperationRef> operations) {
  json.begin_array();
  for (const OperationRef& at : operations) {
    json.begin_object().member("transaction").string(history.label(at.transaction));
    json.member("operation").integer(at.operation);
    json.member("text")
        .string(operation_text(history, history.operations(at.transaction)[at.operation]))
        .end_object();
  }
  json.end_array();
}

void facts_json(JsonWriter& json, const History& history, std::span<const ExplainedFact> facts) {
  json.begin_array();
  for (const ExplainedFact& fact : facts) {
    json.begin_object().member("number").integer(fact.number).member("from");
    transaction_json(json, history, fact.from);
    json.member("to");
    transaction_json(json, history, fact.to);
    json.member("kind").string(name_of(fact.kind)).member("key");
    fact.key ? json.string(key_text(history, *fact.key)) : json.null();
    json.member("text").string(fact.text).member("operations");
    operations_json(json, history, fact.operations);
    json.member("because");
    facts_json(json, history, fact.because);
    json.end_object();
  }
  json.end_array();
}

void case_json(JsonWriter& json, const History& history, const ExplainedCase& one) {
  json.member("anomaly");
  one.anomaly ? json.string(name_of(*one.anomaly)) : json.null();
  json.member("cycle-class");
  one.cycle_class ? json.string(name_of(*one.cycle_class)) : json.null();
  json.member("cycle");
  facts_json(json, history, one.cycle);
  json.member("contradiction");
  one.contradiction.empty() ? json.null() : json.string(one.contradiction);
  json.member("cases").begin_array();
  for (const ExplainedCase& child : one.cases) {
    json.begin_object().member("supposition").string(child.supposition);
    case_json(json, history, child);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void explanation_json(JsonWriter& json, const History& history, const Explanation& explanation) {
  case_json(json, history, explanation.whole);
  json.member("case-count").integer(static_cast<std::int64_t>(explanation.case_count));
  json.member("cases-told").integer(static_cast<std::int64_t>(explanation.told_count));
  json.member("more-cases").boolean(explanation.more_cases);
}

}  // namespace isoscope::report
