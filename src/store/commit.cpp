#include <algorithm>

#include "isoscope/base/contract.h"
#include "store/engine.h"

namespace isoscope {

Store::Status Store::Engine::commit(std::size_t session) {
  Running& t = running_[session];
  ISOSCOPE_REQUIRE(t.active);
  t.footprint.writes = final_writes(t);
  if (!may_commit(t)) {
    abort(session);
    return Status::aborted;
  }
  install(t, !strikes(Bug::acknowledged_commit_lost));
  last_commit_[session] = now_;
  end(t);
  if (keeps_log_) forget_old_commits();
  return Status::done;
}

void Store::Engine::abort(std::size_t session) {
  Running& t = running_[session];
  ISOSCOPE_REQUIRE(t.active);
  if (!t.effects.empty() && strikes(Bug::aborted_write_visible)) {
    t.footprint = Footprint{.writes = final_writes(t)};
    install(t, true);
  }
  end(t);
}

/// Appends extend what is there at commit, so lists never lose an element, whatever the view.
std::vector<Footprint::Write> Store::Engine::final_writes(const Running& t) {
  std::vector<Footprint::Write> writes;
  for (const Effect& effect : t.effects) {
    if (std::ranges::find(writes, effect.key, &Footprint::Write::key) != writes.end()) continue;
    writes.push_back({effect.key, t.applied_to(versions_.latest(effect.key).value, effect.key,
                                               names_.values())});
  }
  return writes;
}

bool Store::Engine::first_committer(const Running& t) const {
  return std::ranges::all_of(t.footprint.writes, [&](const Footprint::Write& write) {
    const Sequence latest = versions_.latest(write.key).commit;
    return t.believed.sees(latest) || std::ranges::find(t.published, latest) != t.published.end();
  });
}

bool Store::Engine::may_commit(Running& t) {
  switch (t.check) {
    case Technique::Check::none:
      return true;
    case Technique::Check::first_committer_wins:
      return first_committer(t) || strikes(Bug::lost_update);
    case Technique::Check::no_pivot:
      return (first_committer(t) || strikes(Bug::lost_update)) &&
             (log_.has_no_pivot(t.footprint, t.believed.upto, !strikes(Bug::phantom_missed)) ||
              strikes(Bug::write_skew));
    case Technique::Check::reads_are_current: {
      if (t.read_only) return true;
      // Where reads return too old versions, only what changed since the begin is noticed.
      const bool too_old = has(Bug::stale_snapshot) || has(Bug::fractured_read);
      return log_.reads_are_current(t.footprint, {.past_begin = too_old ? t.begin : 0,
                                                  .written = !strikes(Bug::lost_update),
                                                  .unwritten = !strikes(Bug::read_skew),
                                                  .scans = !strikes(Bug::phantom_missed)});
    }
  }
  return false;
}

void Store::Engine::install(const Running& t, bool with_writes) {
  ++now_;
  committer_.push_back(static_cast<std::uint32_t>(t.session));
  if (with_writes) {
    for (const Footprint::Write& write : t.footprint.writes) {
      written_.push_back(write.key);
      latest_rows_.replace(write.key, versions_.latest(write.key).value, write.value);
      versions_.install(write.key, names_.key_table(write.key), {now_, write.value});
    }
  }
  written_from_.push_back(written_.size());
  if (has_replicas()) replicas_.commit(t.replica, now_, t.view);
  if (keeps_log_) log_.add(now_, {t.believed.upto, t.footprint});
}

void Store::Engine::end(Running& t) {
  for (const KeyId key : t.locked_keys) locks_.release(t.age, key);
  for (const TableId table : t.locked_tables) locks_.release(t.age, table);
  t.active = false;
  t.effects.clear();
}

void Store::Engine::forget_old_commits() {
  Sequence needed = now_ - static_cast<Sequence>(std::min<std::size_t>(now_, plan_.lag));
  for (const Running& t : running_) {
    if (t.active) needed = std::min({needed, t.begin, t.believed.upto});
  }
  log_.forget_up_to(needed);
}

}  // namespace isoscope
