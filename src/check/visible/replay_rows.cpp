#include "check/visible/sweep.h"
#include "isoscope/base/contract.h"

// Reads of rows that predicates did not return.

namespace isoscope::visible {

/// The source of a read of a row that is not made: the last writer that is visible to it anyway.
/// Where nobody looks at reads of rows, the initial version makes nothing else visible.
Txn Replay::Sweep::last_visible_row(Txn t, const Row& row, const PredicateOperation& operation,
                                    KeyId key) {
  if (row.looks != Looks::at_all || past_.writers(key).empty()) return 0;
  for (;;) {
    const Txn last = last_visible(t, row, operation.operation, key, since_);
    if (last != 0 || since_ <= 1) return last;
    // Mostly the last writer was not long ago, so the search goes back step by step.
    const std::uint32_t so_far = e_.place[t] - since_;
    begin_search(e_.place[t] > 8 * so_far ? e_.place[t] - 8 * so_far : 1);
  }
}

void Replay::Sweep::begin_rows(Txn t) {
  constexpr std::uint32_t first_step = 64;
  const bool goes_step_by_step = !past_.has_clocks() && e_.place[t] > first_step;
  begin_search(goes_step_by_step ? e_.place[t] - first_step : 1);
}

/// A read of a row fits without being made if its source is a candidate.
void Replay::Sweep::judge_rows(Txn t) {
  const Row& row = replay_.row_of_(t);
  begin_rows(t);
  for (const PredicateOperation& operation : replay_.rows_.operations(t)) {
    replay_.rows_.for_each_unmade(operation, [&](KeyId key, std::uint32_t set) {
      const Txn source = last_visible_row(t, row, operation, key);
      ISOSCOPE_ENSURE(source != t);
      if (replay_.rows_.is_candidate(set, source)) return;
      to_make_.push_back({t, &operation, key, set});
    });
  }
}

bool Replay::Sweep::tell_rows(const TellRow& tell, std::size_t most) {
  std::size_t count = 0;
  for (const Txn t : e_.order) {
    if (e_.takes_part[t] == 0) continue;
    choose_sources(t);
    begin_rows(t);
    for (const PredicateOperation& operation : replay_.rows_.operations(t)) {
      replay_.rows_.for_each_unmade_row(operation, [&](KeyId key, std::uint32_t set) {
        if (++count > most) return;
        const Txn source = last_visible_row(t, replay_.row_of_(t), operation, key);
        const Read read{.reader = t, .key = key, .set = set};
        if (source != latest_candidate(read)) tell(t, operation.operation, key, source);
      });
      if (count > most || replay_.limits_.reached(1)) return false;
    }
    happen(t);
  }
  return true;
}

}  // namespace isoscope::visible
