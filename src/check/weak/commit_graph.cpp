#include "check/weak/commit_graph.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::weak {

void CommitGraph::sort_edges() {
  before_ = Groups<>(nodes_, [&](const auto& visit) {
    for (const auto& [from, to] : edges_) visit(to, from);
  });
  edges_ = {};
}

std::optional<std::vector<Txn>> CommitGraph::order() {
  ISOSCOPE_REQUIRE(states_.empty());  // to be called once
  sort_edges();
  std::vector<Txn> result;
  result.reserve(sources_.size());
  states_.assign(nodes_, State::unseen);
  states_[0] = State::left;
  for (std::uint32_t root = 1; root < nodes_; ++root) {
    if (states_[root] == State::unseen && !visit(root, result)) return std::nullopt;
  }
  ISOSCOPE_ENSURE(result.size() + 1 == sources_.size());  // each transaction is there, and once
  return result;
}

CommitGraph::Frame CommitGraph::enter(std::uint32_t node) {
  states_[node] = State::entered;
  return frame_of(node);
}

CommitGraph::Frame CommitGraph::frame_of(std::uint32_t node) const {
  const bool is_transaction = node < sources_.size();
  return {.node = node,
          .read = is_transaction ? sources_.first_read(node) : 0,
          .chain_is_done = !is_transaction || !sources_.follows_in_chain(node)};
}

std::optional<std::uint32_t> CommitGraph::next(Frame& frame) const {
  const std::uint32_t node = frame.node;
  if (!frame.chain_is_done) {
    frame.chain_is_done = true;
    return node - 1;
  }
  if (reads_count_ && node < sources_.size()) {
    while (frame.read < sources_.first_read(node + 1)) {
      const Txn source = sources_.reads()[frame.read++].source;
      if (source != 0 && source != open_source) return source;
    }
  }
  const auto before = before_.of(node);
  if (frame.edge < before.size()) return before[frame.edge++];
  return std::nullopt;
}

std::vector<std::uint32_t> CommitGraph::short_cycle() const {
  ISOSCOPE_REQUIRE(!cycle_.empty());  // order() has found one
  constexpr std::size_t most_searches = 16;
  std::vector<std::uint32_t> best = cycle_;
  for (std::size_t i = 0; i < std::min(cycle_.size(), most_searches); ++i) {
    std::vector<std::uint32_t> other = shortest_cycle(cycle_[i]);
    if (other.size() < best.size()) best = std::move(other);
  }
  return best;
}

/// Searches breadth-first, against the direction of edges, until it is back.
std::vector<std::uint32_t> CommitGraph::shortest_cycle(std::uint32_t through) const {
  constexpr std::uint32_t unseen = UINT32_MAX;
  std::vector<std::uint32_t> onwards(nodes_, unseen);
  std::vector<std::uint32_t> to_look_at = {through};
  for (std::size_t i = 0; i < to_look_at.size(); ++i) {
    const std::uint32_t node = to_look_at[i];
    Frame frame = frame_of(node);
    while (const auto before = next(frame)) {
      if (onwards[*before] != unseen) continue;
      onwards[*before] = node;
      to_look_at.push_back(*before);
    }
    if (onwards[through] != unseen) break;
  }
  ISOSCOPE_REQUIRE(onwards[through] != unseen);
  std::vector<std::uint32_t> cycle = {through};
  for (std::uint32_t at = onwards[through]; at != through; at = onwards[at]) cycle.push_back(at);
  return cycle;
}

bool CommitGraph::visit(std::uint32_t root, std::vector<Txn>& into) {
  stack_.assign(1, enter(root));
  while (!stack_.empty()) {
    const std::optional<std::uint32_t> before = next(stack_.back());
    if (!before) {
      const std::uint32_t node = stack_.back().node;
      states_[node] = State::left;
      if (node < sources_.size()) into.push_back(node);
      stack_.pop_back();
    } else if (states_[*before] == State::unseen) {
      stack_.push_back(enter(*before));
    } else if (states_[*before] == State::entered) {
      const auto at = std::ranges::find(stack_, *before, &Frame::node);
      ISOSCOPE_ENSURE(at != stack_.end());  // what was entered and not left is on the stack
      for (auto frame = stack_.end(); frame != at;) cycle_.push_back((--frame)->node);
      return false;
    }
  }
  return true;
}

}  // namespace isoscope::weak
