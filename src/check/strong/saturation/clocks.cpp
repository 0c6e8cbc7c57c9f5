#include "check/strong/saturation/clocks.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// The share of the machine's memory, or of what the limit leaves, that clocks may take.
constexpr std::size_t share_of_machine = 4;
constexpr std::size_t share_of_limit = 3;

std::size_t affordable_memory(const Limits& limits) {
  const std::size_t memory = physical_memory() / share_of_machine;
  const auto left = limits.memory_left();
  return left ? std::min(memory, *left / share_of_limit) : memory;
}

}  // namespace

bool are_affordable(const ChainCover& chains, const OrderProblem& p, std::size_t most_chains,
                    const Limits& limits) {
  const std::size_t events = chains.longest() * (p.rules.begin_is_commit ? 1 : 2);
  // Two more: the initial state, and points in time.
  const std::size_t count = chains.starts.size() + 2;
  return chains.starts.size() <= most_chains &&
         VectorClocks::memory(p.node_count(), count, std::max(events, p.times.size())) <=
             affordable_memory(limits);
}

Clocks clocks_by_chain(const OrderProblem& p) {
  VectorClocks clocks(p.node_count(), p.all_chains(), p.longest_chain());
  for (std::uint32_t event = 0; event < p.node_count(); ++event) {
    clocks.start(event, p.chain_of(event).value);
  }
  return Clocks(std::move(clocks));
}

std::optional<Clocks> clocks_through(const Digraph& graph, std::span<const std::uint32_t> order,
                                     std::uint32_t initial, const Clocks& known,
                                     std::size_t most_chains, const Limits& limits) {
  ISOSCOPE_REQUIRE(order.size() == graph.node_count());
  ISOSCOPE_REQUIRE(!order.empty() && initial < graph.node_count());
  std::vector<std::uint32_t> chains(graph.node_count(), none);
  std::vector<std::uint32_t> last;  // of each chain
  std::vector<std::size_t> lengths;
  for (const std::uint32_t event : order) {
    std::uint32_t chain = none;
    for (const std::uint32_t before : graph.predecessors(event)) {
      if (before > initial && last[chains[before]] == before) chain = chains[before];
    }
    for (std::uint32_t c = 0; c < last.size() && chain == none; ++c) {
      if (last[c] > initial && known.reaches(last[c], event)) chain = c;
    }
    if (chain == none) {
      if (last.size() == most_chains || limits.reached()) return {};
      chain = static_cast<std::uint32_t>(last.size());
      last.push_back(event);
      lengths.push_back(0);
    }
    chains[event] = chain;
    last[chain] = event;
    ++lengths[chain];
  }
  const std::size_t longest = std::ranges::max(lengths);
  if (VectorClocks::memory(graph.node_count(), last.size(), longest) > affordable_memory(limits)) {
    return std::nullopt;
  }
  VectorClocks clocks(graph.node_count(), last.size(), longest);
  for (const std::uint32_t event : order) clocks.start(event, chains[event]);
  return Clocks(std::move(clocks));
}

Clocks clocks_by_window(std::span<const std::uint32_t> order, std::size_t widest,
                        const Limits& limits) {
  const std::size_t memory = affordable_memory(limits);
  std::size_t bits = widest;
  while (bits > 64 && WindowClocks::memory(order.size(), bits) > memory) bits /= 2;
  return Clocks(WindowClocks(order, bits));
}

}  // namespace isoscope::strong
