#include "verifier/event_places.h"

#include <algorithm>
#include <optional>

#include "isoscope/base/contract.h"
#include "verifier/levels.h"

namespace isoscope::verifier {

std::string text_of(Event event) {
  const std::string number = std::to_string(event.transaction);
  if (event.is_version()) return "v" + number + "." + std::to_string(event.key);
  return (event.is_commit ? "c" : "b") + number;
}

std::string text_of(TransactionId t) { return "transaction " + std::to_string(number_of(t)); }

Status EventPlaces::place() {
  ISOSCOPE_REQUIRE(taken_.size() == history_.transaction_count());  // choose() comes first
  ISOSCOPE_TRY_STATUS(place_events());
  if (certificate_.level.session_order) ISOSCOPE_TRY_STATUS(check_sessions());
  return check_times();
}

Status EventPlaces::choose() {
  ISOSCOPE_REQUIRE(taken_.empty());  // to be called once
  for (const TransactionId t : history_.transactions()) {
    taken_.push_back(history_.outcome(t) == Outcome::committed);
  }
  std::uint32_t last = 0;
  for (const std::uint32_t t : certificate_.committed) {
    if (t <= last) return Error{"the transactions taken as committed are not ascending"};
    if (t > taken_.size() || history_.outcome(TransactionId(t - 1)) != Outcome::indeterminate) {
      return Error{"transaction " + std::to_string(t) + " is not indeterminate"};
    }
    taken_[t - 1] = true;
    last = t;
  }
  return Done{};
}

Status EventPlaces::place_events() {
  const bool one_event = has_one_event(certificate_.level.id);
  begins_.assign(taken_.size(), 0);
  commits_.assign(taken_.size(), 0);
  std::size_t place = 0;
  for (const Event event : certificate_.order) {
    if (event.transaction == 0 || event.transaction > taken_.size() ||
        !taken_[event.transaction - 1] || event.is_version() || (one_event && !event.is_commit)) {
      return Error{"event " + text_of(event) + " does not belong to the order"};
    }
    std::size_t& its = (event.is_commit ? commits_ : begins_)[event.transaction - 1];
    if (its != 0) return Error{"event " + text_of(event) + " is there twice"};
    its = ++place;
  }
  if (one_event) begins_ = commits_;
  for (const TransactionId t : history_.transactions()) {
    if (!taken_[t.index()]) continue;
    if (begins_[t.index()] == 0 || commits_[t.index()] == 0) {
      return Error{text_of(t) + " is missing in the order"};
    }
    if (begins_[t.index()] > commits_[t.index()]) {
      return Error{text_of(t) + " commits before it begins"};
    }
  }
  return Done{};
}

Status EventPlaces::require_before(TransactionId first, TransactionId second,
                                   const char* why) const {
  ISOSCOPE_REQUIRE(commits_[first.index()] != 0 && begins_[second.index()] != 0);
  if (commits_[first.index()] < begins_[second.index()]) return Done{};
  return Error{text_of(second) + " must come after " + std::to_string(number_of(first)) + why};
}

Status EventPlaces::check_sessions() const {
  for (const SessionId session : history_.sessions()) {
    std::optional<TransactionId> before;
    for (const TransactionId t : history_.session(session)) {
      if (taken_[t.index()] && before) {
        ISOSCOPE_TRY_STATUS(require_before(*before, t, " of its session"));
      }
      // Nothing is known to come after a transaction of unknown outcome.
      if (history_.outcome(t) == Outcome::committed) before = t;
      if (history_.outcome(t) == Outcome::indeterminate && certificate_.indeterminate_cuts) {
        before.reset();
      }
    }
  }
  return Done{};
}

/// It is enough to compare a transaction with one of those that ended before it began: the last
/// of them in the order.
Status EventPlaces::check_times() const {
  std::vector<TransactionId> timed;  // those that come after what had ended
  for (const TransactionId t : history_.transactions()) {
    const bool is_timed = keeps_real_time(certificate_.level, history_, t);
    if (is_timed && taken_[t.index()] && history_.begin_time(t)) timed.push_back(t);
  }
  if (timed.empty()) return Done{};
  std::vector<TransactionId> ended;
  for (const TransactionId t : history_.transactions()) {
    if (history_.outcome(t) == Outcome::committed && history_.end_time(t)) ended.push_back(t);
  }
  ISOSCOPE_REQUIRE(certificate_.clock_skew >= 0);  // or more would be ordered than clocks say
  std::ranges::sort(ended, {}, [&](TransactionId t) { return *history_.end_time(t); });
  std::vector<TransactionId> last = ended;
  for (std::size_t i = 1; i < last.size(); ++i) {
    if (commits_[last[i].index()] < commits_[last[i - 1].index()]) last[i] = last[i - 1];
  }
  for (const TransactionId t : timed) {
    const std::int64_t begin = *history_.begin_time(t);
    __extension__ using Wide = __int128;
    const auto first_later = std::ranges::partition_point(ended, [&](TransactionId other) {
      return Wide{*history_.end_time(other)} + certificate_.clock_skew < Wide{begin};
    });
    if (first_later == ended.begin()) continue;
    const TransactionId latest = last[static_cast<std::size_t>(first_later - ended.begin()) - 1];
    ISOSCOPE_TRY_STATUS(require_before(latest, t, ", which had ended when it began"));
  }
  return Done{};
}

}  // namespace isoscope::verifier
