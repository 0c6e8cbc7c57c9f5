#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// What lists say that were read, looked up in the history.
std::vector<ValueId> list_read(const KnownSources& sources, std::uint32_t read);
/// Whether the list that was read shows that `from` appended before `to`, or shows only `from`.
bool shows_order(const KnownSources& sources, std::uint32_t read, Txn from, Txn to);

/// Why indeterminate transactions are known to have committed: a committed one read from them, or
/// another one of which that is known.
class CertainCommits {
 public:
  /// `sources` must outlive the object.
  explicit CertainCommits(const KnownSources& sources) : sources_(sources) {}

  struct Reason {
    std::uint32_t read = 0;
    bool is_member = false;  ///< of the list that was read; otherwise the read is from it
  };
  /// The reason for an indeterminate transaction. The reader's own commit has a reason that does
  /// not rest on this one.
  Reason reason(Txn t);

 private:
  void find_reasons();
  void look_at(std::uint32_t read);
  void add(Txn t, Reason reason);

  const KnownSources& sources_;
  bool is_done_ = false;
  std::unordered_map<Txn, Reason> reasons_;
  std::vector<Txn> to_look_at_;
  std::unordered_map<std::uint64_t, Txn> appenders_;   // by key and element; indeterminate ones
  std::unordered_set<std::uint64_t> lists_looked_at_;  // by key and list
};

}  // namespace isoscope::weak
