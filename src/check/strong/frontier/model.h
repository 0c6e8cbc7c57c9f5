#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/order_problem.h"
#include "isoscope/base/contract.h"
#include "isoscope/graph/digraph.h"
#include "isoscope/history/history.h"

namespace isoscope::strong {

/// A problem with real time as a search over frontiers looks at it (FrontierSearch): what a key
/// holds is a *cell*, and when an event may happen is a range of points in time.
///
/// Cells are contents: all writers of one value leave the same cell, and a list is a cell for each
/// prefix of what was read of it. So the search does not depend on which transaction wrote a value,
/// and candidates never appear. What nobody reads is no cell at all.
///
/// The range of an event follows from all that is known about the order: it is after every point in
/// time that comes before it in the graph, and before every one that comes after it. So session
/// order counts where clocks alone would have it the other way round, and a transaction that is
/// read from is early enough for its readers.
class FrontierModel {
 public:
  /// A key's content that nobody will read.
  static constexpr std::uint32_t no_cell = none;

  struct Read {
    KeyId key;
    std::uint32_t first = 0;  ///< in cells(): any of these fits
    std::uint32_t count = 0;
  };
  struct Write {
    KeyId key;
    std::uint32_t cell = no_cell;  ///< what a register holds then
    std::uint32_t first = 0;       ///< elements that are appended to a list
    std::uint32_t count = 0;
    bool is_list = false;
  };
  /// Instead of the last goal for which a cell is needed: the cell is always needed.
  static constexpr std::uint32_t always = none;

  /// `order` is topological for the graph, which has the points in time. All must outlive the
  /// object.
  FrontierModel(const History& history, const KeyAccesses& accesses, const OrderProblem& problem,
                const Digraph& graph, std::span<const std::uint32_t> order);

  const OrderProblem& problem() const { return p_; }
  const Digraph& graph() const { return graph_; }

  /// Whether it says all that the problem says: it has nothing for lists as rows of predicates.
  bool is_complete() const { return is_complete_; }

  std::span<const Read> reads(Txn t) const { return row(reads_, read_starts_, t); }
  std::span<const Write> writes(Txn t) const { return row(writes_, write_starts_, t); }
  bool fits(const Read& read, std::uint32_t cell) const;
  std::span<const std::uint32_t> cells(const Read& read) const {
    return std::span(cells_).subspan(read.first, read.count);
  }
  /// What the key holds after the write.
  std::uint32_t after(const Write& write, std::uint32_t cell) const;
  std::uint32_t initial(KeyId key) const { return initial_[key]; }
  bool is_list(KeyId key) const { return is_list_[key] != 0; }

  /// The events of those that certainly take part, in the order in which they must have happened.
  std::span<const std::uint32_t> goals() const { return goals_; }
  /// Points in time are counted from 0. An event may happen when fewer than this have passed, and
  /// once as many as that have.
  std::uint32_t latest(std::uint32_t event) const { return latest_[event]; }
  std::uint32_t earliest(std::uint32_t event) const { return earliest_[event]; }
  std::uint32_t points() const { return static_cast<std::uint32_t>(p_.times.size()); }

  /// Whether somebody may still read the cell when this goal is looked at.
  bool is_needed(std::uint32_t cell, std::uint32_t goal) const {
    return needed_until_[cell] >= goal;
  }
  /// When the last writer of the cell, which is no list, may happen: see earliest().
  std::uint32_t last_writer(std::uint32_t cell) const { return last_writer_[cell]; }

 private:
  template <class T>
  static std::span<const T> row(const std::vector<T>& all, const std::vector<std::uint32_t>& starts,
                                Txn t) {
    ISOSCOPE_REQUIRE(t + 1 < starts.size());
    return std::span(all).subspan(starts[t], starts[t + 1] - starts[t]);
  }
  static std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{a} << 32 | b;
  }

  void find_ranges(std::span<const std::uint32_t> order);
  void set_goals(std::span<const std::uint32_t> order);
  void take_reads(const History& history);
  void take_writes(const History& history);
  void add_list_read(const History& history, const strong::Read& read);
  std::uint32_t add_cell(KeyId key, ValueId value);
  std::uint32_t find_cell(KeyId key, ValueId value) const;
  void need(std::uint32_t cell, Txn reader);
  void need_list(KeyId key, ValueId list, const History& history, Txn reader);

  const OrderProblem& p_;
  const Digraph& graph_;
  bool is_complete_ = true;
  IdVector<KeyId, std::uint8_t> is_list_;
  IdVector<KeyId, std::uint32_t> initial_;
  std::vector<Read> reads_;  // by transaction
  std::vector<std::uint32_t> read_starts_;
  std::vector<Write> writes_;
  std::vector<std::uint32_t> write_starts_;
  std::vector<std::uint32_t> cells_;                          // of reads
  std::vector<std::uint32_t> elements_;                       // of writes
  std::unordered_map<std::uint64_t, std::uint32_t> cell_of_;  // by key and value
  std::unordered_map<std::uint64_t, std::uint32_t> longer_;   // by a list's cell and an element
  std::vector<std::uint32_t> needed_until_;                   // by cell
  std::vector<std::uint32_t> last_writer_;
  std::vector<std::uint32_t> earliest_;  // by event
  std::vector<std::uint32_t> latest_;
  std::vector<std::uint32_t> goals_;
  std::vector<std::uint32_t> goal_of_;  // by event
};

}  // namespace isoscope::strong
