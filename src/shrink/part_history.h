#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "isoscope/history/history.h"
#include "shrink/part.h"
#include "shrink/read_needs.h"

namespace isoscope::shrinking {

/// Where the things in a part's history come from. The things in the whole history come from
/// themselves.
class Origin {
 public:
  TransactionId transaction(TransactionId t) const {
    return is_whole() ? t : transactions_[t.index()];
  }
  std::uint32_t place(TransactionId t, std::uint32_t operation) const {
    return is_whole() ? operation : places_[t.index()][operation];
  }
  KeyId key(KeyId key) const { return is_whole() ? key : keys_[key.index()]; }

  void add(TransactionId t) {
    transactions_.push_back(t);
    places_.emplace_back();
  }
  void add_place(std::uint32_t place) { places_.back().push_back(place); }
  void add(KeyId key) { keys_.push_back(key); }

 private:
  bool is_whole() const { return transactions_.empty(); }

  std::vector<TransactionId> transactions_;  // by transaction of the part
  std::vector<std::vector<std::uint32_t>> places_;
  std::vector<KeyId> keys_;  // by key of the part
};

/// A part as a history of its own.
struct PartHistory {
  History history;
  Origin origin;
};

/// Makes parts of a history that say nothing which the history does not say
/// (isoscope/shrink/shrink.h).
///
/// A part costs what is in it and the candidates of its reads, not what the history has.
class PartMaker {
 public:
  explicit PartMaker(const History& history);

  /// A maker of parts whose reads do without the sources that real time rules out.
  PartMaker(const PartMaker& plain, const SourceTimes& times)
      : history_(plain.history_),
        needs_(plain.needs_.with_times(times)),
        next_cut_(plain.next_cut_) {}

  const History& history() const { return history_; }
  const ReadNeeds& needs() const { return needs_; }

  /// The part without reads that lack what they need, and without what then says nothing.
  Part sound(Part part) const;
  /// The part, which must be sound, as a history. Names, outcomes, times and initial values stay.
  PartHistory make(const Part& part) const;

 private:
  using Keys = std::set<KeyId>;

  Keys named_keys(const Part& part) const;
  void forget_unsayable(Part& part) const;
  /// Does the predicate operation leave out a row that is there initially, and that it selects?
  bool misses_initial_row(const PredicateAccess& access, KeyId key) const;
  Part with_session_cuts(const Part& part) const;

  const History& history_;
  ReadNeeds needs_;
  std::vector<std::optional<TransactionId>> next_cut_;  // by transaction: where its session is cut
};

}  // namespace isoscope::shrinking
