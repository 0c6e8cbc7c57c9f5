#include "check/visible/rows.h"

namespace isoscope::visible {

namespace {

using enum LevelId;

/// docs/visible.md has this table in words, with its sources.
constexpr Row rows[] = {
    {.level = adya_read_committed, .looks = Looks::at_none},
    {.level = strong_adya_read_committed, .looks = Looks::at_none},
    {.level = monotonic_atomic_view,
     .looks = Looks::at_items,
     .sources = Sources::of_earlier_operations},
    {.level = read_committed, .sources = Sources::of_earlier_operations},
    {.level = strong_read_committed, .sources = Sources::of_earlier_operations},
    {.level = read_atomic, .session = true, .sources = Sources::all},
    {.level = update_atomic,
     .session = true,
     .sources = Sources::all,
     .overwritten = Overwritten::all},
    {.level = cursor_stability,
     .looks = Looks::at_overwritten_items,
     .overwritten = Overwritten::same_key},
    {.level = causal, .inner = Inner::causes, .session = true, .sources = Sources::all},
    {.level = session_causal,
     .inner = Inner::causes,
     .session = true,
     .sources = Sources::of_earlier_operations,
     .by_version = true},
    {.level = parallel_snapshot_isolation,
     .inner = Inner::dependencies,
     .session = true,
     .sources = Sources::all,
     .overwritten = Overwritten::all},
    {.level = monotonic_view,
     .inner = Inner::dependencies,
     .session = true,
     .sources = Sources::of_earlier_operations,
     .overwritten = Overwritten::of_earlier_operations},
    {.level = update_serializable,
     .inner = Inner::updates,
     .session = true,
     .sources = Sources::all,
     .overwritten = Overwritten::all,
     .everything = Everything::to_updates},
    {.level = monotonic_snapshot_read,
     .inner = Inner::prefix,
     .session = true,
     .sources = Sources::up_to_operation},
    {.level = prefix_consistency, .inner = Inner::prefix, .session = true, .sources = Sources::all},
    {.level = snapshot_isolation,
     .inner = Inner::prefix,
     .session = true,
     .sources = Sources::all,
     .overwritten = Overwritten::all},
    {.level = repeatable_read, .looks = Looks::at_items, .everything = Everything::to_all},
    {.level = serializable, .everything = Everything::to_all},
};

}  // namespace

std::optional<Row> row_of(LevelId level) {
  for (const Row& row : rows) {
    if (row.level == level) return row;
  }
  return std::nullopt;
}

}  // namespace isoscope::visible
