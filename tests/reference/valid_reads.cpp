#include "reference/valid_reads.h"

#include <algorithm>

namespace isoscope::reference {
namespace {

using Read = Scenario::Read;

/// Does the read accept some version of the key, for some order of some of the others' versions?
/// `versions` are those that are chosen so far, in order.
bool accepts_some(const Scenario& scenario, const Read& read, std::vector<int> versions) {
  if (scenario.accepted(read, versions) != 0) return true;
  for (const int writer : scenario.writers(read.key)) {
    if (writer == read.reader || std::ranges::count(versions, writer) > 0) continue;
    versions.push_back(writer);
    if (accepts_some(scenario, read, versions)) return true;
    versions.pop_back();
  }
  return false;
}

// "Every read returns the transaction's own latest write of the key or, if there is none yet, the
// final write of another committed transaction." Biswas, Enea, OOPSLA 2019.
bool valid_reads(const Scenario& scenario) {
  return std::ranges::all_of(scenario.reads, [&](const Read& read) {
    return read.accepted ? *read.accepted != 0 : accepts_some(scenario, read, {0});
  });
}

// "Reads are valid, and all item reads of one key in a transaction, up to its own first write of
// the key, return the same version." Bailis et al., VLDB 2013. (What is the same version is the
// same value, and reads of the same value can have returned the same version.)
bool item_reads_repeat(const Scenario& scenario) {
  for (const Read& a : scenario.reads) {
    for (const Read& b : scenario.reads) {
      const bool same_key = a.reader == b.reader && a.key == b.key;
      if (!same_key || !a.item || !b.item) continue;
      if (a.update != nullptr || b.update != nullptr) {
        // What an update learned need not be a value.
        if ((*a.accepted & *b.accepted) == 0) return false;
      } else if (a.value != b.value) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

LevelSet valid_read_levels(const Scenario& scenario, LevelSet levels) {
  if (!scenario.consistent_inside || levels.empty() || !valid_reads(scenario)) return {};
  LevelSet result = levels;
  if (levels.has(LevelId::cut_isolation) && !item_reads_repeat(scenario)) {
    result.remove(LevelId::cut_isolation);
  }
  return result;
}

}  // namespace isoscope::reference
