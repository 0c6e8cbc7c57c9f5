#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/report/explanation.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::report {

inline History history_of(const std::string& litmus) {
  const Source source = Source::from_memory("history", litmus);
  Result<History> history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << litmus << "\n" << (history ? "" : history.error().text());
  return history ? *std::move(history) : History();
}

/// What is wrong with an explanation, if anything: its shape, not its words.
class Inspection {
 public:
  Inspection(const History& history, Level level) : history_(history), level_(level) {}

  std::string problem(const Explanation& explanation) {
    if (explanation.failed) return "nothing is explained";
    look(explanation.whole,
         explanation.more_cases || explanation.told_count < explanation.case_count);
    return problem_;
  }

 private:
  void look(const ExplainedCase& one, bool partial) {
    if (one.anomaly && !forbids(level_, *one.anomaly)) {
      complain("not forbidden: " + std::string(name_of(*one.anomaly)));
    }
    if (!one.cases.empty()) {
      if (one.cases.size() == 1 && !partial) complain("one case only");
      for (const ExplainedCase& child : one.cases) {
        if (child.supposition.empty()) complain("a case without supposition");
        look(child, false);
      }
      return;
    }
    for (const ExplainedFact& fact : one.cycle) look(fact);
    if (!one.contradiction.empty()) return;
    if (one.cycle.size() < 2) return complain("no cycle");
    for (std::size_t i = 0; i < one.cycle.size(); ++i) {
      const ExplainedFact& next = one.cycle[(i + 1) % one.cycle.size()];
      if (!one.cycle[i].to || one.cycle[i].to != next.from) complain("the cycle is not closed");
    }
  }

  void look(const ExplainedFact& fact) {
    if (!numbers_.insert(fact.number).second) complain("told twice");
    if (fact.text.empty() || fact.text.back() != '.') complain("no sentence: " + fact.text);
    for (const OperationRef& at : fact.operations) {
      if (at.operation >= history_.operations(at.transaction).size()) complain("no operation");
    }
    for (const ExplainedFact& reason : fact.because) look(reason);
  }

  void complain(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  const History& history_;
  Level level_;
  std::set<unsigned> numbers_;
  std::string problem_;
};

}  // namespace isoscope::report
