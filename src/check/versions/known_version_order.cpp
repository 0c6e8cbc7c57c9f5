#include "check/versions/known_version_order.h"

#include <algorithm>
#include <tuple>

#include "check/strong/problem/chain_cover.h"
#include "check/versions/key_users.h"
#include "check/versions/user_pairs.h"
#include "isoscope/base/contract.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/graph/shortest_cycle.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope {

namespace {

using versions::KeyUser;
using versions::VersionNumber;

std::string label(const History& history, VersionNumber version) {
  return version == versions::initial_version ? "the initial state"
                                              : history.label(TransactionId(version - 1));
}

/// The pairs of one key.
class PairsOfKey {
 public:
  PairsOfKey(const History& history, KeyId key, std::vector<KnownVersionOrder::Pair>& pairs)
      : history_(history), key_(key), pairs_(pairs), first_(pairs.size()) {}

  void add(VersionNumber earlier, VersionNumber later, VersionAssumption why) {
    if (earlier == later || earlier == versions::initial_version) return;
    if (later == versions::initial_version) {
      if (contradiction_.empty()) contradiction_ = of_key() + text(earlier, later, why);
      return;
    }
    ISOSCOPE_ENSURE(std::max(earlier, later) <= history_.transaction_count());
    pairs_.push_back({key_, TransactionId(earlier - 1), TransactionId(later - 1), why});
  }

  void add(const KeyUser& earlier, const KeyUser& later, VersionAssumption why) {
    earlier.for_each_version([&](VersionNumber first) {
      later.for_each_version([&](VersionNumber second) { add(first, second, why); });
    });
  }

  /// To be called when all are there. Returns why they contradict each other; empty if they do not.
  std::string finish() {
    const auto as_tuple = [](const KnownVersionOrder::Pair& pair) {
      return std::tuple(pair.earlier, pair.later, pair.why);
    };
    const auto first = pairs_.begin() + static_cast<std::ptrdiff_t>(first_);
    std::sort(first, pairs_.end(),
              [&](const auto& a, const auto& b) { return as_tuple(a) < as_tuple(b); });
    const auto same = [](const auto& a, const auto& b) {
      return a.earlier == b.earlier && a.later == b.later;
    };
    pairs_.erase(std::unique(first, pairs_.end(), same), pairs_.end());
    return contradiction_.empty() ? cycle_text() : contradiction_;
  }

 private:
  std::string of_key() const {
    return "cyclic versions: no order of the versions of " + key_text(history_, key_) +
           " is as assumed: ";
  }

  std::string text(VersionNumber earlier, VersionNumber later, VersionAssumption why) const {
    return "that of " + label(history_, earlier) + " before that of " + label(history_, later) +
           " (" + std::string(name_of(why)) + ")";
  }

  /// The shortest cycle among the pairs, if there is one.
  std::string cycle_text() const {
    const std::span<const KnownVersionOrder::Pair> pairs = std::span(pairs_).subspan(first_);
    if (pairs.empty()) return "";
    std::vector<TransactionId> writers;
    for (const auto& pair : pairs) writers.insert(writers.end(), {pair.earlier, pair.later});
    std::ranges::sort(writers);
    writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
    const auto node = [&](TransactionId t) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(writers, t) - writers.begin());
    };
    std::vector<DirectedEdge> edges;
    for (const auto& pair : pairs) edges.push_back({node(pair.earlier), node(pair.later)});
    const std::vector<std::uint32_t> cycle = shortest_cycle(Digraph(writers.size(), edges));
    std::string result = cycle.empty() ? "" : of_key();
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const DirectedEdge edge{cycle[i], cycle[(i + 1) % cycle.size()]};
      const auto at = static_cast<std::size_t>(std::ranges::find(edges, edge) - edges.begin());
      ISOSCOPE_ENSURE(at < edges.size());  // a cycle has edges of the graph
      if (i > 0) result += ", ";
      result += text(number_of(pairs[at].earlier), number_of(pairs[at].later), pairs[at].why);
    }
    return result;
  }

  const History& history_;
  KeyId key_;
  std::vector<KnownVersionOrder::Pair>& pairs_;
  const std::size_t first_;
  std::string contradiction_;
};

}  // namespace

KnownVersionOrder::KnownVersionOrder(const History& history, const KeyAccesses& accesses,
                                     const std::vector<std::uint8_t>& takes_part,
                                     const CheckOptions& options) {
  ISOSCOPE_REQUIRE(takes_part.size() == history.transaction_count());
  const auto assumes = [&](VersionAssumption one) {
    return std::ranges::count(options.assumptions, one) != 0;
  };
  using enum VersionAssumption;
  const versions::SessionPlaces places(history, takes_part, indeterminate_cuts(history, options));
  for (const KeyId key : history.keys()) {
    if (options.limits.get().reached()) return;
    const std::vector<KeyUser> users = versions::users_of_key(history, accesses, takes_part, key);
    PairsOfKey pairs(history, key, pairs_);
    const bool is_register = accesses.use(key) == KeyUse::reg;
    const auto add = [&](VersionAssumption why) {
      return [&, why](const KeyUser& earlier, const KeyUser& later) {
        pairs.add(earlier, later, why);
      };
    };
    if (assumes(sequential_keys) && is_register) {
      versions::pairs_of_sessions(users, places, add(sequential_keys));
    }
    if (assumes(linearizable_keys) && is_register) {
      versions::pairs_of_times(history, users, options.clock_skew, add(linearizable_keys));
    }
    if (assumes(wfr_keys)) {
      for (const KeyUser& user : users) {
        for (const VersionNumber seen : user.seen) {
          if (user.left) pairs.add(seen, *user.left, wfr_keys);
        }
      }
    }
    if (assumes(commit_stamps)) {
      versions::pairs_of_stamps(history, users, [&](VersionNumber earlier, VersionNumber later) {
        pairs.add(earlier, later, commit_stamps);
      });
    }
    const std::string contradiction = pairs.finish();
    if (contradiction_.empty()) contradiction_ = contradiction;
  }
}

}  // namespace isoscope
