#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/solver/sat_literal.h"

namespace isoscope {

/// Where a clause starts in the store.
using ClauseRef = std::uint32_t;
inline constexpr ClauseRef no_clause = 0xFFFFFFFF;

/// All clauses of two or more literals, one behind the other in one array, so that propagation
/// touches one place per clause. A clause is three words and then its literals' codes:
///
///   size | id in the proof | 4 * glue + 2 * used + learned
///
/// The glue of a learned clause is the number of decision levels among its literals when it was
/// learned (Audemard and Simon, Predicting learnt clauses quality in modern SAT solvers, IJCAI
/// 2009): the fewer, the more useful. `used`: it took part in a conflict since the last clean-up.
class ClauseStore {
 public:
  ClauseRef add(std::uint32_t id, std::span<const SatLiteral> literals, bool learned,
                std::uint32_t glue);

  std::uint32_t size(ClauseRef clause) const { return words_[clause]; }
  std::uint32_t id(ClauseRef clause) const { return words_[clause + 1]; }
  bool learned(ClauseRef clause) const { return (words_[clause + 2] & learned_bit) != 0; }
  bool used(ClauseRef clause) const { return (words_[clause + 2] & used_bit) != 0; }
  std::uint32_t glue(ClauseRef clause) const { return words_[clause + 2] >> glue_shift; }

  void set_used(ClauseRef clause) { words_[clause + 2] |= used_bit; }
  void clear_used(ClauseRef clause) { words_[clause + 2] &= ~used_bit; }

  /// The codes of its literals; valid until the next add(). The watched literals come first.
  std::span<std::uint32_t> codes(ClauseRef clause) {
    return {words_.data() + clause + header, size(clause)};
  }
  std::span<const std::uint32_t> codes(ClauseRef clause) const {
    return {words_.data() + clause + header, size(clause)};
  }

  /// Marks a clause as gone. It stays readable until compact().
  void remove(ClauseRef clause) { words_[clause + 2] = removed; }
  /// Closes the gaps. After it, moved() says where a clause of before is now, or no_clause if it
  /// was removed; until forget_moves().
  void compact();
  ClauseRef moved(ClauseRef before) const { return old_words_[before]; }
  void forget_moves();

 private:
  static constexpr std::size_t header = 3;
  static constexpr std::uint32_t learned_bit = 1;
  static constexpr std::uint32_t used_bit = 2;
  static constexpr std::uint32_t glue_shift = 2;
  static constexpr std::uint32_t removed = 0xFFFFFFFF;

  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> old_words_;  ///< of before compact(), each clause's new place first
};

}  // namespace isoscope
