#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isoscope {

/// How a check went, for benchmarks and the curious.
struct CheckStatistics {
  struct Phase {
    std::string name;
    double seconds = 0;  ///< of processor time
  };
  std::vector<Phase> phases;
  std::uint64_t derived_edges = 0;  ///< of the order, found out without choices
  std::uint64_t open_reads = 0;     ///< reads with several candidates after that
  /// The number of pairs of transactions that write one key, and of those pairs whose order is not
  /// known after that. At most a hundred million pairs are counted. If there are more,
  /// `pairs_counted` is false.
  std::uint64_t writer_pairs = 0;
  std::uint64_t open_writer_pairs = 0;
  bool pairs_counted = false;
  std::uint64_t unreturned_rows = 0;  ///< that predicates looked at; those of which a read was made
  std::uint64_t row_reads = 0;
  std::uint64_t misfits = 0;  ///< of the first guessed order
  std::uint64_t rounds = 0;   ///< of solving
  std::uint64_t choices = 0;
  std::uint64_t decisions = 0;
  std::uint64_t conflicts = 0;
  /// How many configurations the searches over frontiers met, in all attempts.
  std::uint64_t configurations = 0;
  /// How many threads took turns of attempts at once: 1 unless attempts raced.
  std::uint64_t racing_threads = 1;
};

}  // namespace isoscope
