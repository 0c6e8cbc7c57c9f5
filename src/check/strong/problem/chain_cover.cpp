#include "check/strong/problem/chain_cover.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

#include "check/strong/problem/order_problem.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

std::size_t ChainCover::longest() const {
  std::size_t longest = 0;
  for (std::size_t chain = 0; chain < starts.size(); ++chain) {
    const std::size_t end = chain + 1 < starts.size() ? starts[chain + 1] : members.size();
    longest = std::max(longest, end - starts[chain]);
  }
  return longest;
}

ChainCover session_chains(const History& history, const std::vector<std::uint8_t>& takes_part,
                          const SessionRule& rule) {
  ISOSCOPE_REQUIRE(takes_part.size() == history.transaction_count());
  ChainCover cover;
  cover.members.reserve(history.transaction_count());
  const auto is_open = [&](TransactionId t) {
    return history.outcome(t) == Outcome::indeterminate;
  };
  for (const SessionId session : history.sessions()) {
    std::optional<TransactionId> previous;
    for (const TransactionId t : history.session(session)) {
      if (takes_part[t.index()] != 0) {
        const bool goes_on = !rule.indeterminate_cuts && t != history.session(session).back();
        if (previous && is_open(t) && goes_on) {
          cover.leaves.push_back({t, *previous});
          continue;
        }
        if (!previous) cover.starts.push_back(cover.members.size());
        cover.members.push_back({t, previous.has_value()});
        if (rule.session_order && !is_open(t)) previous = t;
      }
      if (is_open(t) && rule.indeterminate_cuts) previous.reset();
    }
  }
  ISOSCOPE_ENSURE(cover.members.empty() == cover.starts.empty());
  // Chains of sessions come first: they are the longest.
  for (const ChainCover::Leaf& leaf : cover.leaves) {
    cover.starts.push_back(cover.members.size());
    cover.members.push_back({leaf.id, false});
  }
  return cover;
}

namespace {

/// Which chain goes on where another one ended.
class Joiner {
 public:
  Joiner(const OrderProblem& problem, const ChainCover& cover)
      : p_(problem),
        cover_(cover),
        next_(cover.starts.size(), none),
        has_previous_(cover.starts.size(), 0),
        ending_with_(problem.size(), none) {
    for (std::uint32_t chain = 0; chain < cover.starts.size(); ++chain) {
      ISOSCOPE_REQUIRE(!members(chain).empty() && ending_with_[last(chain)] == none);
      ending_with_[last(chain)] = chain;
    }
  }

  ChainCover run() {
    if (p_.rules.real_time) join_by_time();
    join_by_reads();
    std::vector<Length> heads;
    std::vector<std::uint8_t> seen(next_.size(), 0);
    const auto follow = [&](std::uint32_t head) {
      std::size_t length = 0;
      for (std::uint32_t c = head; c != none && seen[c] == 0; c = next_[c]) {
        seen[c] = 1;
        length += members(c).size();
      }
      heads.push_back({length, head});
    };
    for (std::uint32_t chain = 0; chain < next_.size(); ++chain) {
      if (has_previous_[chain] == 0) follow(chain);
    }
    // What is left goes round in circles: the history is not serializable, but it has chains.
    for (std::uint32_t chain = 0; chain < next_.size(); ++chain) {
      if (seen[chain] == 0) follow(chain);
    }
    std::ranges::stable_sort(heads, std::ranges::greater{}, &Length::transactions);
    return written(heads);
  }

 private:
  struct Length {
    std::size_t transactions;
    std::uint32_t head;
  };

  std::span<const ChainCover::Member> members(std::uint32_t chain) const {
    const std::size_t end =
        chain + 1 < cover_.starts.size() ? cover_.starts[chain + 1] : cover_.members.size();
    return std::span(cover_.members).subspan(cover_.starts[chain], end - cover_.starts[chain]);
  }
  Txn first(std::uint32_t chain) const { return p_.number[members(chain).front().id.index()]; }
  Txn last(std::uint32_t chain) const { return p_.number[members(chain).back().id.index()]; }

  bool join(std::uint32_t chain, std::uint32_t next) {
    ISOSCOPE_REQUIRE(chain < next_.size() && next < next_.size());
    if (chain == next || next_[chain] != none || has_previous_[next] != 0) return false;
    next_[chain] = next;
    has_previous_[next] = 1;
    return true;
  }

  void join_by_reads() {
    for (std::uint32_t chain = 0; chain < next_.size(); ++chain) {
      const Txn t = first(chain);
      if (has_previous_[chain] != 0 || p_.open[t] != 0) continue;
      for (const ReadId r : p_.reads_of(t)) {
        if (p_.reads[r].has_candidate_set != 0) continue;
        const Txn writer = p_.versions[p_.reads[r].candidate].writer;
        // What was read from an open transaction proves that it committed, but that comes later.
        if (writer == 0 || p_.open[writer] != 0 || ending_with_[writer] == none) continue;
        if (join(ending_with_[writer], chain)) break;
      }
    }
  }

  /// Chains by the point in time they begin at; each goes on from the one that ended longest ago.
  void join_by_time() {
    std::vector<std::uint32_t> by_begin;
    for (std::uint32_t chain = 0; chain < next_.size(); ++chain) {
      if (p_.begins_at[first(chain)] != none) by_begin.push_back(chain);
    }
    std::ranges::stable_sort(by_begin, {}, [&](std::uint32_t c) { return p_.begins_at[first(c)]; });
    using Ended = std::pair<std::uint32_t, std::uint32_t>;  // the point after its end, the chain
    std::priority_queue<Ended, std::vector<Ended>, std::greater<>> ended;
    for (const std::uint32_t chain : by_begin) {
      if (!ended.empty() && ended.top().first <= p_.begins_at[first(chain)]) {
        if (join(ended.top().second, chain)) ended.pop();
      }
      const std::uint32_t end = p_.ends_before[last(chain)];
      if (end != none) ended.push({end, chain});
    }
  }

  ChainCover written(const std::vector<Length>& heads) const {
    ChainCover result;
    result.members.reserve(cover_.members.size());
    std::vector<std::uint8_t> seen(next_.size(), 0);
    for (const Length& length : heads) {
      result.starts.push_back(result.members.size());
      for (std::uint32_t c = length.head; c != none && seen[c] == 0; c = next_[c]) {
        seen[c] = 1;
        for (const ChainCover::Member& member : members(c)) result.members.push_back(member);
      }
    }
    ISOSCOPE_ENSURE(result.members.size() == cover_.members.size());
    result.leaves = cover_.leaves;
    return result;
  }

  const OrderProblem& p_;
  const ChainCover& cover_;
  std::vector<std::uint32_t> next_;         // by chain
  std::vector<std::uint8_t> has_previous_;  // by chain
  std::vector<std::uint32_t> ending_with_;  // by transaction: the chain that ends there
};

}  // namespace

ChainCover joined_chains(const OrderProblem& problem, const ChainCover& cover) {
  ISOSCOPE_REQUIRE(cover.members.size() + 1 == problem.size());
  return Joiner(problem, cover).run();
}

}  // namespace isoscope::strong
