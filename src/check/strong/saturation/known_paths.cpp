#include "check/strong/saturation/known_paths.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// The maximum number of nodes that are looked at in search of a shortest way.
constexpr std::size_t near = 4000;

}  // namespace

bool KnownPaths::may_reach(std::uint32_t node, std::uint32_t to) const {
  // A chain that was joined by time is known to be one before the clocks have heard of the points
  // in time between its transactions.
  if (clocks_ == nullptr || p_.is_time(node)) return true;
  return !clocks_->tells(node, to) || clocks_->reaches(node, to);
}

/// Calls visit(next, edge) for all that comes right after the node and may lead on.
template <class Visit>
void KnownPaths::for_each_next(std::uint32_t node, std::uint32_t to, std::uint32_t edges,
                               const Visit& visit) const {
  const auto leads_on = [&](std::uint32_t next) {
    return arrived_[next].search != search_ && (next == to || may_reach(next, to));
  };
  const std::uint32_t next = next_in_chain(p_, node);
  if (next != none && leads_on(next)) visit(next, none);
  for (std::uint32_t e = known_.first_out(node); e != none; e = known_.edge(e).next) {
    if (e < edges && leads_on(known_.edge(e).to)) visit(known_.edge(e).to, e);
  }
}

void KnownPaths::start(std::uint32_t from) {
  ++search_;
  queue_.assign(1, from);
  arrived_[from] = {search_, from, none};
}

/// Searches breadth first, for a while.
bool KnownPaths::search_near(std::uint32_t from, std::uint32_t to, std::uint32_t edges) {
  start(from);
  for (std::size_t i = 0; i < queue_.size() && queue_.size() < near; ++i) {
    const std::uint32_t node = queue_[i];
    for_each_next(node, to, edges, [&](std::uint32_t next, std::uint32_t edge) {
      arrived_[next] = {search_, node, edge};
      queue_.push_back(next);
    });
    if (arrived_[to].search == search_) return true;
  }
  return false;
}

/// Searches depth first, and tries the furthest node first: if clocks say that there is a way on,
/// there mostly is.
bool KnownPaths::search_far(std::uint32_t from, std::uint32_t to, std::uint32_t edges) {
  start(from);
  while (!queue_.empty()) {
    const std::uint32_t node = queue_.back();
    queue_.pop_back();
    const std::size_t first = queue_.size();
    for_each_next(node, to, edges, [&](std::uint32_t next, std::uint32_t edge) {
      arrived_[next] = {search_, node, edge};
      queue_.push_back(next);
    });
    if (arrived_[to].search == search_) return true;
    std::sort(queue_.begin() + static_cast<std::ptrdiff_t>(first), queue_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; });
  }
  return false;
}

std::optional<Path> KnownPaths::find(std::uint32_t from, std::uint32_t to, std::uint32_t edges) {
  ISOSCOPE_REQUIRE(from < p_.node_count() && to < p_.node_count());
  ISOSCOPE_REQUIRE(edges <= known_.size());
  if (from == to) return Path{};
  if (from == p_.begin(0) || from == p_.commit(0)) {
    return Path{{from, to, Hop::Kind::initial, none}};
  }
  const bool found =
      search_near(from, to, edges) || (queue_.size() >= near && search_far(from, to, edges));
  if (!found) return std::nullopt;
  Path path;
  for (std::uint32_t node = to; node != from; node = arrived_[node].from) {
    const Arrival& arrival = arrived_[node];
    path.push_back(arrival.edge == none ? chain_hop(arrival.from, node)
                                        : Hop{arrival.from, node, Hop::Kind::edge, arrival.edge});
  }
  std::ranges::reverse(path);
  return path;
}

/// Sessions and points in time need one hop from a commit to a begin, however many are between.
Path KnownPaths::folded(const Path& path) const {
  ISOSCOPE_REQUIRE(path.empty() || !p_.is_time(path.front().from));
  Path result;
  for (const Hop& hop : path) {
    if (p_.is_time(hop.from)) {
      result.back().to = hop.to;
      result.back().kind = Hop::Kind::time;
      continue;
    }
    result.push_back(hop);
    // c1 -> b2, b2 -> c2, c2 -> b3 is c1 -> b3; the step in the middle is there only where begin
    // and commit differ.
    const std::size_t inner = p_.rules.begin_is_commit ? 0 : 1;
    if (result.size() < 2 + inner || hop.kind != Hop::Kind::session) continue;
    const Hop& before = result[result.size() - 2 - inner];
    if (before.kind != Hop::Kind::session) continue;
    if (inner == 1 && result[result.size() - 2].kind != Hop::Kind::inside) continue;
    result.resize(result.size() - 1 - inner);
    result.back().to = hop.to;
  }
  return result;
}

Hop KnownPaths::chain_hop(std::uint32_t from, std::uint32_t to) const {
  if (p_.is_time(from)) return {from, to, Hop::Kind::time, none};
  const bool inside = p_.transaction_of(from) == p_.transaction_of(to);
  return {from, to, inside ? Hop::Kind::inside : Hop::Kind::session, none};
}

std::optional<Hop> KnownPaths::hop(std::uint32_t from, std::uint32_t to) const {
  ISOSCOPE_REQUIRE(from < p_.node_count() && to < p_.node_count());
  if (from == p_.begin(0) || from == p_.commit(0)) {
    return Hop{from, to, Hop::Kind::initial, none};
  }
  if (next_in_chain(p_, from) == to) return chain_hop(from, to);
  for (std::uint32_t e = known_.first_out(from); e != none; e = known_.edge(e).next) {
    if (known_.edge(e).to == to) return Hop{from, to, Hop::Kind::edge, e};
  }
  return std::nullopt;
}

}  // namespace isoscope::strong
