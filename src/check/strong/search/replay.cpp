#include "check/strong/search/replay.h"

#include <utility>

#include "check/strong/saturation/saturation_prefetcher.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// Rows are prefetched this many events ahead.
constexpr std::size_t far_ahead = 8;

}  // namespace

Execution::Execution(const OrderProblem& problem) : p_(problem), current_(problem.key_count()) {
  for (const KeyId key : p_.keys()) current_[key] = p_.initial_version(key);
  if (!p_.rules.writers_conflict) return;
  committed_at_.assign(p_.versions.size(), 0);
  begun_at_.assign(p_.size(), 0);
}

void Execution::begin(Txn t) {
  for (const ReadId r : p_.reads_of(t)) {
    if (!p_.fits(p_.reads[r], current_[p_.reads[r].key])) misfits_.wrong_reads.push_back(r);
  }
  if (p_.rules.writers_conflict) begun_at_[t] = ++events_;
}

void Execution::commit(Txn t) {
  ISOSCOPE_REQUIRE(!p_.rules.writers_conflict || begun_at_[t] != 0);
  if (p_.rules.writers_conflict) ++events_;
  for (const VersionId version : p_.writes_of(t)) {
    VersionId& latest = current_[p_.versions[version].key];
    if (p_.rules.writers_conflict) {
      if (committed_at_[latest] > begun_at_[t]) misfits_.overlaps.push_back({latest, version});
      committed_at_[version] = events_;
    }
    latest = version;
  }
}

Misfits replay(const OrderProblem& p, std::span<const std::uint32_t> order,
               const std::vector<std::uint8_t>& takes_part) {
  ISOSCOPE_REQUIRE(takes_part.size() == p.size());
  ISOSCOPE_REQUIRE(order.size() <= p.node_count());
  Execution execution(p);
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    if (place + far_ahead < order.size() && !p.is_time(order[place + far_ahead])) {
      prefetch_rows(p, p.transaction_of(order[place + far_ahead]));
    }
    const std::uint32_t event = order[place];
    if (p.is_time(event)) continue;
    const Txn t = p.transaction_of(event);
    if (t == 0 || takes_part[t] == 0) continue;
    if (event == p.begin(t)) execution.begin(t);
    if (event == p.commit(t)) execution.commit(t);
  }
  return std::move(execution.misfits());
}

}  // namespace isoscope::strong
