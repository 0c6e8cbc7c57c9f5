#include <algorithm>

#include "store/engine.h"

namespace isoscope {

void Store::Engine::begin(std::size_t session) {
  Running& t = running_[session];
  t = Running{};
  t.active = true;
  t.session = session;
  t.age = next_age_++;
  t.begin = now_;
  t.replica = session % Replicas::count;
  t.check = technique_.check;
  if (has_replicas()) replicas_.deliver(random_, plan_.lag);
  if (at_replica_[session]) {
    if (strikes(Bug::session_order_broken)) t.replica = random_.below(Replicas::count);
    t.view = replicas_.view_at(t.replica, now_);
  } else {
    t.view = usual_view(session);
  }
  t.believed = t.view;
  go_wrong_at_begin(session, t);
}

View Store::Engine::usual_view(std::size_t session) {
  switch (technique_.reads) {
    case Technique::Reads::newest:
    case Technique::Reads::latest:
    case Technique::Reads::replica:
      break;
    case Technique::Reads::snapshot:
      return View{.upto = now_};
    case Technique::Reads::older_snapshot:
      return View{.upto = older_state(last_commit_[session])};
    case Technique::Reads::some_of_latest:
      return View{.upto = now_, .hidden = some_latest_commits(session, false)};
  }
  return View{};
}

Sequence Store::Engine::older_state(Sequence at_least) {
  const auto back = static_cast<Sequence>(random_.below(plan_.lag + 1));
  return std::max(at_least, now_ - std::min(now_, back));
}

std::vector<Sequence> Store::Engine::some_latest_commits(std::size_t session, bool own_ones_too) {
  std::vector<Sequence> some;
  const auto back = static_cast<Sequence>(std::min<std::size_t>(now_, plan_.lag));
  for (Sequence commit = now_ - back + 1; commit <= now_; ++commit) {
    if (random_.chance(50) && (own_ones_too || committer_[commit] != session)) {
      some.push_back(commit);
    }
  }
  return some;
}

void Store::Engine::go_wrong_at_begin(std::size_t session, Running& t) {
  const bool latest = technique_.reads == Technique::Reads::latest;
  if (latest && strikes(Bug::write_skew)) {
    t.view = t.believed = View{.upto = now_};
    t.check = Technique::Check::first_committer_wins;
  }
  if (strikes(Bug::fractured_read)) t.view.torn = some_latest_commits(session, false);
  if (strikes(Bug::stale_snapshot) && plan_.kind != StoreKind::read_committed) {
    t.believed = View{.upto = latest ? end_of_time : now_};
    t.view = View{.upto = older_state(last_commit_[session])};
  }
  // A view that is behind is at least consistent: commits are checked against it, and where there
  // is nothing to check them with, a follower that does not take writes answers.
  const bool forgets_session =
      technique_.reads != Technique::Reads::replica && strikes(Bug::session_order_broken);
  if (forgets_session && technique_.reads == Technique::Reads::some_of_latest) {
    t.view.hidden = some_latest_commits(session, true);
    t.believed = t.view;
  } else if (forgets_session || strikes(Bug::real_time_order_broken)) {
    t.view = View{.upto = older_state(forgets_session ? 0 : last_commit_[session])};
    t.believed = t.view;
    t.read_only = latest;
  }
}

}  // namespace isoscope
