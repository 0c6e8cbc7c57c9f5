#include "verifier/levels.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "isoscope/base/contract.h"

namespace isoscope::verifier {

namespace {

using enum LevelId;
using enum Shape;

// clang-format off
constexpr std::array<Rules, level_count> table = {{
    {.level = valid_reads, .shape = single_reads},
    {.level = read_uncommitted, .shape = dirty},
    {.level = cut_isolation, .shape = single_reads, .repeats = true},
    {.level = read_your_writes, .shape = versions, .whole = "s"},
    {.level = monotonic_reads, .shape = versions, .whole = "rs", .by_version = true},
    {.level = monotonic_writes_per_key, .shape = versions, .keeps_order = true},
    {.level = writes_follow_reads_per_key, .shape = versions, .follows = true},
    {.level = monotonic_writes, .shape = versions, .whole = "sr", .own = OwnReads::by_then,
     .keeps_order = true},
    {.level = writes_follow_reads, .shape = versions, .inner = "sr", .last = "r",
     .own = OwnReads::by_then, .by_version = true, .follows = true},
    {.level = pram, .shape = versions, .whole = "s rs sr srs", .own = OwnReads::by_then,
     .by_version = true, .keeps_order = true},
    {.level = adya_read_committed, .shape = commits},
    {.level = session_causal, .shape = commits, .inner = "sr", .last = "sr",
     .own = OwnReads::by_then, .by_version = true},
    {.level = cursor_stability, .shape = commits, .last = "w",
     .overwritten = Overwritten::key_read, .looks = Looks::items},
    {.level = monotonic_atomic_view, .shape = commits, .last = "r", .own = OwnReads::earlier,
     .looks = Looks::items},
    {.level = read_committed, .shape = commits, .last = "r", .own = OwnReads::earlier},
    {.level = monotonic_view, .shape = commits, .inner = "srw", .last = "srw",
     .own = OwnReads::by_then, .overwritten = Overwritten::written_before},
    {.level = monotonic_snapshot_read, .shape = commits, .inner = "o", .last = "sr",
     .own = OwnReads::same_operation},
    {.level = repeatable_read, .shape = commits, .last = "o", .looks = Looks::items,
     .repeats = true},
    {.level = read_atomic, .shape = commits, .last = "sr", .repeats = true},
    {.level = update_atomic, .shape = commits, .last = "srw", .repeats = true},
    {.level = causal, .shape = commits, .inner = "sr", .last = "sr", .repeats = true},
    {.level = prefix_consistency, .shape = moments, .inner = "o", .last = "sr", .repeats = true},
    {.level = parallel_snapshot_isolation, .shape = commits, .inner = "srw", .last = "srw",
     .repeats = true},
    {.level = snapshot_isolation, .shape = moments, .inner = "o", .last = "srw", .repeats = true,
     .one_writer = true},
    {.level = update_serializable, .shape = commits, .inner = "srwa", .last = "srwa",
     .repeats = true},
    {.level = serializable, .shape = moments, .last = "o", .repeats = true},
    {.level = strong_read_uncommitted, .shape = dirty},
    {.level = strong_adya_read_committed, .shape = commits},
    {.level = strong_read_committed, .shape = commits, .last = "r", .own = OwnReads::earlier},
    {.level = strong_snapshot_isolation, .shape = moments, .inner = "o", .last = "srw",
     .repeats = true, .one_writer = true},
    {.level = strict_serializable, .shape = moments, .last = "o", .repeats = true},
}};
// clang-format on

constexpr Rules rules_of_recorded = {.level = recorded, .shape = commits};

}  // namespace

bool Rules::counts(std::string_view path) const {
  if (path.empty()) return false;
  for (std::string_view left = whole; !left.empty();) {
    const std::string_view one = left.substr(0, left.find(' '));
    if (one == path) return true;
    left.remove_prefix(std::min(one.size() + 1, left.size()));
  }
  const std::string_view before = path.substr(0, path.size() - 1);
  if (last.find(path.back()) == last.npos) return false;
  if (inner == "o" && before.size() > 1) return false;
  // Only what a session wrote is known to it by its writing, if versions are.
  if (by_version && path == "r") return false;
  if (by_version && last == "r" && path.front() != 'r') return false;
  return before.find_first_not_of(inner) == before.npos;
}

const Rules& rules_of(Level level) {
  if (level.id == recorded) return rules_of_recorded;
  const LevelId id = is_vacuous(level) ? valid_reads : level.id;
  const auto row = std::ranges::find(table, id, &Rules::level);
  ISOSCOPE_ENSURE(row != table.end());
  return *row;
}

const Rules& rules_of(Level claim, const History& history, TransactionId reader) {
  if (claim.id != recorded) return rules_of(claim);
  const auto level = history.recorded_level(reader);
  if (!level) return rules_of_recorded;  // it aborted: require_levels()
  return rules_of(Level{*level, claim.session_order});
}

bool keeps_real_time(Level claim, const History& history, TransactionId t) {
  const auto level = claim.id == recorded ? history.recorded_level(t) : std::optional(claim.id);
  return level && entry_of(*level).kind == LevelKind::real_time;
}

Status require_levels(Level claim, const History& history) {
  if (claim.id != recorded) return Done{};
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::aborted) continue;
    const auto level = history.recorded_level(t);
    const std::string who = "transaction " + std::to_string(t.index() + 1);
    if (!level) return Error{who + " does not say at which level it ran"};
    const Shape shape = rules_of(Level{*level}).shape;
    const bool is_mixed = (shape == commits || shape == moments) && *level != update_serializable &&
                          *level != strong_snapshot_isolation;
    if (!is_mixed) return Error{who + " ran at a level that is not mixed with others"};
  }
  return Done{};
}

}  // namespace isoscope::verifier
