#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "history_of.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/report/explanation.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::report {

using test::history_of;

/// The numbers of facts that a sentence refers to, as in "by (4) and (7)".
inline std::set<unsigned> numbers_in(std::string_view text) {
  std::set<unsigned> found;
  for (std::size_t at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", at + 1);
    if (end == text.npos || end == at + 1 || text[end] != ')') continue;
    found.insert(static_cast<unsigned>(std::stoul(std::string(text.substr(at + 1, end - at - 1)))));
  }
  return found;
}

/// What is wrong with an explanation, if anything. It looks at the shape, not at the words, except
/// for the numbers in them. Whatever is referred to must have been told, in the same case or, if it
/// is true in every case, in an earlier one. No fact rests on itself. No reason is told that nobody
/// refers to. Numbers are given one after the other, so none is missing.
class Inspection {
 public:
  Inspection(const History& history, Level level) : history_(history), level_(level) {}

  std::string problem(const Explanation& explanation) {
    if (explanation.failed) return "nothing is explained";
    look(explanation.whole,
         explanation.more_cases || explanation.told_count < explanation.case_count);
    if (!told_.empty() && told_.rbegin()->first != told_.size()) complain("a number is missing");
    return problem_;
  }

 private:
  struct Told {
    std::set<unsigned> rests_on;
    bool supposes = false;
    unsigned story = 0;
    bool looked_at = false;
  };

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
    ++story_;
    for (const ExplainedFact& fact : one.cycle) look(fact);
    look_at_references(one);
    if (!one.contradiction.empty()) return;
    if (one.cycle.size() < 2) return complain("no cycle");
    for (std::size_t i = 0; i < one.cycle.size(); ++i) {
      const ExplainedFact& next = one.cycle[(i + 1) % one.cycle.size()];
      if (!one.cycle[i].to || one.cycle[i].to != next.from) complain("the cycle is not closed");
    }
  }

  void look(const ExplainedFact& fact) {
    const std::set<unsigned> rests_on = numbers_in(fact.text);
    const bool supposes =
        fact.kind == FactKind::supposed || fact.text.find("n this case") != std::string::npos;
    if (!told_.insert({fact.number, {rests_on, supposes, story_}}).second) complain("told twice");
    if (fact.text.empty() || fact.text.back() != '.') complain("no sentence: " + fact.text);
    for (const std::string_view reference : {" by (", " as the certificate shows"}) {
      const std::size_t at = fact.text.find(reference);
      if (at != std::string::npos && at != 0 && fact.text[at - 1] != ',') {
        complain("no comma before a reference: " + fact.text);
      }
    }
    for (const OperationRef& at : fact.operations) {
      if (at.operation >= history_.operations(at.transaction).size()) complain("no operation");
    }
    for (const ExplainedFact& reason : fact.because) {
      if (!rests_on.contains(reason.number)) complain("told in vain: " + reason.text);
      look(reason);
    }
  }

  /// After all facts of a story, since those of a cycle may refer to later ones of it.
  void look_at_references(const ExplainedCase& one) {
    const std::set<unsigned> contradicting = numbers_in(one.contradiction);
    for (const unsigned number : contradicting) look_at_reference(number, {});
    for (const ExplainedFact& fact : one.cycle) {
      if (!one.contradiction.empty() && !contradicting.contains(fact.number)) {
        complain("told in vain: " + fact.text);
      }
      look_at_reference(fact.number, {});
    }
  }

  /// `above`: what rests on it.
  void look_at_reference(unsigned number, std::set<unsigned> above) {
    const auto at = told_.find(number);
    const std::string name = "(" + std::to_string(number) + ")";
    if (at == told_.end()) return complain(name + " was never told");
    if (!above.insert(number).second) return complain(name + " rests on itself");
    Told& told = at->second;
    if (problem_.empty() && told.story != story_ && is_supposed(told)) {
      complain(name + " is of another case");
    }
    if (told.looked_at) return;
    for (const unsigned other : told.rests_on) look_at_reference(other, above);
    told.looked_at = true;
  }

  /// Does it rest on something that is supposed? Only earlier stories are followed: there are no
  /// circles in them, or there was a complaint.
  bool is_supposed(const Told& told) const {
    return told.supposes || std::ranges::any_of(told.rests_on, [&](unsigned other) {
             const auto at = told_.find(other);
             return at != told_.end() && is_supposed(at->second);
           });
  }

  void complain(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  const History& history_;
  Level level_;
  std::map<unsigned, Told> told_;  // by number
  unsigned story_ = 0;             // which one is looked at
  std::string problem_;
};

}  // namespace isoscope::report
