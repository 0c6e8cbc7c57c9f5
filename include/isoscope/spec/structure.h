#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/history/history.h"

namespace isoscope::spec {

/// A relation between at most 64 things and at most 64 others, as rows of bits.
struct Matrix {
  std::vector<std::uint64_t> rows;

  bool has(std::size_t from, std::size_t to) const { return (rows[from] >> to & 1) != 0; }
  void add(std::size_t from, std::size_t to) { rows[from] |= std::uint64_t{1} << to; }
  bool operator==(const Matrix&) const = default;
};

/// A history as the level language sees it: what each committed transaction read from outside and
/// finally wrote. Transaction 0 is the initial one: it writes every key, reads nothing, and is
/// before all others in `so` and `rt`.
///
/// Invariants: at most 63 other transactions and 64 keys; wr[x] only goes from writers of x; nobody
/// reads from itself.
struct Structure {
  std::size_t transactions = 1;  ///< with the initial one
  std::size_t keys = 0;
  Matrix so, rt;
  Matrix writes;                    ///< transaction x key
  std::vector<Matrix> wr;           ///< by key
  std::vector<Matrix> seen_before;  ///< by key; at most what the definition says, see below
  std::vector<std::string> transaction_names;  ///< "init", "T1", ...
  std::vector<std::string> key_names;

  bool reads(std::size_t transaction, std::size_t key) const;
  /// Does some transaction read one key from two others? Then `seen_before` cannot tell which of
  /// the two reads it is about, and levels that mention it must be refused.
  bool has_non_repeatable_reads() const;

  bool operator==(const Structure&) const = default;
};

/// `count` transactions besides the initial one, nothing read or written by them, `so` and `rt`
/// with no more than the initial one's pairs.
Structure empty_structure(std::size_t count, std::size_t keys);

/// The committed part of a history. An Error if a read has no, or more than one, possible writer
/// (duplicate values), if it is too large, or holds what the language cannot say: predicates,
/// indeterminate transactions, a bad read that the first pass would find. Lists: see the .cpp.
Result<Structure> structure_of(const History& history);

/// The other way: sessions from `so` (which must be session-shaped, and go from lower to higher
/// numbers), values counted up per key, reads in an order that gives `seen_before`, begin and end
/// times if `timed` (`rt` must then be an interval order). Nobody may read a key from two writers.
/// Where no order of reads gives `seen_before` they are in the order of keys.
History history_of(const Structure& structure, bool timed);

}  // namespace isoscope::spec
