#include "check/direct/overwrites.h"

#include <algorithm>

namespace isoscope::direct {

Overwrites::Overwrites(const CertainReads& reads, const KnownOrder& order)
    : reads_(reads), order_(order) {
  const History& history = reads.history();
  next_starts_.assign(history.transaction_count() + 2, 0);
  for (Number t = 1; t <= history.transaction_count(); ++t) {
    next_starts_[t + 1] = next_starts_[t] + reads.written_by(t).size();
  }
  next_.assign(next_starts_.back(), 0);
  if (!order.has_sessions()) return;
  std::vector<Number> later(history.key_count(), 0);  // by key: who writes it, of any session
  for (const SessionId session : history.sessions()) {
    const auto its = history.session(session);
    for (auto t = its.rbegin(); t != its.rend(); ++t) {
      if (history.outcome(*t) == Outcome::aborted) continue;
      const auto keys = reads.written_by(number_of(*t));
      for (std::size_t i = 0; i < keys.size(); ++i) {
        Number& next = later[keys[i].index()];
        if (order.in_session(number_of(*t), next)) next_[next_starts_[number_of(*t)] + i] = next;
        next = number_of(*t);
      }
    }
  }
}

Newer Overwrites::newer(const CertainRead& read, Number other) const {
  if (read.source == 0) return Newer::initial;
  if (reads_.is_list(read.key)) return reads_.misses(read, other) ? Newer::list : Newer::no;
  const CertainRead* its = reads_.find(other, read.key);
  if (its != nullptr && its->source == read.source) return Newer::read_it;
  if (order_.in_session(read.source, other)) return Newer::in_session;
  return order_.in_time(read.source, other) ? Newer::in_time : Newer::no;
}

Number Overwrites::next_in_session(Number writer, KeyId key) const {
  if (writer == 0) return 0;
  const auto keys = reads_.written_by(writer);
  const auto at = std::ranges::lower_bound(keys, key);
  if (at == keys.end() || *at != key) return 0;
  return next_[next_starts_[writer] + static_cast<std::size_t>(at - keys.begin())];
}

void Overwrites::nearest(const CertainRead& read, std::vector<Number>& into) const {
  into.clear();
  const auto offer = [&](Number other) {
    if (into.size() < most_nearest && is_overwritten_by(read, other) &&
        std::ranges::find(into, other) == into.end()) {
      into.push_back(other);
    }
  };
  if (reads_.is_list(read.key)) {
    const auto later = reads_.appended_after(read);
    for (std::size_t i = 0; i < later.size() && i < most_nearest; ++i) offer(later[i]);
    return;
  }
  std::size_t looked_at = 0;
  for (const std::uint32_t i : reads_.of_version(read.key, read.source)) {
    if (++looked_at > 4 * most_nearest) break;
    offer(reads_.read(i).reader);
  }
  offer(next_in_session(read.source, read.key));
  if (read.source != 0) return;
  const auto writers = reads_.writers_of(read.key);
  for (std::size_t i = 0; i < writers.size() && i < most_nearest; ++i) offer(writers[i]);
}

}  // namespace isoscope::direct
