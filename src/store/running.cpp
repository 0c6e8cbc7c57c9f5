#include "store/running.h"

#include <algorithm>
#include <ranges>

namespace isoscope {

bool Running::touches(KeyId key) const { return last_touch(key).has_value(); }

bool Running::replaces(KeyId key) const {
  return std::ranges::any_of(effects, [&](const Effect& e) { return e.key == key && !e.appends; });
}

ValueId Running::applied_to(ValueId value, KeyId key, ValuePool& values) const {
  for (const Effect& effect : effects) {
    if (effect.key != key) continue;
    if (!effect.appends) {
      value = effect.value;
    } else {
      const bool is_list = values.kind(value) == ValueKind::list;
      value = values.list_with(is_list ? value : ValuePool::empty_list, effect.value);
    }
  }
  return value;
}

std::optional<std::uint64_t> Running::last_touch(KeyId key) const {
  for (const Effect& effect : std::views::reverse(effects)) {
    if (effect.key == key) return effect.when;
  }
  return std::nullopt;
}

}  // namespace isoscope
