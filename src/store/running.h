#pragma once

#include <optional>
#include <vector>

#include "isoscope/history/value.h"
#include "store/footprint.h"
#include "store/locks.h"
#include "store/technique.h"
#include "store/view.h"

namespace isoscope {

/// Something that a transaction does to a key, kept aside until it commits.
struct Effect {
  KeyId key;
  bool appends = false;  ///< `value` is one more element of a list; otherwise it replaces all
  ValueId value;
  std::uint64_t when = 0;  ///< effects of all transactions are numbered
};

/// A transaction that has begun and not ended.
struct Running {
  bool active = false;
  std::size_t session = 0;
  Age age = 0;
  Sequence begin = 0;  ///< the last commit at its begin
  std::size_t replica = 0;
  bool read_only = false;                           ///< a follower serves it
  Technique::Check check = Technique::Check::none;  ///< what its commit has to pass
  View view = {};                                   ///< what it reads
  View believed = {};  ///< what the check at commit takes it to have read
  std::vector<Effect> effects = {};
  std::vector<Sequence> published = {};  ///< own writes that were let out too early
  Footprint footprint = {};
  std::vector<KeyId> locked_keys = {};
  std::vector<TableId> locked_tables = {};

  bool touches(KeyId key) const;
  /// Does the value it reads at the key come from itself alone?
  bool replaces(KeyId key) const;
  /// What its effects make of a value.
  ValueId applied_to(ValueId value, KeyId key, ValuePool& values) const;
  /// When it last touched the key; nothing: never.
  std::optional<std::uint64_t> last_touch(KeyId key) const;
};

}  // namespace isoscope
