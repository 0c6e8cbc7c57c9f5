#pragma once

#include <span>
#include <vector>

#include "store/view.h"

namespace isoscope {

/// What a commit left at a key. Sequence 0: the initial version.
struct Version {
  Sequence commit = 0;
  ValueId value = ValuePool::nil;
};

/// Every committed version of every key. None is ever dropped, so that any view can be served; a
/// version costs 8 bytes.
class Versions {
 public:
  /// `initial` is what a key holds if nothing else is said about it.
  explicit Versions(ValueId initial) : initial_(initial) {}

  /// Before any install().
  void start_with(KeyId key, TableId table, ValueId value);
  /// Commits come in order.
  void install(KeyId key, TableId table, Version version);

  Version latest(KeyId key) const;
  /// The last one that the view sees.
  Version seen(const View& view, KeyId key) const;
  /// The oldest first.
  std::span<const Version> of(KeyId key) const;

  /// The keys of a table that ever held a row, in the order of their first.
  std::span<const KeyId> keys_of(TableId table) const;

 private:
  std::vector<Version>& entry(KeyId key, TableId table);

  ValueId initial_;
  std::vector<std::vector<Version>> by_key_;  // oldest first
  std::vector<std::vector<KeyId>> by_table_;
};

}  // namespace isoscope
