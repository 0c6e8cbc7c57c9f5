#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/reads/judging_round.h"
#include "check/reads/list_search.h"
#include "check/reads/value_table.h"

namespace isoscope {

/// Judges the reads of one list at a time: a key that is appended to and never written.
///
/// A version of a list is its initial list followed by what some transactions appended, each all of
/// its appends in their order and without a gap, nothing twice. So with
///   T1 a(x,1) a(x,2) | T2 a(x,3)
///   [] [3] [1 2] [3 1 2]      are versions
///   [1] [2 1] [1 3 2] [3 3]   are not
/// A read after own appends is an external read of what stands before them, and those must be its
/// end. In which order different reads put the transactions is not asked here.
///
/// The lists read of a key form a tree: each list is a child of the list without its last element.
/// One walk over it judges all of them, so a thousand reads of a growing list cost as much as its
/// longest. The walk needs each element to have one append; otherwise every list is cut into blocks
/// by a ListSearch.
///
/// An initial value that is no list counts as the empty list. Without any initial version, [] is no
/// version, but the first append makes one.
class ListReads {
 public:
  /// The round must outlive the object.
  explicit ListReads(JudgingRound& round) : round_(round) {}
  ListReads(const ListReads&) = delete;
  ListReads& operator=(const ListReads&) = delete;

  void check(KeyId key);

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  /// An append of a transaction that counts as committed, or an element of the initial list.
  struct Append {
    ValueId element;
    std::uint32_t block;
    OperationRef at;
  };
  /// What one transaction appended: its appends stand together in appends_. Block 0 is the initial
  /// list. Every transaction that counts has a block, which may be empty.
  struct Block {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool is_empty() const { return first == last; }
  };
  /// A read of the list `prefix` from others, in front of the reader's own appends.
  struct ExternalRead {
    const Access* access;
    std::uint32_t block;  // the reader's
    bool after_own;
    ValueId prefix;
    std::uint32_t next;  // of the same node
  };
  /// What is wrong with a list, whichever transaction reads it.
  struct Problem {
    ReadFinding kind;
    ReadProblem problem;
    ValueId element;
    std::uint32_t block = none;  // of torn appends
    std::array<std::optional<OperationRef>, 2> involved = {};
  };
  static constexpr std::size_t problem_kinds = 3;  // aborted, intermediate, thin-air
  struct Node {
    ValueId list;
    std::uint32_t parent = none;
    std::uint32_t first_child = none;
    std::uint32_t next_sibling = none;
    std::uint32_t first_read = none;
    std::uint32_t append = none;    // the one this element is, where it is on the path only once
    std::uint32_t expected = none;  // the append that must come next: in the middle of a block
    // The first of each kind on the path.
    std::array<std::uint32_t, problem_kinds> problems = {none, none, none};
  };

  void collect_appends();
  void check_run(std::span<const Access> run, std::uint32_t block);
  void wrong_end(const Access& read, const Append& own);

  void build_tree();
  std::uint32_t node_of(ValueId list);
  void walk_tree();
  void enter(std::uint32_t node);
  void leave(std::uint32_t node);
  void judge(const ExternalRead& read, std::uint32_t node);

  void search_each();
  void judge_by_search(const ExternalRead& read);

  Problem cut_before(std::uint32_t expected) const;
  Problem nobody_appended(ValueId element);
  Problem repeated(std::uint32_t append);
  Problem own_append_seen(const Access& read, std::uint32_t append);
  std::optional<OperationRef> aborted_append(ValueId element);
  void add_problem(std::uint32_t node, const Problem& problem);
  void report(const ExternalRead& read, const Problem& problem, ReadFindings possible = {});
  bool is_initial(std::uint32_t append) const { return appends_[append].block == 0; }

  JudgingRound& round_;
  KeyId key_;
  std::span<const Access> accesses_;
  bool has_initial_ = false;        // an initial version exists
  bool every_element_once_ = true;  // among appends_
  bool uncertain_appends_ = false;  // some transaction that appended did not certainly commit

  std::vector<Append> appends_;
  std::vector<Block> blocks_;
  ValueTable<std::uint32_t> append_of_;  // by element: index + 1
  ValueTable<std::uint32_t> aborted_append_of_;
  std::vector<OperationRef> aborted_appends_;
  bool aborted_indexed_ = false;
  std::vector<ExternalRead> reads_;

  std::vector<Node> nodes_;
  ValueTable<std::uint32_t> node_of_;  // by list: index + 1
  std::vector<ValueId> path_;
  std::vector<bool> on_path_;                 // by append
  std::vector<std::uint32_t> block_on_path_;  // by block: how many of its appends
  std::vector<Problem> problems_;

  ListSearch search_;
  std::vector<std::size_t> search_block_;  // by block
  std::vector<ValueId> elements_;
};

}  // namespace isoscope
