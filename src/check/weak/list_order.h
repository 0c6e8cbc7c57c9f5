#pragma once

#include <span>
#include <vector>

#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// A list that was read, without the reader's own appends.
struct ListSeen {
  KeyId key;
  ValueId list;
};

/// Which appends to lists come before which. A list that was read shows the order of its elements,
/// and what it does not show was appended later. If two lists contradict each other, the edges have
/// a cycle.
///
/// `numbers`: by TransactionId. Cost: linear in the elements of distinct lists, if all lists of a
/// key are beginnings of the longest one. Each list that is not costs a look at all appends to the
/// key.
std::vector<KnownEdge> list_order(const History& history, const WrittenValues& written,
                                  std::vector<ListSeen> lists, std::span<const Txn> numbers);

}  // namespace isoscope::weak
