#include "check/direct/overwrites.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::direct {

Overwrites::Overwrites(const CertainReads& reads, const KnownOrder& order)
    : reads_(reads), order_(order) {
  const History& history = reads.history();
  next_.assign(reads.version_count(), 0);
  if (!order.has_sessions()) return;
  std::vector<Number> later(history.key_count(), 0);  // by key: its writer, of any session
  for (const SessionId session : history.sessions()) {
    const auto its = history.session(session);
    for (auto t = its.rbegin(); t != its.rend(); ++t) {
      std::uint32_t version = reads.first_version(number_of(*t));
      for (const auto& [key, value, writer] : reads.written_by(number_of(*t))) {
        Number& next = later[key.index()];
        if (order.in_session(writer, next)) next_[version] = next;
        if (history.outcome(*t) == Outcome::committed) next = writer;
        ++version;
      }
    }
  }
}

Newer Overwrites::newer(const CertainRead& read, Number other) const {
  ISOSCOPE_REQUIRE(other != read.reader && other != read.source && reads_.is_committed(other));
  if (read.source == 0) return Newer::initial;
  if (reads_.is_list(read.key)) return reads_.misses(read, other) ? Newer::list : Newer::no;
  if (std::ranges::binary_search(reads_.updates_of(read.version), other, {},
                                 &CertainReads::Update::reader)) {
    return Newer::read_it;
  }
  if (order_.in_session(read.source, other)) return Newer::in_session;
  return order_.in_time(read.source, other) ? Newer::in_time : Newer::no;
}

void Overwrites::nearest(const CertainRead& read, std::vector<Number>& into) const {
  ISOSCOPE_REQUIRE(read.version < next_.size());
  const std::size_t first = into.size();
  const auto offer = [&](Number other) {
    const auto offered = std::span(into).subspan(first);
    if (offered.size() < most_nearest && other != read.reader && other != read.source &&
        std::ranges::find(offered, other) == offered.end()) {
      into.push_back(other);
    }
  };
  if (reads_.is_list(read.key)) {
    const auto later = reads_.appended_after(read);
    for (std::size_t i = 0; i < later.size() && i < most_nearest; ++i) {
      if (reads_.is_committed(later[i])) offer(later[i]);
    }
    return;
  }
  // The reader itself may be one of them.
  const auto updates = reads_.updates_of(read.version);
  for (std::size_t i = 0; i < updates.size() && i <= most_nearest; ++i) offer(updates[i].reader);
  if (next_[read.version] != 0) offer(next_[read.version]);
  if (read.source != 0) return;
  const auto writers = reads_.writers_of(read.key);
  for (std::size_t i = 0; i < writers.size() && i < most_nearest; ++i) offer(writers[i]);
}

void ReaderInView::look_at(Number reader) {
  reader_ = reader;
  newer_.clear();
  starts_.clear();
  for (const CertainRead& read : reads()) {
    starts_.push_back(newer_.size());
    overwrites_.nearest(read, newer_);
  }
  starts_.push_back(newer_.size());
  ISOSCOPE_ENSURE(newer_.size() <= reads().size() * Overwrites::most_nearest);
}

}  // namespace isoscope::direct
