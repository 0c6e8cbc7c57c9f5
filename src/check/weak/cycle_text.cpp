#include "check/weak/cycle_text.h"

#include "isoscope/base/contract.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope::weak {

namespace {

constexpr std::size_t most_told = 6;

std::string label(const KnownSources& sources, Txn t) {
  return t == 0 ? "the initial state" : sources.history().label(sources.id(t));
}

std::string known_by_reader(const KnownSources& sources, const ForcedEdge& edge) {
  return label(sources, edge.reader) + " read " +
         key_text(sources.history(), sources.reads()[edge.read].key) + " from " +
         label(sources, edge.to) + " although it knew of " + label(sources, edge.from) +
         ", which wrote it too";
}

std::string edge_text(const KnownSources& sources, Txn from, Txn to,
                      std::span<const ForcedEdge> forced) {
  const std::string order = label(sources, from) + " before " + label(sources, to) + ", since ";
  if (to == from + 1 && sources.follows_in_chain(to)) {
    return order + "it is earlier in the session";
  }
  for (const Read& read : sources.reads_of(to)) {
    if (read.source == from)
      return order + "that read " + key_text(sources.history(), read.key) + " from it";
  }
  for (const ForcedEdge& edge : forced) {
    if (edge.from == from && edge.to == to) return order + known_by_reader(sources, edge);
  }
  const std::span<const KnownEdge> versions = sources.version_order();
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (versions[i].from != from || versions[i].to != to) continue;
    const std::string key = key_text(sources.history(), versions[i].key);
    const auto assumed = sources.assumption_of(i);
    if (!assumed) return order + "lists show its append to " + key + " first";
    return order + "its version of " + key + " is the earlier one by " +
           std::string(name_of(*assumed));
  }
  return order + "it is earlier in the session";  // a leaf
}

}  // namespace

std::string text_of(const KnownSources& sources, const ForcedEdge& before_initial) {
  return known_by_reader(sources, before_initial);
}

std::string text_of(const KnownSources& sources, std::span<const std::uint32_t> cycle,
                    std::span<const ForcedEdge> forced) {
  // Points in time stand between transactions; the edge is then one of real time.
  std::vector<std::pair<Txn, bool>> steps;  // each with: the next one is later in real time
  for (const std::uint32_t node : cycle) {
    if (node < sources.size()) {
      steps.emplace_back(node, false);
    } else if (!steps.empty()) {
      steps.back().second = true;
    }
  }
  if (!cycle.empty() && cycle.front() >= sources.size() && !steps.empty())
    steps.back().second = true;
  ISOSCOPE_ENSURE(!steps.empty());  // times alone make no circle
  std::string text = "no order of commits is possible: ";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == most_told) return text + "; and " + std::to_string(steps.size() - i) + " more steps";
    if (i > 0) text += "; ";
    const Txn next = steps[(i + 1) % steps.size()].first;
    if (steps[i].second) {
      text += label(sources, steps[i].first) + " before " + label(sources, next) +
              ", since it ended before that began";
    } else {
      text += edge_text(sources, steps[i].first, next, forced);
    }
  }
  return text;
}

}  // namespace isoscope::weak
