#pragma once

#include <cstdint>
#include <optional>

#include "check/strong/problem/order_problem.h"
#include "isoscope/base/open_table.h"

namespace isoscope::strong {

/// The variables of choices that are about two things each, such as two versions.
///
/// Hard histories have millions of choices. With a node for each, freeing them took a fifth of the
/// time of the search.
class ChoiceTable {
 public:
  /// The place of the pair's variable, which holds `none` if the pair is new. It is valid until the
  /// next call.
  template <class First, class Second>
  std::uint32_t& at(Id<First> first, Id<Second> second) {
    return table_[pair_of(first, second)].number;
  }

  template <class First, class Second>
  std::optional<std::uint32_t> find(Id<First> first, Id<Second> second) const {
    const Variable* found = table_.find(pair_of(first, second));
    return found == nullptr ? std::nullopt : std::optional(found->number);
  }

 private:
  static constexpr std::uint64_t no_pair = ~std::uint64_t{0};  // no two things have this number
  struct Variable {
    std::uint32_t number = none;
  };

  template <class First, class Second>
  static std::uint64_t pair_of(Id<First> first, Id<Second> second) {
    return std::uint64_t{first.value} << 32 | second.value;
  }

  OpenTable<std::uint64_t, no_pair, Variable> table_{32};
};

}  // namespace isoscope::strong
