#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// What is known of a history at several levels, and what follows from that at others.
///
///   serializable holds               so does read-committed, which it implies
///   cut-isolation is violated        so is read-atomic, which implies it
///   serializable has a lost update   so does cursor-stability
class KnownLevels {
 public:
  /// The levels, with session order, that the refutation of a strong level violates besides those
  /// that imply that level.
  using AlsoViolated = std::function<std::vector<LevelId>(const Verdict&)>;

  /// The history must outlive the object. `also_violated` may be empty.
  KnownLevels(const History& history, AlsoViolated also_violated)
      : history_(history), also_violated_(std::move(also_violated)) {}

  void add(Verdict verdict) { entries_.push_back({std::move(verdict), {}}); }
  std::size_t size() const { return entries_.size(); }
  const Verdict& operator[](std::size_t i) const {
    ISOSCOPE_REQUIRE(i < entries_.size());
    return entries_[i].verdict;
  }
  /// The verdicts, in the order in which they were added. Nothing is known any more.
  std::vector<Verdict> take();
  /// What was asked about this level; null if it was not.
  const Verdict* at(Level level) const;

  /// That the answer of one level gives that of another.
  struct Consequence {
    std::size_t from = 0;  ///< which verdict
    Answer answer = Answer::unknown;
    std::string why;  ///< "serializable holds, and implies causal"
  };
  /// What the verdict with this number says about another level, if anything.
  std::optional<Consequence> consequence(std::size_t from, Level level);
  /// What all of them say. Stories are told only if no implication is enough.
  std::optional<Consequence> consequence(Level level);

 private:
  struct Entry {
    Verdict verdict;
    std::optional<std::vector<LevelId>> also_violated;
  };

  std::optional<Consequence> implied(std::size_t from, Level level);
  std::optional<Consequence> told(std::size_t from, Level level);
  Level as_here(Level level);
  bool violates_also(Entry& entry, Level level);

  const History& history_;
  AlsoViolated also_violated_;
  std::optional<bool> has_predicates_;  // found out when that is asked
  std::deque<Entry> entries_;
};

/// Makes the verdict what `from` says about its level.
void take_over(const Verdict& from, const std::string& why, Verdict& to);

/// Says why the answer at another level settles this one, and whether its certificate does, too.
Remark remark_of_implied(Level by, const std::string& why, bool certified);

}  // namespace isoscope
