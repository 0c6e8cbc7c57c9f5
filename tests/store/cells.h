#pragma once

#include <vector>

#include "isoscope/store/store_kind.h"

namespace isoscope::test {

/// A cell of the matrix of stores: one store with one bug it can have, or none.
struct Cell {
  StoreKind store;
  Bug bug;
};

inline std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const StoreEntry& store : stores()) {
    for (const BugEntry& bug : bugs()) {
      if (can_have(store.kind, bug.bug)) all.push_back({store.kind, bug.bug});
    }
  }
  return all;
}

}  // namespace isoscope::test
