#include "check/weak/stuck_refutation.h"

#include <algorithm>
#include <map>
#include <set>

#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// How many steps a removal may take in all.
constexpr std::size_t most_steps = 100'000;

/// Why a transaction waits for one of several others.
struct Wait {
  std::set<Txn> before = {};
  std::optional<std::uint32_t> open_read = {};  ///< otherwise `before` has one member
  bool is_by_order = false;                     ///< by a list, or by what a reader knew
};

/// Finds out who waits for whom, among few of the stuck transactions.
class Waits {
 public:
  Waits(const KnownSources& sources, std::span<const Txn> stuck, std::span<const ForcedEdge> forced,
        const RefutationWriter& writer)
      : sources_(sources), writer_(writer), stuck_(stuck), is_stuck_(sources.size(), 0) {
    for (const Txn t : stuck) is_stuck_[t] = 1;
    for (std::size_t i = 0; i < sources.open_reads().size(); ++i) {
      open_reads_[sources.reader_of(sources.open_reads()[i].read)].push_back(i);
    }
    for (const ForcedEdge& edge : forced) add_edge(edge.from, edge.to);
    for (const KnownEdge& edge : sources.list_order()) add_edge(edge.from, edge.to);
  }

  /// Those that the first committed one waits for, and those that they wait for, and so on.
  std::map<Txn, Wait> find() const {
    std::map<Txn, Wait> found;
    const auto first = std::ranges::find_if(stuck_, [&](Txn t) {
      return sources_.history().outcome(sources_.id(t)) == Outcome::committed;
    });
    if (first == stuck_.end()) return {};
    std::vector<Txn> to_look_at = {*first};
    while (!to_look_at.empty()) {
      const Txn t = to_look_at.back();
      to_look_at.pop_back();
      if (found.contains(t)) continue;
      Wait wait = find(t);
      if (wait.before.empty()) return {};
      to_look_at.insert(to_look_at.end(), wait.before.begin(), wait.before.end());
      found.emplace(t, std::move(wait));
    }
    return found;
  }

 private:
  void add_edge(Txn from, Txn to) {
    if (is_stuck(from) && is_stuck(to)) edges_.emplace(to, from);
  }
  bool is_stuck(Txn t) const { return t != open_source && is_stuck_[t] != 0; }

  Wait find(Txn t) const {
    for (const Txn other : stuck_) {
      if (writer_.before_in_session_or_time(other, t)) return {.before = {other}};
    }
    for (const Read& read : sources_.reads_of(t)) {
      if (is_stuck(read.source)) return {.before = {read.source}};
    }
    if (const auto edge = edges_.find(t); edge != edges_.end()) {
      return {.before = {edge->second}, .is_by_order = true};
    }
    const auto its = open_reads_.find(t);
    if (its == open_reads_.end()) return {};
    for (const std::size_t i : its->second) {
      const auto& open = sources_.open_reads()[i];
      Wait wait{.open_read = open.read};
      bool all_are_stuck = true;
      for (const Txn candidate : sources_.candidates(open)) {
        if (candidate == t) continue;
        all_are_stuck = all_are_stuck && is_stuck(candidate);
        wait.before.insert(candidate);
      }
      if (all_are_stuck) return wait;
    }
    return {};
  }

  const KnownSources& sources_;
  const RefutationWriter& writer_;
  std::span<const Txn> stuck_;
  std::vector<std::uint8_t> is_stuck_;  // by transaction
  std::map<Txn, std::vector<std::size_t>> open_reads_;
  std::map<Txn, Txn> edges_;  // by `to`
};

class Removal {
 public:
  Removal(std::map<Txn, Wait> waits, std::span<const ForcedEdge> forced, RefutationWriter& writer)
      : waits_(std::move(waits)), forced_(forced), writer_(writer) {}

  bool run() {
    for (const auto& [t, wait] : waits_) {
      if (!tell(t, wait)) return false;
    }
    while (!waits_.empty()) {
      const auto next = std::ranges::min_element(
          waits_, {}, [](const auto& entry) { return entry.second.before.size(); });
      const Txn t = next->first;
      const std::set<Txn> before = next->second.before;
      waits_.erase(next);
      for (auto& [other, wait] : waits_) {
        if (wait.before.erase(t) == 0) continue;
        replace(t, before, other, wait.before);
        if (wait.before.empty()) return true;
        if (steps_ > most_steps) return false;
      }
    }
    return false;
  }

 private:
  ProofLiteral literal(Txn first, Txn second) const {
    return ProofLiteral::order(writer_.event(first), writer_.event(second));
  }

  void add_lemma(Txn t, const std::set<Txn>& before, std::vector<std::uint32_t> hints) {
    std::vector<ProofLiteral> literals;
    for (const Txn other : before) literals.push_back(literal(other, t));
    steps_ += hints.size() + 1;
    lemma_of_[t] = writer_.steps().lemma(std::move(literals), std::move(hints));
  }

  /// Says that one of those comes before the transaction.
  bool tell(Txn t, const Wait& wait) {
    ISOSCOPE_REQUIRE(!wait.before.empty());  // or it need not wait
    if (!wait.open_read) return writer_.commit_before(*wait.before.begin(), t, forced_);
    const std::uint32_t choice = writer_.narrow(*wait.open_read);
    std::vector<std::uint32_t> hints;
    for (const Txn candidate : wait.before) {
      hints.push_back(writer_.steps().add({.kind = ProofStep::Kind::from,
                                           .read = writer_.read_number(*wait.open_read),
                                           .writer = writer_.number(candidate)}));
    }
    hints.push_back(choice);
    add_lemma(t, wait.before, std::move(hints));
    return true;
  }

  /// What comes before the removed one comes before the other one, too. Where one of the two waits
  /// for a single other one, that is known and needs no hint.
  void replace(Txn removed, const std::set<Txn>& before_removed, Txn other,
               std::set<Txn>& before_other) {
    std::vector<std::uint32_t> hints;
    if (const auto lemma = lemma_of_.find(other); lemma != lemma_of_.end()) {
      hints.push_back(lemma->second);
    }
    for (const Txn first : before_removed) {
      if (first == other) continue;
      before_other.insert(first);
      const std::vector<Event> events = {writer_.event(first), writer_.event(removed),
                                         writer_.event(other)};
      hints.push_back(writer_.steps().add({.kind = ProofStep::Kind::path, .events = events}));
    }
    if (const auto lemma = lemma_of_.find(removed); lemma != lemma_of_.end()) {
      hints.push_back(lemma->second);
    }
    add_lemma(other, before_other, std::move(hints));
  }

  std::map<Txn, Wait> waits_;
  std::span<const ForcedEdge> forced_;
  RefutationWriter& writer_;
  std::map<Txn, std::uint32_t> lemma_of_;  // the last step about what comes before it
  std::size_t steps_ = 0;
};

}  // namespace

bool refute_stuck(const KnownSources& sources, std::span<const Txn> stuck,
                  std::span<const ForcedEdge> forced, RefutationWriter& writer) {
  std::map<Txn, Wait> waits = Waits(sources, stuck, forced, writer).find();
  if (waits.empty()) return false;
  const bool is_plain =
      !writer.has_ruled_out() &&
      std::ranges::none_of(waits, [](const auto& entry) { return entry.second.is_by_order; });
  if (!is_plain) return Removal(std::move(waits), forced, writer).run();
  ProofStep step{.kind = ProofStep::Kind::stuck};
  for (const auto& [t, wait] : waits) step.events.push_back(writer.event(t));
  writer.steps().add(std::move(step));
  return true;
}

}  // namespace isoscope::weak
