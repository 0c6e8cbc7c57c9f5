#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "check/visible/past.h"
#include "check/visible/replay.h"

namespace isoscope::visible {

/// One run of a Replay. For each transaction: its reads get sources, they are judged, and then the
/// transaction is a part of the past.
class Replay::Sweep {
 public:
  Sweep(Replay& replay, Execution& execution, std::vector<Misfit>& misfits);
  Result run();
  bool tell_rows(const TellRow& tell, std::size_t most);

 private:
  /// A transaction that was reached in a search backwards, with the hop that leads on.
  struct Reached {
    std::uint32_t stamp = 0;
    std::uint32_t cost = 0;
    Hop hop = {};
  };

  void choose_sources(Txn t);
  Txn latest_candidate(const Read& read) const;
  // Open reads are from one place of the order for each operation, or for all of t, where most of
  // its reads fit: what was read at once was there at once.
  void choose_by_snapshots(Txn t, const Row& row);
  std::uint32_t best_snapshot(std::span<const std::uint32_t> reads, std::uint32_t since);
  void add_fitting_places(std::uint32_t read, std::uint32_t since);
  Txn candidate_at(std::uint32_t read, std::uint32_t place) const;
  bool is_candidate(std::uint32_t read, Txn t) const;
  bool is_looked_at(const Read& read, const Row& row) const;

  void judge(Txn t);
  void judge_bases(Txn t);
  bool sees_everything(Txn t, const Row& row) const {
    return row.everything == Everything::to_all ||
           (row.everything == Everything::to_updates && p_.is_update(t));
  }
  /// The last writer of the key visible to a read of t at the operation; 0 if there is none. Not
  /// before `since`.
  Txn last_visible(Txn t, const Row& row, std::uint32_t operation, KeyId key, std::uint32_t since);
  bool is_visible(Txn writer, Txn t, const Row& row, std::uint32_t operation, KeyId key) const;
  bool is_visible_directly(Txn writer, Txn t, const Row& row, std::uint32_t operation) const;
  bool shares_key(Txn a, Txn b) const;
  std::uint32_t last_of_prefix(Txn t, const Row& row, std::uint32_t operation) const;

  // What leads to the transaction under judgement. Where there are clocks they know. Otherwise it
  // is searched for, not before some place.
  void begin_search(std::uint32_t since);
  void look_back(Txn t, const Row& row, std::uint32_t operation);
  void search(Txn t, const Row& row, std::uint32_t operation);
  void reach(Txn t);
  bool is_reached(Txn t) const {
    return past_.has_clocks() ? past_.is_in(t, clock_) : reached_[t] == stamp_;
  }

  // Ways with few choices.
  void add_misfit(std::uint32_t read, Txn newer, const Row& row);
  std::vector<Hop> way(std::uint32_t read, Txn from, const Row& row);
  Hop direct_hop(const Read& read, Txn from, const Row& row);
  std::vector<Hop> way_in_prefix(const Read& read, Txn from, const Row& row);
  std::vector<Hop> way_inside(const Read& read, Txn from, const Row& row);
  void relax(const Hop& hop, std::uint32_t cost);
  std::uint32_t cost_of(const Hop& hop) const;
  std::uint32_t cost_of_order(Txn earlier, Txn later) const {
    return replay_.known_.has(earlier, later) ? 0 : 1;
  }
  bool is_first_hop(const Hop& hop, Txn from, const Read& read) const;

  void happen(Txn t);
  void judge_rows(Txn t);
  void begin_rows(Txn t);
  Txn last_visible_row(Txn t, const Row& row, const PredicateOperation& operation, KeyId key);

  Replay& replay_;
  const Problem& p_;
  Execution& e_;
  std::vector<Misfit>& misfits_;
  Past past_;
  std::vector<Txn> latest_;  // by set of candidates: the last one so far; none: there is none yet
  /// A read of a row that is to be made.
  struct ToMake {
    Txn reader = 0;
    const PredicateOperation* operation = nullptr;
    KeyId key;
    std::uint32_t set = none;
  };
  std::vector<ToMake> to_make_;
  Result result_;

  // This is about the transaction under judgement.
  std::vector<std::uint32_t> reads_;
  std::vector<std::pair<std::uint32_t, int>> bounds_;  // where reads begin or cease to fit
  struct Seen {
    Txn by = 0;
    std::uint32_t operation = 0;  // the first that read from it
  };
  std::vector<Seen> seen_;  // by source

  // This is about looking back.
  std::vector<std::uint32_t> clock_;
  Txn clock_of_ = none;
  std::uint32_t clock_at_ = 0;  // the operation
  std::uint32_t stamp_ = 0;
  std::uint32_t since_ = 0;
  std::vector<std::uint32_t> reached_;  // by transaction: the stamp
  std::vector<Txn> to_follow_;
  std::vector<Reached> ways_;  // by transaction
  std::uint32_t way_stamp_ = 0;
  std::deque<std::pair<Txn, std::uint32_t>> queue_;
};

}  // namespace isoscope::visible
