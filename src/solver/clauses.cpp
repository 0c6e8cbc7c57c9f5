#include "solver/clauses.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

ClauseRef ClauseStore::add(std::uint32_t id, std::span<const SatLiteral> literals, bool learned,
                           std::uint32_t glue) {
  ISOSCOPE_REQUIRE(literals.size() >= 2);
  ISOSCOPE_ENSURE(words_.size() < no_clause - literals.size() - header);
  const auto clause = static_cast<ClauseRef>(words_.size());
  words_.push_back(static_cast<std::uint32_t>(literals.size()));
  words_.push_back(id);
  words_.push_back(glue << glue_shift | (learned ? learned_bit : 0));
  for (const SatLiteral literal : literals) {
    words_.push_back(literal.code());
  }
  return clause;
}

void ClauseStore::compact() {
  std::vector<std::uint32_t> kept;
  kept.reserve(words_.size());
  for (std::size_t clause = 0; clause < words_.size();) {
    const std::size_t end = clause + header + words_[clause];
    if (words_[clause + 2] == removed) {
      words_[clause] = no_clause;
    } else {
      const auto place = static_cast<ClauseRef>(kept.size());
      kept.insert(kept.end(), words_.begin() + static_cast<std::ptrdiff_t>(clause),
                  words_.begin() + static_cast<std::ptrdiff_t>(end));
      words_[clause] = place;
    }
    clause = end;
  }
  old_words_ = std::move(words_);
  words_ = std::move(kept);
}

void ClauseStore::forget_moves() { old_words_ = {}; }

}  // namespace isoscope
