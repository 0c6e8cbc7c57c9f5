#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace isoscope::reference {

/// How three transactions are spread over sessions: the order in which they are listed, and the
/// session of each. For tests that enumerate small histories.
struct Sessions {
  static constexpr int transactions = 3;

  std::array<int, transactions> order;
  std::array<int, transactions> session;
};

/// All ways that differ: each in its own session, all in one, or two in one.
inline std::vector<Sessions> all_sessions() {
  std::vector<Sessions> all = {{{0, 1, 2}, {0, 1, 2}}};
  std::array<int, Sessions::transactions> order = {0, 1, 2};
  do {
    all.push_back({order, {0, 0, 0}});
    Sessions pair{order, {}};
    pair.session[order[2]] = 1;
    all.push_back(pair);
  } while (std::ranges::next_permutation(order).found);
  return all;
}

}  // namespace isoscope::reference
