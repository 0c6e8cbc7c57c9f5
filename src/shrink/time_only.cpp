#include "shrink/time_only.h"

#include <algorithm>

#include "isoscope/check/several_levels.h"

namespace isoscope::shrinking {

bool sees_all_before(Level level) {
  return level.id == LevelId::strong_snapshot_isolation || level.id == LevelId::strict_serializable;
}

bool TimeOnly::holds(const Part& part, const History& made, const CheckOptions& options) const {
  constexpr Level others[] = {{LevelId::serializable}, {LevelId::strong_read_committed}};
  const std::vector<Verdict> verdicts = check_levels(made, others, {.each = options});
  if (verdicts[0].answer != Answer::holds) return false;
  return verdicts[1].answer == Answer::holds || other_sources_fit(part);
}

bool TimeOnly::other_sources_fit(const Part& part) const {
  const History& history = plain_.history();
  return std::ranges::all_of(part, [&](const KeptTransaction& kept) {
    std::size_t reads = 0;
    bool lost = false;
    bool fits = true;
    for (const KeptOperation& one : kept.operations) {
      const Operation& operation = history.operations(kept.id)[one.place];
      if (operation.is_item_write()) continue;
      ++reads;
      if (operation.is_predicate()) {
        reads += 1;  // of all the rows of its table
        lost = lost || std::ranges::any_of(one.looked, [&](KeyId key) {
                 return !plain_.needs().is_met(part, kept.id, one.place, key);
               });
      } else if (!plain_.needs().is_met(part, kept.id, one.place, operation.key())) {
        lost = true;
        fits = fits && has_source_before(part, kept.id, one.place);
      }
    }
    return !lost || (reads == 1 && fits);
  });
}

bool TimeOnly::has_source_before(const Part& part, TransactionId t, std::uint32_t place) const {
  const History& history = plain_.history();
  const Operation& read = history.operations(t)[place];
  const auto initial = history.initial_value(read.key());
  if (initial &&
      WriteIndex::without_empty_list(*initial) == WriteIndex::without_empty_list(read.value())) {
    return true;
  }
  const Needs needs = plain_.needs().of(t, place, read.key());
  return std::ranges::any_of(needs.all, [&](const WriteAt& source) {
    return keeps(history, part, source) && times_.is_before(source.transaction, t);
  });
}

}  // namespace isoscope::shrinking
