#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "check/strong/saturation/clocks.h"
#include "check/strong/saturation/known_graph.h"
#include "check/strong/saturation/saturation_prefetcher.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::strong {

/// Why there is no execution.
struct Contradiction {
  /// The first event comes before the second, and the second before the first; none if that is not
  /// the reason.
  std::uint32_t from = none;
  std::uint32_t to = none;
  /// A read no candidate of which is left.
  ReadId read = none;
};

/// Finds out what follows about the order from what is known. Wherever one of two ways to go on
/// would close a cycle, the other one is taken.
///
/// With R a read of key x from T, and S another writer of x:
///   S committed before R began         S committed before T: c(S) -> h(T)
///   h(T) before S committed            T committed before h(S), and R began before S committed
/// Here h(T) is the event from which on T holds its keys (held_from): its begin if writers must not
/// overlap, and otherwise its commit.
/// Only the nearest of the writers in a chain need to be looked at. A candidate of a read is
/// dropped when it commits after R began, or when another writer is known to be between the two; if
/// one is left, that is the source.
///
/// Each event's clock says what comes before it; all rules are asked at the later event, so only
/// what comes before is ever needed, and an event is looked at again only when its clock has moved.
/// Events are taken in a likely order, so mostly everything before an event is settled when it is
/// looked at. Edges into the past are followed in the next sweep; mostly one or two sweeps are
/// made.
class Saturation {
 public:
  Saturation(OrderProblem& problem, KnownGraph& known, Clocks& clocks, const Limits& limits,
             Progress& progress, Workers workers = Workers());

  /// Adds what is known from the beginning; not all of it if a limit was reached.
  void start();
  /// `start` is what start() added, with the chains; `order` is topological for it, and the
  /// versions are sorted by it. It may be called again, with all that is known by then, with other
  /// clocks. The clocks know nothing yet but that each event comes before itself. Returns the
  /// reason if it was stopped; otherwise see contradiction().
  std::optional<StopReason> run(const Digraph& start, const std::vector<std::uint32_t>& order);

  const std::optional<Contradiction>& contradiction() const { return contradiction_; }

 private:
  /// Says that a writer of the key committed before the version that the read returned was made.
  struct Precedence {
    Txn writer;
    ReadId read;
  };

  /// A few transactions that wrote the key of a read and committed before the reader began.
  struct LastWriters {
    std::array<Txn, 4> writers = {};
    std::uint32_t count = 0;
  };

  bool reaches(std::uint32_t from, std::uint32_t to) const { return clocks_.reaches(from, to); }

  void take_read(ReadId read);
  std::optional<StopReason> prepare_open_reads();
  void mark_all();
  std::optional<StopReason> sweep();
  void look_at(std::uint32_t event);
  void collect(std::uint32_t event);
  void pass_on(std::uint32_t event);
  void merge(std::uint32_t from, std::uint32_t to);
  void at_begin(Txn t);
  void at_commit(Txn t);
  void follow_sources();
  void follow_source(ReadId read, std::vector<Precedence>& found) const;
  void look_back(Txn t, VersionId version);
  void follow(const Version& earlier, Txn t);

  void drop_candidates(ReadId read);
  bool is_overwritten_soon(const Version& candidate, Txn reader) const;
  bool is_overwritten(Txn candidate, const LastWriters& last) const;
  LastWriters last_writers(const Read& read) const;
  bool resolve_if_clear(ReadId read);
  bool is_before_in_chain(Txn earlier, Txn later) const;
  void resolve(ReadId read);
  void commit_open(Txn t, OrderProblem::CommitReason reason);
  std::size_t look_at_open_reads();

  void add(std::uint32_t from, std::uint32_t to, Why rule, ReadId read);
  void touch(std::uint32_t event);

  OrderProblem& p_;
  KnownGraph& known_;
  Clocks& clocks_;
  const Limits& limits_;
  Progress& progress_;
  Workers workers_;
  SaturationPrefetcher prefetcher_;
  std::optional<Contradiction> contradiction_;

  bool started_ = false;  // clocks are kept from then on
  const Digraph* start_ = nullptr;
  std::uint32_t start_edges_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_;  // in order_
  std::vector<std::uint64_t> dirty_;  // a bit for each place
  std::size_t lowest_dirty_ = 0;
  int sweeps_ = 0;
  std::vector<ReadId> open_reads_;
  std::vector<Txn> begun_;  // of the block: their reads are to be followed
  std::vector<std::vector<Precedence>> found_;
};

}  // namespace isoscope::strong
