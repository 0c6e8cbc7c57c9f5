#include "check/updates.h"

#include "isoscope/history/litmus_text.h"

namespace isoscope {

namespace {

/// Levels at which nothing is said about an order of versions.
bool orders_no_versions(Level level) {
  return is_vacuous(level) || level.id == LevelId::valid_reads ||
         level.id == LevelId::cut_isolation || level.id == LevelId::read_uncommitted ||
         level.id == LevelId::strong_read_uncommitted;
}

/// Levels at which a transaction that reads a key and writes it overwrites the version it has read.
bool keeps_cursors(Level level) {
  return implies(level, Level{LevelId::cursor_stability, level.session_order});
}

template <class Visit>
void for_each_that_counts(const History& history, const Visit& visit) {
  if (!history.has_updates()) return;
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::aborted) continue;
    for (const Update& update : history.updates(t)) visit(t, update);
  }
}

}  // namespace

bool has_bases_to_order(const History& history, Level level) {
  if (!history.has_updates() || orders_no_versions(level) || keeps_cursors(level)) return false;
  bool found = false;
  for_each_that_counts(history,
                       [&](TransactionId, const Update& update) { found |= update.is_pair(); });
  return found;
}

std::string overlooked_update(const History& history) {
  std::string reason;
  for_each_that_counts(history, [&](TransactionId t, const Update& update) {
    if (!reason.empty() || !update.has_read()) return;
    const Operation& read = history.operations(t)[history.place_of(update, t)];
    if (read.value() != ValuePool::unreported) return;
    reason = update_text(history, update) + " of " + history.label(t);
    reason += update.is_refused() ? " was refused, and what was there was not reported"
                                  : " was applied to 0 or to nil, and the key has held both";
  });
  return reason;
}

}  // namespace isoscope
