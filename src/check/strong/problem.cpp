#include "check/strong/problem.h"

#include <algorithm>

#include "check/strong/list_problem.h"
#include "isoscope/graph/vector_clocks.h"

namespace isoscope::strong {

namespace {

/// When a read has more candidates than that it shares the list with all reads of the value: one
/// number where every read can have its own list, one where so many candidates are listed already
/// that memory has to be spared.
constexpr std::size_t wide = 4096;
constexpr std::size_t wide_when_spared = 64;
constexpr std::size_t spared_from = std::size_t{8} << 20;

class Builder {
 public:
  Builder(const ProblemInput& input, Problem& problem)
      : input_(input), p_(problem), lists_(input.history, problem) {}

  std::optional<StopReason> run(const ChainCover& cover) {
    p_ = Problem();
    p_.rules = input_.rules;
    number_transactions(cover);
    if (const auto reason = stopped_now()) return reason;
    if (p_.rules.real_time) place_times();
    if (const auto reason = stopped_now()) return reason;
    if (const auto reason = count()) return reason;
    if (const auto reason = make_room()) return reason;
    if (const auto reason = fill()) return reason;
    return std::nullopt;
  }

 private:
  struct ReadHere {
    Txn reader;
    std::uint32_t operation;
    ValueId value;
  };
  struct WriteHere {
    Txn writer;
    ValueId value;
  };

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

  /// How many reads and writes each transaction has.
  std::optional<StopReason> count() {
    p_.read_starts.assign(p_.size() + 1, 0);
    p_.write_starts.assign(p_.size() + 1, 0);
    for (const KeyId key : input_.history.keys()) {
      if (const auto reason = stopped()) return reason;
      for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
        const Txn t = p_.number[run[0].transaction.index()];
        if (t == none) return;
        if (is_external_read(run)) ++p_.read_starts[t + 1];
        if (has_write(run)) ++p_.write_starts[t + 1];
      });
    }
    p_.write_starts[1] = static_cast<std::uint32_t>(input_.history.key_count());
    for (std::size_t t = 1; t < p_.read_starts.size(); ++t) {
      p_.read_starts[t] += p_.read_starts[t - 1];
      p_.write_starts[t] += p_.write_starts[t - 1];
    }
    return std::nullopt;
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

  bool is_list(KeyId key) const { return input_.accesses.use(key) == KeyUse::list; }
  /// Of a list every read tells something about others; own appends stand behind it.
  bool is_external_read(std::span<const Access> run) const {
    return run[0].is_read() ||
           (run[0].kind() == Access::Kind::append &&
            std::ranges::any_of(run, [](const Access& access) { return access.is_read(); }));
  }
  static bool has_write(std::span<const Access> run) {
    return std::ranges::any_of(run, [](const Access& access) { return !access.is_read(); });
  }

  std::optional<StopReason> fill() {
    next_read_ = p_.read_starts;
    next_write_ = p_.write_starts;
    for (const KeyId key : input_.history.keys()) {
      if (const auto reason = stopped()) return reason;
      p_.version_starts.push_back(static_cast<std::uint32_t>(p_.by_key.size()));
      if (is_list(key)) {
        fill_list(key);
      } else {
        fill_register(key);
      }
    }
    p_.version_starts.push_back(static_cast<std::uint32_t>(p_.by_key.size()));
    return std::nullopt;
  }

  void fill_register(KeyId key) {
    reads_.clear();
    writes_.clear();
    for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
      const Txn t = p_.number[run[0].transaction.index()];
      if (t == none) return;
      if (run[0].is_read()) reads_.push_back({t, run[0].operation(), run[0].value});
      if (const Access* write = final_write(run)) writes_.push_back({t, write->value});
    });
    const std::optional<ValueId> initial = input_.history.initial_value(key);
    ValueId initial_value = initial.value_or(ValuePool::unreported);
    if (initial_value == ValuePool::empty_list) initial_value = ValuePool::nil;
    add_versions(key, initial_value);
    index_values();
    for (const ReadHere& read : reads_) add_read(key, read);
  }

  void add_versions(KeyId key, ValueId initial) {
    std::ranges::sort(writes_, {}, &WriteHere::writer);
    by_value_.clear();
    add_version(p_.initial_version(key.value), {key.value, 0, initial});
    for (const WriteHere& write : writes_) {
      add_version(next_write_[write.writer]++, {key.value, write.writer, write.value});
    }
  }

  void add_version(std::uint32_t number, const Version& version) {
    p_.versions[number] = version;
    p_.by_key.push_back(number);
    by_value_.push_back(std::uint64_t{version.value.value} << 32 | number);
  }

  void index_values() {
    shared_.clear();
    std::ranges::sort(by_value_);
  }

  void add_read(KeyId key, const ReadHere& read) {
    Read& made = start_read(key, read.reader, read.operation);
    const auto first = std::ranges::lower_bound(by_value_, std::uint64_t{read.value.value} << 32);
    const auto last = std::ranges::upper_bound(first, by_value_.end(),
                                               std::uint64_t{read.value.value} << 32 | none);
    const auto count = static_cast<std::size_t>(last - first);
    if (count > (p_.candidates.size() < spared_from ? wide : wide_when_spared)) {
      return share_candidates(made, {first, last});
    }
    for (auto at = first; at != last; ++at) {
      const auto version = static_cast<std::uint32_t>(*at);
      if (p_.versions[version].writer != read.reader) p_.candidates.push_back(version);
    }
    made.candidate_count = made.all_candidates =
        static_cast<std::uint32_t>(p_.candidates.size() - made.first_candidate);
    ISOSCOPE_REQUIRE(made.candidate_count > 0);  // or the first pass would have found it
    if (made.all_candidates == 1) {
      made.first_candidate = p_.candidates.back();
      p_.candidates.pop_back();
    }
  }

  void share_candidates(Read& read, std::span<const std::uint64_t> versions) {
    const auto value = static_cast<std::uint32_t>(versions.front() >> 32);
    const auto [at, is_new] = shared_.try_emplace(value, read.first_candidate);
    read.is_wide = true;
    read.first_candidate = at->second;
    read.candidate_count = read.all_candidates = static_cast<std::uint32_t>(versions.size());
    if (!is_new) return;
    for (const std::uint64_t version : versions) {
      p_.candidates.push_back(static_cast<std::uint32_t>(version));
    }
  }

  Read& start_read(KeyId key, Txn reader, std::uint32_t operation) {
    Read& made = p_.reads[next_read_[reader]++];
    made.reader = reader;
    made.key = key.value;
    made.operation = operation;
    made.first_candidate = static_cast<std::uint32_t>(p_.candidates.size());
    return made;
  }

  void fill_list(KeyId key) {
    writes_.clear();
    for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
      const Txn t = p_.number[run[0].transaction.index()];
      if (t != none && has_write(run)) writes_.push_back({t, ValuePool::unreported});
    });
    add_versions(key, ValuePool::unreported);
    lists_.start(key);
    for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
      const Txn t = p_.number[run[0].transaction.index()];
      if (t != none) lists_.add_appends(t, run);
    });
    for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
      const Txn t = p_.number[run[0].transaction.index()];
      if (t == none || !is_external_read(run)) return;
      const ListProblem::External external = lists_.external_read(run);
      Read& read = start_read(key, t, external.operation);
      const auto index = static_cast<std::uint32_t>(&read - p_.reads.data());
      read.first_candidate = lists_.source(external.prefix);
      read.candidate_count = read.all_candidates = 1;
      lists_.add_read(index, t, external.prefix);
    });
    lists_.finish();
  }

  const ProblemInput& input_;
  Problem& p_;
  ListProblem lists_;
  std::vector<std::uint32_t> next_read_;
  std::vector<std::uint32_t> next_write_;
  std::vector<ReadHere> reads_;
  std::vector<WriteHere> writes_;
  std::vector<std::uint64_t> by_value_;
  std::unordered_map<std::uint32_t, std::uint32_t> shared_;  // of this key: by value, where
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

void sort_versions(Problem& p, const std::vector<std::uint32_t>& place, const Limits* limits) {
  const auto commit_of = [&](std::uint32_t version) {
    return place[p.commit(p.versions[version].writer)];
  };
  for (std::uint32_t key = 0; key < p.key_count(); ++key) {
    if (limits != nullptr && limits->reached()) return;
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
  }
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
