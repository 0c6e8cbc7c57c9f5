#include "isoscope/report/elle_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "isoscope/base/json_writer.h"
#include "isoscope/report/explanation.h"
#include "report/explain/bad_read_text.h"
#include "report/verdict_parts.h"

namespace isoscope::report {

namespace {

/// Elle's consistency models, as Elle's results spell them. Each is understood by find_level().
constexpr std::array<std::string_view, 31> elle_models = {
    "read-uncommitted",
    "read-committed",
    "strong-session-read-uncommitted",
    "strong-session-read-committed",
    "strong-read-uncommitted",
    "strong-read-committed",
    "monotonic-reads",
    "monotonic-writes",
    "read-your-writes",
    "writes-follow-reads",
    "PRAM",
    "causal",
    "cursor-stability",
    "monotonic-atomic-view",
    "monotonic-view",
    "monotonic-snapshot-read",
    "read-atomic",
    "repeatable-read",
    "update-atomic",
    "causal-cerone",
    "prefix",
    "consistent-view",
    "forward-consistent-view",
    "parallel-snapshot-isolation",
    "snapshot-isolation",
    "update-serializable",
    "serializable",
    "strong-session-snapshot-isolation",
    "strong-session-serializable",
    "strong-snapshot-isolation",
    "strong-serializable",
};

/// What a violated level rests on: a read, the story of a refutation, or a sentence.
struct Found {
  std::optional<BadRead> read = {};
  std::optional<Explanation> story = {};
  std::string sentence = {};
};

/// By the name of the anomaly; the order is that of the names.
using FoundByType = std::map<std::string, std::vector<Found>, std::less<>>;

/// Where the story has no name: no anomaly of the table is the same in all of its cases.
constexpr std::string_view no_name = "unclassified";

std::string type_of(const Explanation& story) {
  const ExplainedCase& whole = story.whole;
  if (whole.cycle_class) return std::string(name_of(*whole.cycle_class));
  if (whole.anomaly) return std::string(name_of(*whole.anomaly));
  return std::string(no_name);
}

/// All that the verdicts rest on, the same thing once.
class Collection {
 public:
  Collection(const History& history, std::span<const Verdict> verdicts) : history_(history) {
    for (const Verdict& verdict : verdicts) {
      if (verdict.answer == Answer::violated) add(verdict);
    }
    // A sentence that classifies nothing helps only where nothing else was found.
    if (!found_.empty()) return;
    for (const std::string& sentence : sentences_) {
      found_[std::string(no_name)].push_back({.sentence = sentence});
    }
  }

  const FoundByType& found() const { return found_; }
  const std::vector<Anomaly>& anomalies() const { return anomalies_; }

  /// Whether the history is known to violate the level by what was found, whatever was asked.
  bool refutes(Level level) const {
    const ReadFindings forbidden = ReadFindings::forbidden_by(level);
    const auto has_evidence = [&](const Verdict* verdict) {
      return std::ranges::any_of(verdict->evidence, [&](const BadRead& bad) {
        return speaks_against(history_, bad, verdict->ruled_out, forbidden);
      });
    };
    return std::ranges::any_of(with_evidence_, has_evidence) ||
           std::ranges::any_of(ruled_out_, [&](const RuledOut& out) { return out.has(level); });
  }

 private:
  /// What a story rules out. It speaks of levels with session order. Those without are ruled out by
  /// a cycle that session order is no part of, if they have an order of versions at all.
  struct RuledOut {
    std::vector<LevelId> levels;
    std::optional<Anomaly> cycle;

    bool has(Level level) const {
      if (std::ranges::find(levels, level.id) == levels.end()) return false;
      if (level.session_order) return true;
      return cycle && entry_of(*cycle).order == AnomalyOrder::dependencies &&
             forbids(level, *cycle) && forbids(level, Anomaly::g1c);
    }
  };

  void add(const Verdict& verdict) {
    if (!verdict.evidence.empty()) with_evidence_.push_back(&verdict);
    for (const BadRead& bad : verdict.evidence) add(bad);
    if (!verdict.evidence.empty()) return;
    if (verdict.has_cyclic_versions) return add_cyclic_versions(verdict.reason);
    const auto& refutation = verdict.certificate;
    const bool has_story = refutation && !refutation->steps.empty() && has_stories(*refutation);
    if (!has_story) {
      if (!verdict.reason.empty()) sentences_.insert(verdict.reason);
      return;
    }
    if (verdict.direct.empty()) add(explain(history_, *verdict.certificate));
    for (const DirectAnomaly& direct : verdict.direct) {
      Certificate certificate = *verdict.certificate;
      certificate.steps = direct.refutation;
      add(explain(history_, certificate));
    }
  }

  void add_cyclic_versions(const std::string& sentence) {
    if (!sentences_.insert(sentence).second) return;
    note(Anomaly::cyclic_versions);
    found_[std::string(name_of(Anomaly::cyclic_versions))].push_back({.sentence = sentence});
  }

  void add(const BadRead& bad) {
    const auto identity = std::tuple(bad.read.transaction.value, bad.read.operation, bad.kind,
                                     bad.key.value, bad.element.value);
    if (!reads_seen_.insert(identity).second) return;
    const Anomaly anomaly = anomaly_of(bad.kind);
    note(anomaly);
    found_[std::string(name_of(anomaly))].push_back({.read = bad});
  }

  void add(Explanation story) {
    const std::string type = type_of(story);
    std::string identity = type;
    for (const ExplainedFact& fact : story.whole.cycle) {
      const std::string from = fact.from ? history_.label(*fact.from) : "";
      identity += "\n" + std::string(name_of(fact.kind)) + " " + from;
    }
    if (story.whole.cycle.empty()) identity += story.whole.contradiction;
    if (!sentences_.insert(identity).second) return;
    if (story.failed) return;
    ruled_out_.push_back({story.levels_ruled_out, story.whole.cycle_class});
    if (story.whole.cycle_class) note(*story.whole.cycle_class);
    if (story.whole.anomaly) note(*story.whole.anomaly);
    // Elle speaks of a lost update apart from the cycle that it is.
    if (story.whole.anomaly == Anomaly::lost_update && type != name_of(Anomaly::lost_update))
      found_[std::string(name_of(Anomaly::lost_update))].push_back({.story = story});
    found_[type].push_back({.story = std::move(story)});
  }

  void note(Anomaly anomaly) {
    if (std::ranges::find(anomalies_, anomaly) == anomalies_.end()) anomalies_.push_back(anomaly);
  }

  const History& history_;
  FoundByType found_;
  std::vector<Anomaly> anomalies_;
  std::vector<const Verdict*> with_evidence_;
  std::vector<RuledOut> ruled_out_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, ReadFinding, std::uint32_t, std::uint32_t>>
      reads_seen_;
  std::set<std::string> sentences_;
};

/// The models that the history is known to violate: those that imply a violated level, or forbid
/// what was found.
std::vector<std::pair<std::string_view, Level>> violated_models(std::span<const Verdict> verdicts,
                                                                const Collection& collection) {
  std::vector<std::pair<std::string_view, Level>> violated;
  for (const std::string_view name : elle_models) {
    const auto level = find_level(name, NameDialect::elle);
    ISOSCOPE_REQUIRE(level);
    const auto implies_violated = [&](const Verdict& verdict) {
      return verdict.answer == Answer::violated && implies(*level, verdict.level);
    };
    const bool refuted =
        std::ranges::any_of(verdicts, implies_violated) || collection.refutes(*level);
    if (refuted) violated.emplace_back(name, *level);
  }
  return violated;
}

void value_json(JsonWriter& json, const ValuePool& values, ValueId value) {
  switch (values.kind(value)) {
    case ValueKind::integer:
      json.integer(values.integer_of(value));
      return;
    case ValueKind::string:
      json.string(values.string_of(value));
      return;
    case ValueKind::list:
      json.begin_array();
      for (const ValueId element : values.list_elements(value)) value_json(json, values, element);
      json.end_array();
      return;
    default:
      json.null();
  }
}

/// A micro-operation as Elle writes it: ["append", 7, 1].
void micro_json(JsonWriter& json, const History& history, const Operation& operation) {
  json.begin_array();
  if (operation.is_predicate()) {
    json.string(operation.kind() == OperationKind::predicate_read ? "rp" : "wp").end_array();
    return;
  }
  switch (operation.kind()) {
    case OperationKind::append:
      json.string("append");
      break;
    case OperationKind::insert:
      json.string("insert");
      break;
    case OperationKind::remove:
      json.string("delete");
      break;
    case OperationKind::write:
      json.string("w");
      break;
    default:
      json.string("r");
  }
  value_json(json, history.values(), history.key_name(operation.key()));
  value_json(json, history.values(), operation.value());
  json.end_array();
}

/// A transaction as Elle writes its completion.
void operation_json(JsonWriter& json, const History& history, TransactionId t) {
  static constexpr std::array<std::string_view, 3> types = {"ok", "fail", "info"};
  json.begin_object().member("index");
  value_json(json, history.values(), history.name(t));
  json.member("time");
  const auto end = history.time_source() == TimeSource::clocks ? history.end_time(t) : std::nullopt;
  json.integer(end.value_or(-1));
  json.member("type").string(types[static_cast<std::size_t>(history.outcome(t))]);
  json.member("process");
  value_json(json, history.values(), history.session_name(history.session_of(t)));
  json.member("f").string("txn").member("value").begin_array();
  for (const Operation& operation : history.operations(t)) micro_json(json, history, operation);
  json.end_array().end_object();
}

std::string_view step_type(FactKind kind) {
  if (kind == FactKind::session_order) return "process";
  if (kind == FactKind::real_time) return "realtime";
  return name_of(kind);
}

/// Each fact is an edge between two transactions, so the cycle can be shown as Elle shows it.
bool is_plain_cycle(const ExplainedCase& whole) {
  return !whole.cycle.empty() && whole.contradiction.empty() &&
         std::ranges::all_of(whole.cycle, [](const ExplainedFact& fact) {
           return fact.from && fact.to && fact.kind != FactKind::supposed &&
                  fact.kind != FactKind::source && fact.kind != FactKind::outcome;
         });
}

void step_json(JsonWriter& json, const History& history, const ExplainedFact& fact) {
  json.begin_object().member("type").string(step_type(fact.kind));
  if (fact.key) {
    json.member("key");
    value_json(json, history.values(), history.key_name(*fact.key));
  }
  const auto end = [&](TransactionId t, std::string_view value, std::string_view place) {
    for (const OperationRef& at : fact.operations) {
      if (at.transaction != t) continue;
      const Operation& operation = history.operations(t)[at.operation];
      if (!operation.is_predicate()) {
        json.member(value);
        value_json(json, history.values(), operation.value());
      }
      json.member(place).integer(at.operation);
      return;
    }
  };
  end(*fact.from, "value", "a-mop-index");
  end(*fact.to, "value'", "b-mop-index");
  json.end_object();
}

/// Every fact with its number, and below it what it rests on.
void facts_json(JsonWriter& json, std::span<const ExplainedFact> facts) {
  for (const ExplainedFact& fact : facts) {
    json.string("(" + std::to_string(fact.number) + ") " + fact.text);
    facts_json(json, fact.because);
  }
}

void story_json(JsonWriter& json, const History& history, const Explanation& story,
                std::string_view type) {
  const ExplainedCase& whole = story.whole;
  json.begin_object();
  if (is_plain_cycle(whole)) {
    json.member("cycle").begin_array();
    for (const ExplainedFact& fact : whole.cycle) operation_json(json, history, *fact.from);
    operation_json(json, history, *whole.cycle.front().from);
    json.end_array().member("steps").begin_array();
    for (const ExplainedFact& fact : whole.cycle) step_json(json, history, fact);
    json.end_array();
  }
  json.member("type").string(type);
  if (whole.anomaly) json.member("name").string(name_of(*whole.anomaly));
  json.member("text").begin_array();
  facts_json(json, whole.cycle);
  if (!whole.contradiction.empty()) json.string(whole.contradiction);
  for (const ExplainedCase& one : whole.cases) json.string(one.supposition);
  json.end_array().end_object();
}

void read_json(JsonWriter& json, const History& history, const BadRead& bad) {
  json.begin_object().member("op");
  operation_json(json, history, bad.read.transaction);
  json.member("mop");
  micro_json(json, history, history.operations(bad.read.transaction)[bad.read.operation]);
  for (const OperationRef& at : bad.involved()) {
    if (at.transaction == bad.read.transaction) continue;
    json.member("writer");
    operation_json(json, history, at.transaction);
    break;
  }
  json.member("text").string(bad_read_sentence(history, bad)).end_object();
}

void found_json(JsonWriter& json, const History& history, std::string_view type,
                const Found& found) {
  if (found.read) {
    read_json(json, history, *found.read);
  } else if (found.story) {
    story_json(json, history, *found.story, type);
  } else {
    json.begin_object().member("text").string(found.sentence).end_object();
  }
}

void models_json(JsonWriter& json, std::span<const Verdict> verdicts,
                 const Collection& collection) {
  const auto violated = violated_models(verdicts, collection);
  const auto is_weakest = [&](Level level) {
    return std::ranges::none_of(violated, [&](const auto& other) {
      return implies(level, other.second) && !implies(other.second, level);
    });
  };
  for (const bool weakest : {true, false}) {
    json.member(weakest ? "not" : "also-not").begin_array();
    for (const auto& [name, level] : violated) {
      if (is_weakest(level) == weakest) json.string(name);
    }
    json.end_array();
  }
}

/// What Elle has no place for: why an answer is unknown, and what an answer rests on.
void remarks_json(JsonWriter& json, std::span<const Verdict> verdicts) {
  std::vector<std::string> reasons;
  std::vector<std::string> remarks;
  const auto add = [](std::vector<std::string>& to, const std::string& text) {
    if (std::ranges::find(to, text) == to.end()) to.push_back(text);
  };
  for (const Verdict& verdict : verdicts) {
    if (verdict.answer == Answer::unknown)
      add(reasons, text_of(verdict.level) + ": " + verdict.reason);
    for (const Remark& remark : verdict.remarks) add(remarks, remark.text);
  }
  for (const auto& [name, texts] :
       {std::pair("reasons", &reasons), std::pair("remarks", &remarks)}) {
    if (texts->empty()) continue;
    json.member(name).begin_array();
    for (const std::string& text : *texts) json.string(text);
    json.end_array();
  }
}

void result_json(JsonWriter& json, const History& history, std::span<const Verdict> verdicts) {
  const Collection collection(history, verdicts);
  const Answer answer = answer_to_all(verdicts);
  json.member("valid?");
  answer == Answer::unknown ? json.string("unknown") : json.boolean(answer == Answer::holds);
  json.member("anomaly-types").begin_array();
  for (const auto& [type, all] : collection.found()) json.string(type);
  json.end_array().member("anomalies").begin_object();
  for (const auto& [type, all] : collection.found()) {
    json.member(type).begin_array();
    for (const Found& found : all) found_json(json, history, type, found);
    json.end_array();
  }
  json.end_object();
  models_json(json, verdicts, collection);
  remarks_json(json, verdicts);
}

}  // namespace

std::string_view elle_word(Answer answer) {
  if (answer == Answer::unknown) return "unknown";
  return answer == Answer::holds ? "true" : "false";
}

Answer answer_to_all(std::span<const Verdict> verdicts) {
  Answer all = Answer::holds;
  for (const Verdict& verdict : verdicts) {
    if (verdict.answer == Answer::violated) return Answer::violated;
    if (verdict.answer == Answer::unknown) all = Answer::unknown;
  }
  return all;
}

std::string elle_json(std::string_view file, const History& history,
                      std::span<const Verdict> verdicts) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("file").string(file);
  result_json(json, history, verdicts);
  json.end_object();
  return json.take() + "\n";
}

std::vector<Level> levels_of_elle() {
  std::vector<Level> levels;
  for (const std::string_view name : elle_models) {
    const auto level = find_level(name, NameDialect::elle);
    ISOSCOPE_REQUIRE(level);
    if (std::ranges::find(levels, *level) == levels.end()) levels.push_back(*level);
  }
  return levels;
}

std::vector<Anomaly> anomalies_shown(const History& history, std::span<const Verdict> verdicts) {
  return Collection(history, verdicts).anomalies();
}

}  // namespace isoscope::report
