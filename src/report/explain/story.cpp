#include "report/explain/story.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "isoscope/base/words.h"
#include "report/explain/fact_words.h"
#include "report/proof/writes.h"

namespace isoscope::report {

namespace {

using Step = ProofStep::Kind;

/// The maximum number of a conflict's events from which its cycle is looked for.
constexpr std::size_t most_starts = 32;

std::uint64_t cost_of(const std::vector<OrderFacts::Edge>& chain) {
  std::uint64_t cost = 0;
  for (const OrderFacts::Edge& edge : chain) cost += edge.cost;
  return cost;
}

std::optional<TransactionId> id_of(std::uint32_t transaction) {
  if (transaction == 0) return std::nullopt;
  return TransactionId(transaction - 1);
}

}  // namespace

Story::Story(const History& history, const Certificate& certificate, const ProofClauses& proof,
             const Propagation& facts, ToldFacts& told)
    : history_(history),
      certificate_(certificate),
      proof_(proof),
      reads_(proof.reads()),
      facts_(facts),
      order_(history, certificate, proof, facts),
      told_(told) {}

ExplainedCase Story::tell() {
  ExplainedCase result;
  const std::uint32_t step = *facts_.conflict();
  if (auto cycle = cycle_of(step, Propagation::none)) {
    tell_cycle(std::move(*cycle), result);
  } else if (proof_.step(step).kind == Step::read) {
    tell_read_without_source(step, result);
  } else {
    tell_other(step, result);
  }
  return result;
}

/// The cheapest cycle in what a step without literal left says. A path that is closed is a cycle.
/// Any other step would order two events the other way round than they are known to be, before that
/// place of the trail.
std::optional<std::vector<OrderFacts::Edge>> Story::cycle_of(std::uint32_t step,
                                                             std::uint32_t before) const {
  std::optional<std::vector<Edge>> best;
  const auto offer = [&](std::optional<std::vector<Edge>> cycle) {
    if (cycle && (!best || cost_of(*cycle) < cost_of(*best))) best = std::move(cycle);
  };
  const ProofStep& its = proof_.step(step);
  if (its.kind == Step::path) {
    for (std::size_t i = 0; i < its.events.size() && i < most_starts; ++i) {
      offer(order_.chain(its.events[i], its.events[i], before));
    }
    return best;
  }
  for (const Literal literal : proof_.clause(step)) {
    if (proof_.meaning(literal).kind != ProofLiteral::Kind::order) continue;
    const Edge edge = order_.edge(literal, step);
    if (edge.to.transaction == 0) continue;
    auto cycle = order_.chain(edge.to, edge.from, before);
    if (cycle) cycle->push_back(edge);
    offer(std::move(cycle));
  }
  return best;
}

/// A read R of W's version and a writer V before R give an overwrite V -> W, and W before V then
/// makes a cycle. As a rule people see it the other way: W is older than V, so R comes before V,
/// though V comes before R. That is told if W before V is the shorter part, and does not itself
/// rest on the overwrite.
std::vector<OrderFacts::Edge> Story::as_seen_by_reader(std::vector<Edge> cycle) const {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Edge edge = simplest(cycle[i]);
    if (edge.kind != FactKind::overwrite || edge.step == Propagation::none) continue;
    const ProofStep& step = proof_.step(edge.step);
    if (step.kind != Step::between) continue;
    const std::uint32_t before = place_of(edge);
    const auto older = order_.chain(Event::commit(step.writer), Event::commit(step.other), before);
    auto back =
        order_.chain(Event::commit(step.other), Event::begin(step.read.transaction), before);
    if (!older || !back || cost_of(*older) > cost_of(*back) + 2) continue;
    for (const Literal literal : proof_.clause(edge.step)) {
      if (proof_.meaning(literal).kind != ProofLiteral::Kind::order) continue;
      const Edge turned = order_.edge(literal, edge.step);
      if (turned.kind != FactKind::anti_dependency) continue;
      back->push_back(turned);
      return std::move(*back);
    }
  }
  return cycle;
}

std::vector<FoldedEdge> Story::tell_cycle(std::vector<Edge> cycle, ExplainedCase& to) {
  cycle = as_seen_by_reader(std::move(cycle));
  // The cycle must not start in the middle of what is told as one fact.
  const auto seam = std::ranges::adjacent_find(
      cycle, [](const Edge& a, const Edge& b) { return a.kind != b.kind; });
  if (seam != cycle.end()) std::rotate(cycle.begin(), seam + 1, cycle.end());
  for (Edge& edge : cycle) edge = simplest(edge);
  std::vector<FoldedEdge> edges = folded(cycle);
  std::ranges::rotate(edges, std::ranges::min_element(edges, {}, &FoldedEdge::from_transaction));
  const auto overwritten = told_as_overwrites(edges);
  name_cycle(edges, overwritten, to);
  for (const FoldedEdge& edge : edges) {
    ExplainedFact fact;
    fact.number = give_number(key_of(edge));
    to.cycle.push_back(std::move(fact));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    tell_edge(edges[i], 0, to.cycle[i]);
    if (overwritten[i]) tell_as_overwrite(*overwritten[i], to.cycle[i]);
  }
  return edges;
}

/// There can be any number of versions that a predicate does not select, and a case for each would
/// be tedious: all but one are excluded, and the cycle that this one makes is told. If possible it
/// is a version that is too old, since those that are too new say little.
bool Story::tell_row_without_source(std::uint32_t step, ExplainedCase& to) {
  struct Choice {
    bool too_new = false;
    std::uint64_t cost = 0;
    Literal candidate = 0;
    std::vector<Edge> cycle;
  };
  std::optional<Choice> best;
  for (const Literal candidate : proof_.clause(step)) {
    const Literal excluded = ProofClauses::negation(candidate);
    const std::uint32_t reason = facts_.reason(excluded);
    const bool selection = proof_.meaning(candidate).kind == ProofLiteral::Kind::selection;
    if (!selection || reason == Propagation::none) continue;
    auto cycle = cycle_of(reason, facts_.place(excluded));
    if (!cycle) continue;
    const bool too_new = proof_.step(reason).kind == Step::from;
    const std::uint64_t cost = cost_of(*cycle);
    if (best && std::pair(best->too_new, best->cost) <= std::pair(too_new, cost)) continue;
    best = {too_new, cost, candidate, std::move(*cycle)};
  }
  if (!best) return false;
  excluded_.clear();
  for (const Literal candidate : proof_.clause(step)) {
    if (candidate != best->candidate) excluded_.push_back(ProofClauses::negation(candidate));
  }
  supposed_source_ = proof_.meaning(best->candidate);
  const std::vector<FoldedEdge> edges = tell_cycle(std::move(best->cycle), to);
  supposed_source_.reset();
  // Other facts may be about the same operation, but another row of it, or what it wrote.
  const auto its = std::ranges::find_if(edges, [&](const FoldedEdge& edge) {
    return edge.first.step != Propagation::none &&
           proof_.step(edge.first.step).read == proof_.step(step).read;
  });
  // If no edge is about the read, the cycle is known whatever the read saw.
  if (its != edges.end()) {
    ExplainedFact& fact = to.cycle[static_cast<std::size_t>(its - edges.begin())];
    fact.text +=
        " It can have seen nothing else, " + by_exclusion(excluded_, 1, fact.because) + ".";
  }
  excluded_.clear();
  return true;
}

/// Each possible source is excluded by a step of its own, so it is a case of its own. All cycles
/// are looked for before the first is told. What is told has a number and can be referred to from
/// then on, so it cannot be taken back.
void Story::tell_read_without_source(std::uint32_t step, ExplainedCase& to) {
  const ReadNumber read = proof_.step(step).read;
  const bool choice = proof_.clause(step).size() > 1 && !reads_.is_item(read);
  if (choice && tell_row_without_source(step, to)) return;
  std::vector<std::pair<Literal, std::vector<Edge>>> cycles;
  for (const Literal candidate : proof_.clause(step)) {
    const Literal excluded = ProofClauses::negation(candidate);
    const std::uint32_t reason = facts_.reason(excluded);
    auto cycle =
        reason == Propagation::none ? std::nullopt : cycle_of(reason, facts_.place(excluded));
    if (!cycle) return tell_other(step, to);
    cycles.emplace_back(candidate, std::move(*cycle));
  }
  std::vector<Anomaly> names;
  std::vector<Anomaly> classes;
  std::optional<std::vector<LevelId>> in_all;
  for (auto& [candidate, cycle] : cycles) {
    ExplainedCase one;
    supposed_source_ = proof_.meaning(candidate);
    one.supposition = literal_words(reads_, certificate_.level, proof_.meaning(candidate));
    told_here_.clear();
    tell_cycle(std::move(cycle), one);
    if (one.anomaly) names.push_back(*one.anomaly);
    if (one.cycle_class) classes.push_back(*one.cycle_class);
    to.cases.push_back(std::move(one));
    in_all = in_all ? common_levels(*in_all, levels_) : levels_;
  }
  supposed_source_.reset();
  if (to.cases.empty()) {
    to.contradiction = read_words(reads_, read) + ", which no order of the writes makes.";
    return;
  }
  if (to.cases.size() == 1) {
    ExplainedCase only = std::move(to.cases.front());
    to = std::move(only);
    to.supposition.clear();
    return;
  }
  levels_ = *in_all;
  to.anomaly = common_name(certificate_.level, names);
  to.cycle_class = common_name(certificate_.level, classes);
}

/// Where there is no cycle, tells the facts that the step puts together, and what it says of them.
void Story::tell_other(std::uint32_t step, ExplainedCase& to) {
  const ProofStep& its = proof_.step(step);
  std::vector<std::string> numbers;
  for (const Literal premise : facts_.premises(step, Propagation::none)) {
    numbers.push_back(refer(premise, 0, to.cycle));
  }
  if (its.kind == Step::inside) {
    to.contradiction = read_words(reads_, its.read) + ", which contradicts what " +
                       label(its.read.transaction) + " itself wrote or read before";
  } else if (its.kind == Step::read) {
    to.contradiction = read_words(reads_, its.read) + ", which nobody can have left";
  } else if (its.kind == Step::rest) {
    to.contradiction = "nobody can have left what was there before " +
                       version_words(history_, its.writer, reads_.key(its.read));
  } else {
    to.contradiction = "this cannot all be true";
  }
  if (!numbers.empty()) to.contradiction += " (" + by(numbers) + ")";
  to.contradiction += ".";
}

std::vector<LevelId> common_levels(const std::vector<LevelId>& a, const std::vector<LevelId>& b) {
  std::vector<LevelId> both;
  std::ranges::copy_if(a, std::back_inserter(both),
                       [&](LevelId id) { return std::ranges::count(b, id) != 0; });
  return both;
}

std::string Story::by(std::vector<std::string> numbers) const {
  std::erase_if(numbers, [](const std::string& number) { return number.empty(); });
  return numbers.empty() ? "as the certificate shows" : "by " + listed(numbers, " and ");
}

/// The same for sources that a read cannot have. Nobody reads on if there are many.
std::string Story::by_exclusion(std::span<const Literal> excluded, int depth, Facts& into) {
  constexpr std::size_t most_told = 4;
  if (excluded.size() > most_told) {
    return "as the certificate shows of " + std::to_string(excluded.size()) + " others";
  }
  std::vector<std::string> numbers;
  for (const Literal one : excluded) numbers.push_back(refer(one, depth, into));
  return by(std::move(numbers));
}

/// "by (4) and (5)"
std::string Story::by_chain(Event from, Event to, std::uint32_t before, int depth, Facts& into) {
  auto chain = order_.chain(from, to, before);
  if (!chain) return by({});
  for (Edge& edge : *chain) edge = simplest(edge);
  const std::vector<FoldedEdge> edges = folded(*chain);
  // The chain is told as a whole or not at all: half a chain explains nothing.
  const auto can = [&](const FoldedEdge& edge) { return can_refer(edge, depth); };
  if (!std::ranges::all_of(edges, can)) return by({});
  std::vector<std::string> numbers;
  for (const FoldedEdge& edge : edges) numbers.push_back(refer(edge, depth, into));
  return by(std::move(numbers));
}

const unsigned* Story::number_of(const ToldFacts::Key& key) const {
  const std::map<ToldFacts::Key, unsigned>* const both[] = {&told_.numbers, &told_here_};
  for (const auto* numbers : both) {
    if (const auto at = numbers->find(key); at != numbers->end()) return &at->second;
  }
  return nullptr;
}

bool Story::is_unconditional(Literal literal, std::uint32_t step) const {
  if (step == Propagation::none) return false;
  const bool known = facts_.is_true(literal) && facts_.reason(literal) == step;
  return known && facts_.suppositions_behind({literal}).empty();
}

unsigned Story::give_number(const ToldFacts::Key& key) {
  const bool always = is_unconditional(std::get<0>(key), std::get<1>(key));
  (always ? told_.numbers : told_here_)[key] = ++told_.last;
  return told_.last;
}

/// How deep explanations of explanations go. A fact that needs none is told even there.
constexpr int most_depth = 3;

bool Story::needs_explanation(const Edge& edge) const {
  switch (edge.kind) {
    case FactKind::read_dependency: {
      const ProofStep& step = proof_.step(edge.step);
      return !is_sole_source(step.read, step.writer);
    }
    case FactKind::anti_dependency:
      return proof_.step(edge.step).writer != 0;
    case FactKind::overwrite:
      return proof_.step(edge.step).kind != Step::list;
    default:
      return false;
  }
}

bool Story::can_refer(const FoldedEdge& edge, int depth) const {
  return depth < most_depth || !needs_explanation(edge.first) || number_of(key_of(edge)) != nullptr;
}

std::string Story::refer(const FoldedEdge& edge, int depth, Facts& into) {
  const ToldFacts::Key key = key_of(edge);
  if (const unsigned* told = number_of(key)) return "(" + std::to_string(*told) + ")";
  if (!can_refer(edge, depth)) return {};
  ExplainedFact fact;
  fact.number = give_number(key);
  tell_edge(edge, depth, fact);
  into.push_back(std::move(fact));
  return "(" + std::to_string(into.back().number) + ")";
}

std::string Story::refer(Literal literal, int depth, Facts& into) {
  const ProofLiteral meaning = proof_.meaning(literal);
  const std::uint32_t step = facts_.reason(literal);
  if (meaning.kind == ProofLiteral::Kind::order) {
    const Edge edge = simplest(order_.edge(literal, step));
    return refer(FoldedEdge{edge, edge.to}, depth, into);
  }
  const ToldFacts::Key key{literal, step, Event()};
  if (const unsigned* told = number_of(key)) return "(" + std::to_string(*told) + ")";
  if (depth >= most_depth) return {};
  ExplainedFact fact;
  fact.number = give_number(key);
  tell_statement(literal, depth, fact);
  into.push_back(std::move(fact));
  return "(" + std::to_string(into.back().number) + ")";
}

void Story::involve(ReadNumber read, ExplainedFact& fact) const {
  fact.operations.push_back(ref_of(read));
}

void Story::involve_write(std::uint32_t writer, KeyId key, ExplainedFact& fact) const {
  if (const auto write = final_write(history_, writer, key)) fact.operations.push_back(write->at);
}

std::string Story::label(std::uint32_t transaction) const {
  return transaction_words(history_, transaction);
}

/// "T1 comes before T2", more exactly where beginning and end differ.
std::string Story::before_words(const Edge& edge) const {
  const std::string from = label(edge.from.transaction);
  const std::string to = label(edge.to.transaction);
  if (has_one_event(certificate_.level.id)) return from + " comes before " + to;
  return from + (edge.from.is_commit ? " committed" : " began") + " before " + to +
         (edge.to.is_commit ? " committed" : " began");
}

void Story::tell_edge(const FoldedEdge& folded_edge, int depth, ExplainedFact& fact) {
  const Edge& edge = folded_edge.first;
  fact.kind = edge.kind;
  fact.from = id_of(folded_edge.from_transaction());
  fact.to = id_of(folded_edge.to_transaction());
  if (edge.step != Propagation::none && facts_.is_true(edge.literal) &&
      proof_.step(edge.step).kind == Step::path) {
    const ProofLiteral meaning = proof_.meaning(edge.literal);
    fact.text = before_words(edge) + ", " +
                by_chain(meaning.before, meaning.after, place_of(edge), depth + 1, fact.because) +
                ".";
    return;
  }
  switch (edge.kind) {
    case FactKind::session_order:
    case FactKind::real_time:
      return tell_times(folded_edge, fact);
    case FactKind::initial_state:
      fact.text = label(edge.to.transaction) + " comes after the initial state.";
      return;
    case FactKind::read_dependency:
      tell_read_dependency(edge, depth, fact);
      return tell_outcomes(edge, depth, fact);
    case FactKind::anti_dependency:
      tell_anti_dependency(edge, depth, fact);
      return tell_outcomes(edge, depth, fact);
    case FactKind::overwrite:
      tell_overwrite(edge, depth, fact);
      return tell_outcomes(edge, depth, fact);
    default:
      fact.text = "In this case " +
                  literal_words(reads_, certificate_.level, proof_.meaning(edge.literal)) + ".";
      return;
  }
}

}  // namespace isoscope::report
