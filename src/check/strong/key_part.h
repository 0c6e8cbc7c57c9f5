#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/accesses.h"
#include "check/strong/list_blocks.h"
#include "check/strong/list_problem.h"
#include "check/strong/problem.h"

namespace isoscope::strong {

/// What a problem says of some of the keys: their versions, and their reads with candidates. Parts
/// with different keys can be seen to at once: first it is counted what each will add to the
/// rows of each transaction, so that it is known where that goes; then each fills that in. What is
/// not by transaction is kept, and added to the problem part after part.
class KeyPart {
 public:
  /// The keys from `first` to before `last`. The transactions are numbered.
  KeyPart(const ProblemInput& input, Problem& problem, std::uint32_t first, std::uint32_t last)
      : input_(input),
        p_(problem),
        first_(first),
        last_(last),
        lists_(input.history, problem, list_orders_, members_) {}
  KeyPart(const KeyPart&) = delete;
  KeyPart& operator=(const KeyPart&) = delete;

  /// Memory has to be spared where so many candidates are listed.
  void spare_memory_from(std::size_t candidates) { spared_from_ = candidates; }

  /// Room for the counts. Transactions of different numbers can then be counted at once.
  void start_counting() { next_.assign(p_.size(), {}); }
  void count_read(Txn t) { ++next_[t].read; }
  void count_write(Txn t) { ++next_[t].write; }
  /// Given how many reads and writes each transaction has of the parts before; adds its own.
  void add_counts(std::span<std::uint32_t> reads, std::span<std::uint32_t> writes);
  /// All is counted, and the problem has room for that. Stops early where a limit was reached.
  void fill();
  /// Those of the keys before have been added.
  void add_to(Problem& problem);

 private:
  struct ReadHere {
    Txn reader;
    std::uint32_t operation;
    ValueId value;
  };
  struct WriteHere {
    Txn writer;
    ValueId value;
  };

  void fill_register(KeyId key);
  void fill_list(KeyId key);
  void fill_repeated_list(KeyId key);
  CandidateList list_candidates(Txn reader, const ListBlocks& blocks, ValueId list, bool has_start);
  void add_candidates(std::uint32_t read, const CandidateList& list);
  void add_versions(KeyId key, ValueId initial);
  void add_version(std::uint32_t number, const Version& version);
  std::uint32_t start_read(KeyId key, Txn reader, std::uint32_t operation);
  void add_read(KeyId key, const ReadHere& read);
  CandidateList own_candidates(Txn reader, std::span<const std::uint64_t> versions);
  CandidateList shared_candidates(std::span<const std::uint64_t> versions);

  const ProblemInput& input_;
  Problem& p_;
  std::uint32_t first_;
  std::uint32_t last_;
  std::size_t spared_from_ = 0;
  /// Of a transaction: how many there are; then in how many places behind the transaction's first
  /// one they start; while they are filled in, where the next one goes.
  struct Next {
    std::uint32_t read = 0;
    std::uint32_t write = 0;
  };
  std::vector<Next> next_;
  std::size_t writes_in_all_ = 0;

  // For the problem; places are counted from the part's first one.
  std::vector<std::uint32_t> version_starts_;
  std::vector<std::uint32_t> by_key_;
  std::vector<std::uint32_t> candidates_;
  std::vector<CandidateList> candidate_lists_;
  std::vector<std::uint32_t> listed_reads_;  // those that have them
  std::vector<ListOrder> list_orders_;
  std::vector<Problem::Member> members_;
  std::vector<Problem::ListRead> list_reads_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> list_appends_;

  // Of the present key.
  ListProblem lists_;
  std::vector<ReadHere> reads_;
  std::vector<WriteHere> writes_;
  std::vector<std::uint64_t> by_value_;
  std::unordered_map<std::uint32_t, std::uint32_t> shared_;  // by value, where
  std::map<std::vector<std::uint32_t>, std::uint32_t> shared_blocks_;
};

}  // namespace isoscope::strong
