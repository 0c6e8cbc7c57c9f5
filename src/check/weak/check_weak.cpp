#include "check/weak/check_weak.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "check/strong/problem/order_problem.h"
#include "check/weak/cycle_text.h"
#include "check/weak/forced_edges.h"
#include "check/weak/order_like_time.h"
#include "check/weak/session_guarantees.h"
#include "check/weak/time_points.h"
#include "check/weak/weak_certificate.h"
#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// What a reader knows of other transactions, at the levels with a commit order.
enum class Knows : std::uint8_t {
  nothing,        ///< adya-read-committed
  earlier_reads,  ///< read-committed
  reads_session,  ///< read-atomic
  versions,       ///< session-causal
  causes,         ///< causal
};

std::optional<Knows> knowledge_at(LevelId level) {
  switch (level) {
    case LevelId::adya_read_committed:
    case LevelId::strong_adya_read_committed:
      return Knows::nothing;
    case LevelId::monotonic_atomic_view:
    case LevelId::read_committed:
    case LevelId::strong_read_committed:
      return Knows::earlier_reads;
    case LevelId::read_atomic:
      return Knows::reads_session;
    case LevelId::session_causal:
      return Knows::versions;
    case LevelId::causal:
      return Knows::causes;
    default:
      return std::nullopt;
  }
}

/// Clocks have an entry for each session, so they are for histories with few of them.
constexpr std::size_t most_chains = 4096;

struct Finding {
  Answer answer = Answer::unknown;
  std::string reason = {};
  std::optional<StopReason> stopped = {};
  /// Whichever the level has, of an answer that is not unknown.
  Grounds commits = {};
  VersionGrounds versions = {};
};

Finding unknown_because(std::string reason) { return {.reason = std::move(reason)}; }
Finding stopped_by(StopReason why) {
  return {.reason = "stopped: " + std::string(name_of(why)), .stopped = why};
}

/// Decides a level with a commit order.
class Decision {
 public:
  Decision(KnownSources& sources, Level level, const CheckOptions& options)
      : sources_(sources), knows_(*knowledge_at(level.id)), options_(options) {
    if (without_real_time(level.id)) times_ = time_points(sources, options.clock_skew);
    add(sources.version_order());
    add(sources.leaves());
    add(times_.edges);
  }

  Finding run() {
    Finding finding = look();
    if (finding.answer != Answer::holds || sources_.open_reads().empty()) return finding;
    // Nothing that is known speaks against the level. Now the open reads get their sources.
    std::vector<KnownEdge> edges = edges_;
    for (const ForcedEdge& edge : forced_.all()) edges.push_back({edge.from, edge.to});
    std::vector<Txn> order = order_like_time(sources_, edges, times_.count);
    if (order.size() + 1 < sources_.size()) {
      return no_schedule(order);
    }
    if (knows_ == Knows::nothing) {
      return {.answer = Answer::holds, .commits = {.order = std::move(order)}};
    }
    choose_latest(order);
    finding = look();
    return finding.answer == Answer::violated ? unknown_because(undecided_reads) : finding;
  }

 private:
  static constexpr const char* undecided_reads =
      "reads with several candidates can be from transactions for which this was not tried";

  void add(std::span<const KnownEdge> edges) {
    edges_.insert(edges_.end(), edges.begin(), edges.end());
  }

  /// Reads with several candidates keep transactions out of every order: all that `order` lacks.
  Finding no_schedule(std::span<const Txn> order) {
    ISOSCOPE_REQUIRE(order.size() + 1 < sources_.size());  // or nothing would be refuted
    if (sources_.has_other_candidates()) return unknown_because(undecided_reads);
    Finding finding{.answer = Answer::violated,
                    .reason =
                        "whatever is chosen for reads with several candidates, some transactions "
                        "read from each other in a circle"};
    std::vector<std::uint8_t> is_in_order(sources_.size(), 0);
    for (const Txn t : order) is_in_order[t] = 1;
    for (Txn t = 1; t < sources_.size(); ++t) {
      if (is_in_order[t] == 0) finding.commits.stuck.push_back(t);
    }
    finding.commits.forced = std::move(forced_);
    return finding;
  }

  /// The cycle of a graph that has no order.
  Finding refuted_by(const CommitGraph& graph) {
    Finding finding{.answer = Answer::violated,
                    .reason = text_of(sources_, graph.cycle(), forced_.all())};
    if (options_.certificate) finding.commits.cycle = graph.short_cycle();
    finding.commits.forced = std::move(forced_);
    return finding;
  }

  /// Asks about the reads whose sources are known.
  Finding look() {
    forced_ = {};
    forced_.expect(sources_.size());
    if (auto finding = find_edges()) return *finding;
    if (const auto& edge = forced_.before_initial()) {
      Finding finding{.answer = Answer::violated, .reason = text_of(sources_, *edge)};
      finding.commits.forced = std::move(forced_);
      return finding;
    }
    CommitGraph graph(sources_, times_.count);
    graph.add(edges_);
    graph.expect(forced_.all().size());
    for (const ForcedEdge& edge : forced_.all()) graph.add(edge.from, edge.to);
    if (auto order = graph.order()) {
      return {.answer = Answer::holds, .commits = {.order = std::move(*order)}};
    }
    return refuted_by(graph);
  }

  /// Returns a finding if the level is decided already, or cannot be.
  std::optional<Finding> find_edges() {
    switch (knows_) {
      case Knows::nothing:
        break;
      case Knows::earlier_reads:
        compare_reads(sources_, Visible::by_earlier_reads, forced_);
        break;
      case Knows::reads_session:
        compare_reads(sources_, Visible::by_all_reads, forced_);
        follow_sessions(sources_, forced_);
        break;
      case Knows::versions:
      case Knows::causes:
        return follow_past();
    }
    return std::nullopt;
  }

  std::optional<Finding> follow_past() {
    if (sources_.chain_count() > most_chains) {
      return unknown_because("there are more than " + std::to_string(most_chains) + " sessions");
    }
    const std::vector<Txn> order = order_like_time(sources_, sources_.leaves());
    if (order.size() + 1 < sources_.size()) {
      CommitGraph graph(sources_, 0);
      graph.add(sources_.leaves());
      return graph.order() ? no_schedule(order) : refuted_by(graph);
    }
    if (knows_ == Knows::versions && !sources_.leaves().empty()) {
      return unknown_because(
          "an indeterminate transaction within a session was read from, which is not tried here");
    }
    const auto stopped = knows_ == Knows::versions
                             ? follow_versions(sources_, order, options_.limits, forced_)
                             : follow_causes(sources_, order, options_.limits, forced_);
    if (stopped) return stopped_by(*stopped);
    return std::nullopt;
  }

  /// The latest candidate before the reader makes the fewest transactions come before it.
  void choose_latest(std::span<const Txn> order) {
    ISOSCOPE_REQUIRE(order.size() + 1 == sources_.size());  // all have a place
    std::vector<std::uint32_t> place(sources_.size(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i + 1;
    for (const KnownSources::OpenRead& open : sources_.open_reads()) {
      const Txn reader = sources_.reader_of(open.read);
      std::optional<Txn> latest;
      for (const Txn candidate : sources_.candidates(open)) {
        if (place[candidate] >= place[reader]) continue;
        if (!latest || place[*latest] < place[candidate]) latest = candidate;
      }
      if (latest) sources_.choose(open, *latest);
    }
  }

  KnownSources& sources_;
  Knows knows_;
  const CheckOptions& options_;
  TimePoints times_;
  std::vector<KnownEdge> edges_;
  ForcedEdges forced_;
};

bool allows_dirty_reads(LevelId level) {
  return level == LevelId::read_uncommitted || level == LevelId::strong_read_uncommitted;
}

/// The first pass has judged the reads. What is left is an order of writes, and only lists show
/// anything of that. So without lists the order of sessions, of clocks and of what is assumed must
/// have no cycle.
Finding decide_dirty_reads(const KnownSources& sources, bool has_lists, Level level,
                           const CheckOptions& options) {
  if (has_lists) {
    return unknown_because("what lists show of aborted and unfinished appends is not looked at");
  }
  TimePoints times;
  if (without_real_time(level.id)) times = time_points(sources, options.clock_skew);
  CommitGraph graph(sources, times.count, false);
  graph.add(sources.leaves());
  graph.add(sources.version_order());
  graph.add(times.edges);
  if (auto order = graph.order()) {
    return {.answer = Answer::holds, .commits = {.order = std::move(*order)}};
  }
  Finding finding{.answer = Answer::violated, .reason = text_of(sources, graph.cycle(), {})};
  if (options.certificate) finding.commits.cycle = graph.short_cycle();
  return finding;
}

Finding decide_guarantee(const KnownSources& sources, const Guarantee& guarantee,
                         const CheckOptions& options) {
  if (!sources.all_are_known()) {
    return unknown_because("reads have several candidates, which is not tried at this level");
  }
  Finding finding;
  const Limits& limits = options.limits.get();
  const std::optional<bool> holds =
      satisfies(sources, guarantee, limits, options.certificate ? &finding.versions : nullptr);
  if (!holds) return stopped_by(*limits.reached_now());
  finding.answer = *holds ? Answer::holds : Answer::violated;
  if (!*holds) {
    finding.reason = "the versions of a key cannot be in an order that no session contradicts";
  }
  return finding;
}

Finding decide(KnownSources& sources, bool has_lists, const CheckOptions& options,
               Verdict& verdict) {
  const Level level = verdict.level;
  const auto look = [&] {
    if (const auto guarantee = guarantee_of(level.id)) {
      return decide_guarantee(sources, *guarantee, options);
    }
    if (allows_dirty_reads(level.id)) return decide_dirty_reads(sources, has_lists, level, options);
    return Decision(sources, level, options).run();
  };
  Finding finding = look();
  if (finding.answer == Answer::holds && !sources.doubt().empty()) {
    finding = unknown_because(sources.doubt());
  }
  verdict.answer = finding.answer;
  verdict.reason = std::move(finding.reason);
  verdict.stopped = finding.stopped;
  return finding;
}

std::optional<Certificate> certificate_of(const KnownSources& sources, const KeyAccesses& accesses,
                                          const CheckOptions& options, const Finding& finding,
                                          const Verdict& verdict) {
  ISOSCOPE_REQUIRE(finding.answer != Answer::unknown && finding.answer == verdict.answer);
  const bool has_versions = guarantee_of(verdict.level.id).has_value();
  std::optional<Certificate> certificate;
  if (finding.answer == Answer::holds) {
    certificate = has_versions ? certify_versions(sources, finding.versions)
                               : certify_commits(sources, finding.commits);
    for (const TransactionId t : verdict.counted_committed) {
      certificate->committed.push_back(number_of(t));
    }
  } else {
    const Refuted refuted{sources, accesses, options, verdict.level, verdict.ruled_out};
    certificate = has_versions ? refute_versions(refuted, finding.versions)
                               : refute_commits(refuted, finding.commits);
  }
  if (!certificate) return std::nullopt;
  certificate->level = verdict.level;
  certificate->clock_skew = without_real_time(verdict.level.id) ? options.clock_skew : 0;
  certificate->indeterminate_cuts = indeterminate_cuts(sources.history(), options);
  return certificate;
}

}  // namespace

std::vector<std::uint8_t> participants(const History& history, const Verdict& verdict) {
  const bool only_committed = allows_dirty_reads(verdict.level.id);
  std::vector<std::uint8_t> takes_part(history.transaction_count(), 0);
  for (const TransactionId t : history.transactions()) {
    const Outcome outcome = history.outcome(t);
    takes_part[t.index()] =
        outcome == Outcome::committed || (outcome == Outcome::indeterminate && !only_committed);
  }
  for (const TransactionId t : verdict.counted_aborted) takes_part[t.index()] = 0;
  return takes_part;
}

bool has_checker(LevelId level) {
  return knowledge_at(level) || guarantee_of(level) || allows_dirty_reads(level);
}

void count_indeterminate(const History& history,
                         const std::function<bool(TransactionId)>& is_committed, Verdict& verdict) {
  verdict.counted_committed.clear();
  verdict.counted_aborted.clear();
  verdict.ruled_out.clear();
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) != Outcome::indeterminate) continue;
    (is_committed(t) ? verdict.counted_committed : verdict.counted_aborted).push_back(t);
  }
}

void check_weak(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
                Verdict& verdict) {
  ISOSCOPE_REQUIRE(has_checker(verdict.level.id));
  const std::vector<std::uint8_t> takes_part = participants(history, verdict);
  verdict.reason = strong::unsupported_reason(history, accesses, takes_part);
  if (!verdict.reason.empty()) return;
  KnownSources sources(history, accesses, takes_part, verdict.level.session_order, options);
  const Finding finding = decide(sources, accesses.has_lists(), options, verdict);
  if (verdict.answer == Answer::holds) {
    count_indeterminate(
        history, [&](TransactionId t) { return sources.number(t) != open_source; }, verdict);
  }
  if (!options.certificate || verdict.answer == Answer::unknown) return;
  verdict.certificate = certificate_of(sources, accesses, options, finding, verdict);
}

void check_plain(KnownSources& sources, const CheckOptions& options, Verdict& verdict) {
  ISOSCOPE_REQUIRE(has_checker(verdict.level.id) && sources.all_are_known());
  decide(sources, false, options, verdict);
}

}  // namespace isoscope::weak
