#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/strong/frontier/model.h"
#include "check/strong/frontier/paths.h"
#include "check/strong/frontier/rows.h"
#include "check/strong/frontier/step.h"
#include "check/strong/problem/turn_end.h"
#include "isoscope/base/limits.h"

namespace isoscope::strong {

/// Looks for an order of events that keeps real time. It does so by all configurations that are
/// possible at a time. A configuration says which of the transactions under way have happened, and
/// what every key holds.
///
/// Events are taken as their time runs out. Then each configuration in which the event has not
/// happened is replaced by all those that can be made of it in which it has, with whatever else is
/// under way and has to do with it (FrontierStep); all others wait until their own time has come.
/// What has happened in all configurations is forgotten: only values of keys and those under way
/// are kept. If no configuration is left, there is no order.
///
///   T1@0..10 w(x,1) | T2@0..10 w(x,2) | T3@20..21 r(x,1)      at 20 x holds 1 or 2; after T3, 1
///
/// Where all configurations agree on what a key holds, it is kept once. The other keys have a
/// column in each configuration. Each configuration knows the events that led to it, so an order is
/// read off the last one.
///
/// Cost: about 2^c configurations for each event where c transactions conflict at a time and values
/// repeat, fewer where they do not. With 8 at a time, 3 keys and 2 values: 200 per event. A solver
/// does not see that what happened long ago no longer matters, and takes ever longer instead.
class FrontierSearch {
 public:
  /// The model and the limits must outlive the object.
  FrontierSearch(const FrontierModel& model, const Limits& limits);

  /// Replaces those of the constructor from now on.
  void use(const Limits& limits) { limits_ = &limits; }

  /// Goes on until it has met this many more configurations. It gives up if too many transactions
  /// conflict at a time.
  TurnEnd run(std::uint64_t visits);

  /// found: all events that happen.
  std::vector<std::uint32_t> order() const { return paths_.events(rows_.path(0)); }
  /// impossible: the transactions that were under way when no configuration was left. Behind them,
  /// the latest first, stand those whose time had run out until then.
  std::vector<Txn> lost() const;
  /// How many configurations were met.
  std::uint64_t visited() const { return visited_; }

 private:
  enum class Stage : std::uint8_t { ahead, under_way, over };

  void admit(std::uint32_t now);
  void dismiss(Txn t);
  bool is_useless(Txn t) const;
  std::vector<Txn> conflicting_with(Txn t);
  bool make_places(std::span<const Txn> members);
  void make_columns(std::span<const Txn> members);
  void tidy();

  const FrontierModel& m_;
  const OrderProblem& p_;
  const Limits* limits_;
  std::vector<Txn> by_earliest_;  // by when they may begin
  std::size_t next_admitted_ = 0;
  std::vector<Stage> stages_;                       // by transaction
  IdVector<KeyId, std::vector<Txn>> under_way_at_;  // those that read or write it
  std::vector<std::uint8_t> has_place_;             // by transaction
  IdVector<KeyId, std::uint8_t> has_column_;
  IdVector<KeyId, std::uint32_t> base_;  // what it holds, unless it has a column
  std::uint32_t next_goal_ = 0;
  FrontierLayout layout_;
  FrontierRows rows_;
  FrontierPaths paths_;
  std::size_t paths_kept_ = 0;
  std::uint64_t visited_ = 0;
};

}  // namespace isoscope::strong
