#include "check/strong/problem.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "check/strong/key_part.h"
#include "check/strong/list_problem.h"
#include "check/strong/parts.h"
#include "isoscope/graph/vector_clocks.h"

namespace isoscope::strong {

namespace {

/// Keys are seen to in so many parts, unless they would have fewer accesses. Each part takes 8
/// bytes for every transaction: with twice as many parts a single thread took a tenth longer.
constexpr std::size_t most_parts = 4;
constexpr std::size_t least_accesses = std::size_t{1} << 14;
/// So many candidates make it necessary to spare memory.
constexpr std::size_t spared_from = std::size_t{8} << 20;

class Builder {
 public:
  Builder(const ProblemInput& input, Problem& problem) : input_(input), p_(problem) {}

  std::optional<StopReason> run(const ChainCover& cover) {
    p_ = Problem();
    p_.rules = input_.rules;
    number_transactions(cover);
    if (const auto reason = stopped_now()) return reason;
    if (p_.rules.real_time) place_times();
    if (const auto reason = stopped_now()) return reason;
    cut_keys();
    if (const auto reason = count()) return reason;
    if (const auto reason = make_room()) return reason;
    return fill();
  }

 private:
  std::optional<StopReason> stopped() const {
    return input_.limits == nullptr ? std::nullopt : input_.limits->reached();
  }

  /// For after steps that take long at once.
  std::optional<StopReason> stopped_now() const {
    return input_.limits == nullptr ? std::nullopt : input_.limits->reached_now();
  }

  void number_transactions(const ChainCover& cover) {
    const std::size_t count = cover.members.size() + 1;
    p_.ids.resize(count);
    p_.chains.assign(count, 0);
    p_.open.assign(count, 0);
    p_.previous_in_chain.assign(count, none);
    p_.next_in_session.assign(count, none);
    p_.number.assign(input_.history.transaction_count(), none);
    p_.chain_count = static_cast<std::uint32_t>(cover.tracked + 1);
    std::vector<Txn> last_of_chain(cover.starts.size() + 1, none);
    Txn t = 0;
    for (const auto [time, place, chain] : by_likely_time(cover)) {
      const ChainCover::Member& member = cover.members[place];
      p_.ids[++t] = member.id;
      p_.number[member.id.index()] = t;
      p_.chains[t] = chain <= cover.tracked ? chain : VectorClocks::no_chain;
      p_.open[t] = input_.history.outcome(member.id) == Outcome::indeterminate ? 1 : 0;
      const Txn previous = std::exchange(last_of_chain[chain], t);
      p_.previous_in_chain[t] = previous;
      if (member.after_previous) p_.next_in_session[previous] = t;
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

  /// A point in time is needed only where somebody begins and others have ended since the begin
  /// before.
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

  void cut_keys() {
    const auto accesses = [&](std::size_t key) {
      return input_.accesses.of(KeyId(static_cast<std::uint32_t>(key))).size() + 1;
    };
    std::size_t all = 0;
    for (std::size_t key = 0; key < input_.history.key_count(); ++key) all += accesses(key);
    const std::size_t size = std::max(all / most_parts + 1, least_accesses);
    const auto starts = cut(input_.history.key_count(), size, accesses);
    part_of_.resize(input_.history.key_count());
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      parts_.emplace_back(input_, p_, starts[i], starts[i + 1]);
      std::fill(part_of_.begin() + starts[i], part_of_.begin() + starts[i + 1],
                static_cast<std::uint8_t>(i));
    }
    for (KeyPart& part : parts_) part.spare_memory_from(spared_from / parts_.size());
  }

  /// How many reads and writes each transaction has, and where those of each part go.
  std::optional<StopReason> count() {
    input_.workers.run(parts_.size(), [&](std::size_t i) { parts_[i].start_counting(); });
    const auto firsts = cut(p_.size(), p_.size() / most_parts + 1, [](std::size_t) { return 1; });
    input_.workers.run(firsts.size() - 1,
                       [&](std::size_t i) { count_rows(firsts[i], firsts[i + 1]); });
    if (const auto reason = stopped()) return reason;
    p_.read_starts.assign(p_.size() + 1, 0);
    p_.write_starts.assign(p_.size() + 1, 0);
    for (KeyPart& part : parts_) part.add_counts(p_.read_starts, p_.write_starts);
    p_.write_starts[0] = static_cast<std::uint32_t>(input_.history.key_count());
    for (std::vector<std::uint32_t>* starts : {&p_.read_starts, &p_.write_starts}) {
      std::exclusive_scan(starts->begin(), starts->end(), starts->begin(), 0u);
    }
    return std::nullopt;
  }

  /// Transaction by transaction: keys are fewer, and what was seen of them is close together.
  void count_rows(Txn first, Txn last) {
    struct Seen {
      Txn by = 0;  // what follows is of this transaction
      bool appended_first = false;
      bool read = false;
      bool written = false;
    };
    std::vector<Seen> all_seen(input_.history.key_count());
    for (Txn t = std::max(first, Txn{1}); t < last; ++t) {
      if (stopped()) return;
      for_each_access(input_.history, p_.ids[t], [&](KeyId key, const Access& access) {
        Seen& seen = all_seen[key.index()];
        const bool is_first = seen.by != t;
        if (is_first) seen = {t, access.kind() == Access::Kind::append};
        bool& is_counted = access.is_read() ? seen.read : seen.written;
        if (is_counted) return;
        if (!access.is_read()) {
          parts_[part_of_[key.index()]].count_write(t);
        } else if ((is_first || seen.appended_first) &&  // see is_external_read()
                   input_.looks_at_reads(p_.ids[t], key)) {
          parts_[part_of_[key.index()]].count_read(t);
        } else {
          return;
        }
        is_counted = true;
      });
    }
  }

  std::optional<StopReason> make_room() {
    p_.reads.resize(p_.read_starts.back());
    if (const auto reason = stopped_now()) return reason;
    p_.readers.resize(p_.reads.size());
    p_.versions.resize(p_.write_starts.back());
    if (const auto reason = stopped_now()) return reason;
    p_.by_key.reserve(p_.versions.size());
    p_.version_starts.reserve(input_.history.key_count() + 1);
    return std::nullopt;
  }

  std::optional<StopReason> fill() {
    input_.workers.run(parts_.size(), [&](std::size_t i) { parts_[i].fill(); });
    if (const auto reason = stopped()) return reason;
    for (; !parts_.empty(); parts_.pop_front()) parts_.front().add_to(p_);
    p_.version_starts.push_back(static_cast<std::uint32_t>(p_.by_key.size()));
    return std::nullopt;
  }

  const ProblemInput& input_;
  Problem& p_;
  std::deque<KeyPart> parts_;
  std::vector<std::uint8_t> part_of_;  // by key
};

}  // namespace

std::size_t Problem::longest_chain() const {
  std::vector<std::size_t> lengths(chain_count, 0);
  for (const std::uint32_t chain : chains) {
    if (chain != VectorClocks::no_chain) ++lengths[chain];
  }
  return std::max(std::ranges::max(lengths) * (rules.one_event ? 1 : 2), times.size());
}

std::optional<StopReason> build_problem(const ProblemInput& input, const ChainCover& cover,
                                        Problem& into) {
  return Builder(input, into).run(cover);
}

void sort_versions(Problem& p, const std::vector<std::uint32_t>& place, const Limits* limits,
                   const Workers& workers) {
  const auto commit_of = [&](std::uint32_t version) {
    return place[p.commit(p.versions[version].writer)];
  };
  const auto sort_key = [&](std::uint32_t key) {
    const auto first = p.by_key.begin() + p.version_starts[key];
    const auto last = p.by_key.begin() + p.version_starts[key + 1];
    std::ranges::sort(first + 1, last, {}, commit_of);
    for (auto at = first; at + 1 != last; ++at) {
      Version& earlier = p.versions[at[0]];
      Version& later = p.versions[at[1]];
      earlier.next = at[1];
      earlier.next_writer = later.writer;
      later.previous = at[0];
      later.previous_writer = earlier.writer;
    }
  };
  const auto parts = cut(p.key_count(), least_accesses, [&](std::size_t key) {
    return p.version_starts[key + 1] - p.version_starts[key];
  });
  workers.run(parts.size() - 1, [&](std::size_t part) {
    for (std::uint32_t key = parts[part]; key < parts[part + 1]; ++key) {
      if (limits != nullptr && limits->reached()) return;
      sort_key(key);
    }
  });
}

namespace {

/// A register that holds [] at a time, which formats also use for nil.
bool has_ambiguous_row(const History& history, const KeyAccesses& accesses) {
  const auto is_ambiguous = [&](KeyId key, ValueId value) {
    return value == ValuePool::empty_list && accesses.use(key) == KeyUse::reg;
  };
  for (const KeyId key : history.keys()) {
    const auto initial = history.initial_value(key);
    if (initial && is_ambiguous(key, *initial)) return true;
  }
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (operation.kind() == OperationKind::predicate_write) {
        for (const RowVersion& row : history.predicate_access(operation).rows) {
          if (is_ambiguous(row.key, row.value)) return true;
        }
      } else if (operation.is_item_write() && is_ambiguous(operation.key(), operation.value())) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string unsupported_reason(const History& history, const KeyAccesses& accesses,
                               const std::vector<std::uint8_t>& takes_part) {
  if (!accesses.predicate_users().empty() && has_ambiguous_row(history, accesses)) {
    return "it has predicate operations, and [] was written to a key that is no list: whether that "
           "is a row is not defined";
  }
  for (const UnreportedWrite& write : accesses.unreported_writes()) {
    if (takes_part[write.at.transaction.index()] == 0) continue;
    return history.label(write.at.transaction) + "'s operation " +
           std::to_string(write.at.operation + 1) + " wrote something that was not reported";
  }
  return ListProblem::unsupported_reason(history, accesses);
}

}  // namespace isoscope::strong
