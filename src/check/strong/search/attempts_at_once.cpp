#include <algorithm>
#include <chrono>

#include "check/strong/search/attempts.h"
#include "isoscope/base/contract.h"

// Here attempts run side by side. Each thread takes the next turn that no other has taken, so there
// may be more attempts than threads, and the search over frontiers, which takes turns with the
// solver otherwise, is an attempt of its own. One more thread only watches the limits; attempts
// have limits of their own, by which the first one that decides the question stops the others.

namespace isoscope::strong {

namespace {

/// How often limits are looked at.
constexpr std::chrono::milliseconds watch_period(10);

}  // namespace

/// Attempts do not race within a limit of memory: how much an attempt takes, and whether it stops,
/// would depend on what the others have taken until then. They do not race with a limit of
/// conflicts: what is decided within it would depend on which thread is quick.
bool Attempts::may_race() const {
  const CheckOptions& options = case_.options;
  return options.strong.race && most_conflicts_ == 0 && Workers(options.threads).threads() > 1 &&
         !options.limits.get().memory_left();
}

/// False if there is but one attempt.
bool Attempts::start_race() {
  // The search over frontiers comes right behind the solver's, as in their turns.
  std::deque<Entry> apart;
  for (Entry& entry : entries_) {
    apart.push_back(std::move(entry));
    Entry& one = apart.back();
    const bool takes_turns = has_frontiers(case_, one.question) && !one.question.is_piece() &&
                             case_.options.strong.frontiers == StrongTechniques::When::turns;
    if (one.is_out || !takes_turns) continue;
    one.searches = Searches::repair;
    if (one.attempt && one.attempt->frontiers_are_over()) continue;
    apart.push_back({.question = Question(one.question), .searches = Searches::frontiers});
  }
  entries_ = std::move(apart);
  is_race_ = std::ranges::count(entries_, false, &Entry::is_out) > 1;
  for (Entry& entry : entries_) {
    if (entry.attempt) entry.attempt->use(means_of(entry));
  }
  return is_race_;
}

void Attempts::race() {
  ISOSCOPE_REQUIRE(is_race_);
  // One more than there are attempts, for a piece.
  threads_ = std::min<std::size_t>(Workers(case_.options.threads).threads(), entries_.size() + 1);
  Workers(static_cast<unsigned>(threads_) + 1).run(threads_ + 1, [&](std::size_t part) {
    part == 0 ? watch_limits() : take_turns();
  });
}

void Attempts::take_turns() {
  Lock lock(mutex_);
  while (!is_over_) {
    if (Entry* entry = next()) {
      take_turn(*entry, lock);
    } else {
      changed_.wait(lock);
    }
  }
}

void Attempts::watch_limits() {
  Lock lock(mutex_);
  const Limits& limits = case_.options.limits;
  while (!is_over_) {
    stop_reason_ = limits.reached_now();
    if (stop_reason_) return end();
    changed_.wait_for(lock, watch_period);
  }
}

}  // namespace isoscope::strong
