#include "check/strong/replay.h"

#include "check/strong/look_ahead.h"

namespace isoscope::strong {

namespace {

/// So many events ahead, rows are asked for.
constexpr std::size_t far_ahead = 8;

}  // namespace

Misfits replay(const Problem& p, std::span<const std::uint32_t> order,
               const std::vector<std::uint8_t>& takes_part) {
  Misfits misfits;
  std::vector<std::uint32_t> current(p.key_count());  // version by key
  for (std::uint32_t key = 0; key < current.size(); ++key) current[key] = p.initial_version(key);
  std::vector<std::uint32_t> committed_at;  // by version: its place
  std::vector<std::uint32_t> begun_at;      // by transaction
  if (!p.rules.one_event) {
    committed_at.assign(p.versions.size(), 0);
    begun_at.assign(p.size(), 0);
  }
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    if (place + far_ahead < order.size() && !p.is_time(order[place + far_ahead])) {
      prefetch_rows(p, p.transaction_of(order[place + far_ahead]));
    }
    const std::uint32_t event = order[place];
    if (p.is_time(event)) continue;
    const Txn t = p.transaction_of(event);
    if (t == 0 || takes_part[t] == 0) continue;
    if (event == p.begin(t)) {
      for (std::uint32_t r = p.read_starts[t]; r < p.read_starts[t + 1]; ++r) {
        if (!p.fits(p.reads[r], current[p.reads[r].key])) misfits.wrong_reads.push_back(r);
      }
      if (!p.rules.one_event) begun_at[t] = place + 1;
    }
    if (event != p.commit(t)) continue;
    for (const std::uint32_t version : p.writes_of(t)) {
      std::uint32_t& latest = current[p.versions[version].key];
      if (!p.rules.one_event) {
        if (committed_at[latest] > begun_at[t]) misfits.overlaps.push_back({latest, version});
        committed_at[version] = place + 1;
      }
      latest = version;
    }
  }
  return misfits;
}

}  // namespace isoscope::strong
