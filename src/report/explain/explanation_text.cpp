#include "report/explain/explanation_text.h"

#include <algorithm>

#include "isoscope/base/text_lines.h"
#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"
#include "report/explain/shortened.h"

namespace isoscope::report {

namespace {

constexpr std::size_t columns = 100;
/// The maximum number of a cycle's transactions in a headline.
constexpr std::size_t most_in_headline = 8;

std::string label(const History& history, std::optional<TransactionId> t) {
  return t ? history.label(*t) : "initial state";
}

std::string cycle_words(const History& history, const std::vector<ExplainedFact>& cycle) {
  std::string text;
  const std::size_t shown = cycle.size() > most_in_headline ? most_in_headline : cycle.size();
  for (std::size_t i = 0; i < shown; ++i) text += label(history, cycle[i].from) + " -> ";
  if (shown < cycle.size()) {
    text += "... (" + std::to_string(cycle.size() - shown) + " more) -> ";
  }
  return text + label(history, cycle.front().from);
}

std::string case_words(const History& history, const ExplainedCase& one) {
  std::string text = one.anomaly ? anomaly_words(*one.anomaly, one.cycle_class) : "";
  if (one.anomaly && !one.cycle.empty()) text += ": " + cycle_words(history, one.cycle);
  if (!one.contradiction.empty()) text += (text.empty() ? "" : ": ") + one.contradiction;
  return text;
}

/// The text wrapped, all lines but the first indented by `hanging` more.
void append_line(std::string& to, std::size_t indent, std::size_t hanging,
                 const std::string& text) {
  constexpr std::size_t narrowest = 40;
  const std::size_t width = std::max(narrowest, columns - std::min(columns, indent + hanging));
  std::size_t margin = indent;
  for (const std::string& line : wrapped(text, width)) {
    to += std::string(margin, ' ') + line + "\n";
    margin = indent + hanging;
  }
}

void append_fact(std::string& to, const History& history, const ExplainedFact& fact,
                 std::size_t indent) {
  std::string text = "(" + std::to_string(fact.number) + ") ";
  const std::size_t hanging = text.size();
  const bool ordered = fact.kind != FactKind::source && fact.kind != FactKind::outcome;
  if (ordered) {
    text += label(history, fact.from) + " -> " + label(history, fact.to) + " (" +
            std::string(name_of(fact.kind)) +
            (fact.key ? " on " + key_text(history, *fact.key) : "") + "): ";
  }
  append_line(to, indent, hanging, text + fact.text);
  for (const ExplainedFact& reason : fact.because) {
    append_fact(to, history, reason, indent + hanging);
  }
}

void append_case(std::string& to, const History& history, const ExplainedCase& one,
                 std::size_t indent, const std::string& number) {
  for (const ExplainedFact& fact : one.cycle) append_fact(to, history, fact, indent);
  for (std::size_t i = 0; i < one.cases.size(); ++i) {
    const ExplainedCase& child = one.cases[i];
    const std::string its_number = number + std::to_string(i + 1);
    std::string text = "Case " + its_number + ", " + child.supposition;
    if (const std::string words = case_words(history, child); !words.empty()) {
      text += ": " + words;
    }
    append_line(to, indent, 2, text);
    append_case(to, history, child, indent + 2, its_number + ".");
  }
}

/// Each transaction that is spoken of, with those of its operations that are spoken of, and dots
/// for the others.
void append_operations(std::string& to, const History& history, const Explanation& explanation) {
  const auto& all = explanation.operations;
  for (std::size_t i = 0; i < all.size();) {
    const TransactionId t = all[i].transaction;
    std::string line = history.label(t) + " (session " +
                       value_text(history, history.session_name(history.session_of(t)));
    if (history.outcome(t) != Outcome::committed) {
      line += ", " + std::string(name_of(history.outcome(t)));
    }
    line += "):";
    std::uint32_t next = 0;
    for (; i < all.size() && all[i].transaction == t; ++i) {
      if (all[i].operation != next) line += " ...";
      next = all[i].operation + 1;
      line += " " + shortened(operation_text(history, history.operations(t)[all[i].operation]));
    }
    if (next != history.operations(t).size()) line += " ...";
    to += "    " + line + "\n";
  }
}

}  // namespace

std::string anomaly_words(Anomaly anomaly, std::optional<Anomaly> cycle_class) {
  std::string name(name_of(anomaly));
  if (!name.starts_with("G")) {
    const std::ptrdiff_t prefix = name.starts_with("non-") ? 4 : 0;
    std::replace(name.begin() + prefix, name.end(), '-', ' ');
  }
  if (!cycle_class || *cycle_class == anomaly) return name;
  return name + " (" + std::string(name_of(*cycle_class)) + ")";
}

std::string explanation_headline(const History& history, const Explanation& explanation) {
  const std::string count = std::to_string(explanation.case_count);
  if (explanation.failed) return "";
  if (explanation.told_count < explanation.case_count || explanation.more_cases) {
    std::string text = "no order is possible";
    if (explanation.transactions_involved > 0) {
      text += " of " + counted(explanation.transactions_involved, "transaction");
    }
    if (explanation.keys_involved > 0) text += " on " + counted(explanation.keys_involved, "key");
    const bool none_counted = explanation.more_cases && explanation.case_count == 0;
    return text + ": that takes " +
           (none_counted ? "many" : (explanation.more_cases ? "more than " : "") + count) +
           " cases, too many to tell; `isoscope shrink` looks for a smaller part";
  }
  const std::string words = case_words(history, explanation.whole);
  if (explanation.whole.cases.empty()) return words;
  return (words.empty() ? "no order is possible" : words) + " in each of " + count + " cases";
}

std::string explanation_text(const History& history, const Explanation& explanation) {
  std::string text;
  if (explanation.failed) return text;
  append_case(text, history, explanation.whole, 2, "");
  append_operations(text, history, explanation);
  return text;
}

}  // namespace isoscope::report
