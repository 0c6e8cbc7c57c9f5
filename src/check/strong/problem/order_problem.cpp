#include "check/strong/problem/order_problem.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "check/strong/problem/list_part.h"
#include "check/strong/problem/list_problem.h"
#include "check/strong/problem/parts.h"
#include "check/strong/problem/transaction_part.h"
#include "check/strong/problem/versions_by_value.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope::strong {

namespace {

/// Transactions, and keys of lists, are handled in this many parts, unless the parts would be
/// smaller than the numbers below.
constexpr std::size_t most_parts = 4;
constexpr std::size_t least_transactions = std::size_t{1} << 12;
constexpr std::size_t least_accesses = std::size_t{1} << 14;
/// Versions are prefetched this many events ahead.
constexpr std::size_t far_ahead = 8;
/// From this many candidates on, memory has to be spared.
constexpr std::size_t spared_from = std::size_t{8} << 20;

class Builder {
 public:
  Builder(const ProblemInput& input, OrderProblem& problem) : input_(input), p_(problem) {}

  std::optional<StopReason> run(const ChainCover& cover) {
    ISOSCOPE_REQUIRE(input_.takes_part.size() == input_.history.transaction_count());
    ISOSCOPE_REQUIRE(cover.starts.size() <= cover.members.size());
    p_ = OrderProblem();
    p_.rules = input_.rules;
    number_transactions(cover);
    if (const auto reason = stopped_now()) return reason;
    if (p_.rules.real_time) place_times();
    if (const auto reason = stopped_now()) return reason;
    if (const auto reason = count()) return reason;
    if (const auto reason = make_room()) return reason;
    if (const auto reason = fill()) return reason;
    if (const auto reason = find_candidates()) return reason;
    return find_list_candidates();
  }

 private:
  std::optional<StopReason> stopped() const { return input_.limits.reached(); }

  /// To be called after steps that take long and are not interrupted.
  std::optional<StopReason> stopped_now() const { return input_.limits.reached_now(); }

  void number_transactions(const ChainCover& cover) {
    const std::size_t count = cover.members.size() + 1;
    p_.ids.resize(count);
    p_.chains.assign(count, ChainId(0));
    p_.open.assign(count, 0);
    p_.previous_in_chain.assign(count, none);
    p_.next_in_session.assign(count, none);
    p_.number.assign(input_.history.transaction_count(), none);
    p_.chain_count = static_cast<std::uint32_t>(cover.starts.size() + 1);
    std::vector<Txn> last_of_chain(cover.starts.size() + 1, none);
    Txn t = 0;
    for (const auto [time, place, chain] : by_likely_time(cover)) {
      const ChainCover::Member& member = cover.members[place];
      p_.ids[++t] = member.id;
      p_.number[member.id.index()] = t;
      p_.chains[t] = ChainId(chain);
      p_.open[t] = input_.history.outcome(member.id) == Outcome::indeterminate ? 1 : 0;
      const Txn previous = std::exchange(last_of_chain[chain], t);
      p_.previous_in_chain[t] = previous;
      ISOSCOPE_REQUIRE(!member.after_previous || previous != none);
      if (member.after_previous) p_.next_in_session[previous] = t;
    }
    ISOSCOPE_ENSURE(t + 1 == count);  // every member has a number
    p_.session_leaves.clear();
    for (const ChainCover::Leaf& leaf : cover.leaves) {
      ISOSCOPE_REQUIRE(p_.number[leaf.after.index()] != none && p_.number[leaf.id.index()] != none);
      p_.session_leaves.emplace_back(p_.number[leaf.after.index()], p_.number[leaf.id.index()]);
    }
  }

  struct Placed {
    std::uint64_t time;
    std::uint32_t place;  // in the cover
    std::uint32_t chain;  // from 1 on
  };

  /// The cover's members by when they probably happened, without disturbing the chains.
  std::vector<Placed> by_likely_time(const ChainCover& cover) const {
    std::vector<Placed> result;
    result.reserve(cover.members.size());
    std::uint32_t chain = 0;
    for (std::uint32_t place = 0; place < cover.members.size(); ++place) {
      const bool starts = chain < cover.starts.size() && cover.starts[chain] == place;
      if (starts) ++chain;
      const std::uint64_t time = input_.likely.middle(cover.members[place].id);
      result.push_back({starts ? time : std::max(time, result.back().time), place, chain});
    }
    ISOSCOPE_ENSURE(chain == cover.starts.size());
    std::ranges::sort(result, {}, [](const Placed& p) { return std::pair(p.time, p.place); });
    return result;
  }

  /// When t has ended by all clocks, if it is known that it has.
  std::optional<std::int64_t> certain_end(Txn t) const {
    const auto end = input_.history.end_time(p_.ids[t]);
    if (!end || p_.open[t] != 0) return std::nullopt;
    if (input_.clock_skew > 0 && *end > INT64_MAX - input_.clock_skew) return std::nullopt;
    return *end + input_.clock_skew;
  }

  /// A point in time is needed only where a transaction begins and others have ended since the
  /// begin before.
  void place_times() {
    const History& history = input_.history;
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> ends;
    for (Txn t = 1; t < p_.size(); ++t) {
      if (const auto begin = history.begin_time(p_.ids[t])) begins.push_back(*begin);
      if (const auto end = certain_end(t)) ends.push_back(*end);
    }
    std::ranges::sort(begins);
    std::ranges::sort(ends);
    auto end = ends.begin();
    for (const std::int64_t begin : begins) {
      const auto ended = std::lower_bound(end, ends.end(), begin);
      if (ended != end) p_.times.push_back(begin);
      end = ended;
    }
    p_.begins_at.assign(p_.size(), none);
    p_.ends_before.assign(p_.size(), none);
    const auto first_after = [&](std::int64_t time) {
      return static_cast<std::uint32_t>(std::ranges::upper_bound(p_.times, time) -
                                        p_.times.begin());
    };
    for (Txn t = 1; t < p_.size(); ++t) {
      const auto begin = history.begin_time(p_.ids[t]);
      const std::uint32_t next = begin ? first_after(*begin) : 0;
      if (next > 0) p_.begins_at[t] = next - 1;
      const auto its_end = certain_end(t);
      const std::uint32_t after = its_end ? first_after(*its_end) : 0;
      if (its_end && after < p_.times.size()) p_.ends_before[t] = after;
    }
  }

  /// How many reads and versions each transaction has, and so where they go.
  std::optional<StopReason> count() {
    const std::size_t size = std::max(p_.size() / most_parts + 1, least_transactions);
    const auto bounds = part_bounds(p_.size(), size, [](std::size_t) { return 1; });
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      parts_.emplace_back(input_, p_, std::max(bounds[i], Txn{1}), bounds[i + 1]);
    }
    p_.read_starts.assign(p_.size() + 1, 0);
    p_.write_starts.assign(p_.size() + 1, 0);
    input_.workers.run(parts_.size(), [&](std::size_t i) { parts_[i].count(); });
    if (const auto reason = stopped()) return reason;
    p_.write_starts[0] = static_cast<std::uint32_t>(input_.history.key_count());
    for (std::vector<std::uint32_t>* starts : {&p_.read_starts, &p_.write_starts}) {
      std::exclusive_scan(starts->begin(), starts->end(), starts->begin(), 0u);
    }
    return std::nullopt;
  }

  std::optional<StopReason> make_room() {
    p_.reads.resize(p_.read_starts.back());
    if (const auto reason = stopped_now()) return reason;
    p_.readers.resize(p_.reads.size());
    p_.versions.resize(p_.write_starts.back());
    return stopped_now();
  }

  std::optional<StopReason> fill() {
    for (const KeyId key : input_.history.keys()) {
      p_.versions[OrderProblem::initial_version(key)] = initial_version(key);
    }
    input_.workers.run(parts_.size(), [&](std::size_t i) { parts_[i].fill(); });
    p_.version_starts.assign(input_.history.key_count() + 1, 0);
    for (const Version& version : p_.versions) ++p_.version_starts[version.key.index()];
    std::exclusive_scan(p_.version_starts.begin(), p_.version_starts.end(),
                        p_.version_starts.begin(), 0u);
    ISOSCOPE_ENSURE(p_.version_starts.back() == p_.versions.size());
    return stopped_now();
  }

  Version initial_version(KeyId key) const {
    const bool is_list = input_.accesses.use(key) == KeyUse::list;
    const std::optional<ValueId> initial = input_.history.initial_value(key);
    const ValueId value = initial ? register_value(*initial) : ValuePool::unreported;
    return {key, 0, is_list ? ValuePool::unreported : value};
  }

  std::optional<StopReason> find_candidates() {
    {
      const VersionsByValue versions(p_, input_.history.values().size());
      if (const auto reason = stopped_now()) return reason;
      input_.workers.run(parts_.size(), [&](std::size_t i) {
        parts_[i].find_candidates(versions, spared_from / parts_.size());
      });
    }
    if (const auto reason = stopped()) return reason;
    for (; !parts_.empty(); parts_.pop_front()) parts_.front().add_to_problem();
    return std::nullopt;
  }

  std::optional<StopReason> find_list_candidates() {
    if (!input_.accesses.has_lists()) return std::nullopt;
    // They are looked at as they are numbered.
    std::vector<std::uint32_t> numbered(p_.node_count());
    std::iota(numbered.begin(), numbered.end(), 0u);
    sort_versions(p_, numbered, input_.limits);
    if (const auto reason = stopped()) return reason;
    const auto accesses = [&](std::size_t key) {
      return input_.accesses.of(KeyId(static_cast<std::uint32_t>(key))).size() + 1;
    };
    std::size_t all = 0;
    for (std::size_t key = 0; key < input_.history.key_count(); ++key) all += accesses(key);
    const std::size_t size = std::max(all / most_parts + 1, least_accesses);
    const auto bounds = part_bounds(input_.history.key_count(), size, accesses);
    std::deque<ListPart> parts;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      parts.emplace_back(input_, p_, KeyId(bounds[i]), KeyId(bounds[i + 1]));
    }
    input_.workers.run(parts.size(), [&](std::size_t i) { parts[i].find_candidates(); });
    if (const auto reason = stopped()) return reason;
    for (; !parts.empty(); parts.pop_front()) parts.front().add_to_problem();
    return std::nullopt;
  }

  const ProblemInput& input_;
  OrderProblem& p_;
  std::deque<TransactionPart> parts_;
};

}  // namespace

std::size_t OrderProblem::longest_chain() const {
  std::vector<std::size_t> lengths(chain_count, 0);
  for (const ChainId chain : chains) ++lengths[chain.index()];
  return std::max(std::ranges::max(lengths) * (rules.begin_is_commit ? 1 : 2), times.size());
}

std::optional<StopReason> build_problem(const ProblemInput& input, const ChainCover& cover,
                                        OrderProblem& into) {
  return Builder(input, into).run(cover);
}

void sort_versions(OrderProblem& p, std::span<const std::uint32_t> order, const Limits& limits) {
  ISOSCOPE_REQUIRE(order.size() <= p.node_count());
  ISOSCOPE_REQUIRE(p.version_starts.back() == p.versions.size());
  p.by_key.resize(p.versions.size());
  IdVector<KeyId, VersionId> last(p.key_count());  // version so far
  IdVector<KeyId, std::uint32_t> next(p.version_starts.begin(), p.version_starts.end() - 1);
  const auto add = [&](VersionId version) {
    Version& added = p.versions[version];
    added.next = none;
    added.next_writer = none;
    last[added.key] = version;
    p.by_key[next[added.key]++] = version;
  };
  const auto writer_at = [&](std::size_t place) {
    if (place >= order.size() || p.is_time(order[place])) return Txn{0};
    const Txn t = p.transaction_of(order[place]);
    return order[place] == p.commit(t) ? t : Txn{0};
  };
  for (const KeyId key : p.keys()) add(p.initial_version(key));
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (limits.reached()) return;
    if (const Txn ahead = writer_at(place + far_ahead); ahead != 0) {
      for (const VersionId version : p.writes_of(ahead)) {
        prefetch_to_write(&p.versions[last[p.versions[version].key]]);
      }
    }
    const Txn t = writer_at(place);
    if (t == 0) continue;
    for (const VersionId version : p.writes_of(t)) {
      Version& later = p.versions[version];
      Version& earlier = p.versions[last[later.key]];
      later.previous = last[later.key];
      later.previous_writer = earlier.writer;
      earlier.next = version;
      earlier.next_writer = t;
      add(version);
    }
  }
}

std::string unsupported_reason(const History& history, const KeyAccesses& accesses,
                               const std::vector<std::uint8_t>& takes_part) {
  ISOSCOPE_REQUIRE(takes_part.size() == history.transaction_count());
  for (const UnreportedWrite& write : accesses.unreported_writes()) {
    if (takes_part[write.at.transaction.index()] == 0) continue;
    const Update* const update = history.update_at(write.at.transaction, write.at.operation);
    if (update != nullptr) {
      return "what " + update_text(history, *update) + " of " +
             history.label(write.at.transaction) + " left was not reported";
    }
    return history.label(write.at.transaction) + "'s operation " +
           std::to_string(write.at.operation + 1) + " wrote something that was not reported";
  }
  return ListProblem::unsupported_reason(history, accesses);
}

}  // namespace isoscope::strong
