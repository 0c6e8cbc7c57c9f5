#include "check/visible/past.h"

#include "isoscope/base/contract.h"

namespace isoscope::visible {

Past::Past(const Problem& problem, const Execution& execution, bool readers_count, Inner clocked)
    : p_(problem),
      e_(execution),
      readers_count_(readers_count),
      clocked_(clocked),
      chains_(problem.sources().chain_count()),
      clocks_(clocked == Inner::none ? 0 : problem.size() * chains_, 0),
      writers_(problem.history().key_count()),
      position_(problem.version_count(), none) {
  if (!readers_count) return;
  readers_.resize(problem.version_count());
  readers_of_initial_.resize(problem.history().key_count());
}

bool Past::are_affordable(const Problem& problem) {
  constexpr std::size_t most_entries = std::size_t{1} << 27;  // half a gigabyte
  return problem.size() * problem.sources().chain_count() <= most_entries;
}

void Past::add(Txn t) {
  ISOSCOPE_REQUIRE(t != 0 && e_.place[t] != 0);  // it is in the order
  const auto keys = p_.sources().written_by(t);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    auto& writers = writers_[keys[i].index()];
    position_[p_.sources().first_write(t) + i] = static_cast<std::uint32_t>(writers.size());
    writers.push_back(t);
  }
  if (has_clocks()) {
    const auto its = std::span(clocks_).subspan(t * chains_, chains_);
    for_each_hop(t, clocked_, 0, false, [&](const Hop& hop) { join(hop.from, its); });
    its[p_.sources().chain(t)] = number_in_chain(t);
  }
  if (!readers_count_) return;
  p_.reads_of(t, reads_);
  for (const std::uint32_t r : reads_) {
    const Txn source = e_.source[r];
    if (source == none) continue;
    const KeyId key = p_.read(r).key;
    (source == 0 ? readers_of_initial_[key.index()] : readers_[p_.version(source, key)])
        .push_back(r);
  }
}

}  // namespace isoscope::visible
