#include "report/proof/case_tree.h"

#include <algorithm>
#include <tuple>

namespace isoscope::report {

namespace {

using Literal = ProofClauses::Literal;

/// The maximum effort: in propagations, in the steps that these look at, and in leaves. A second is
/// enough for some 50 million steps.
constexpr std::size_t most_tries = 20'000;
constexpr std::uint64_t most_work = 50'000'000;
constexpr std::size_t most_leaves = 2'000;
/// A propagation counts as enough steps to look at the clock after it.
constexpr std::uint32_t look_at_clock = 1024;
constexpr std::size_t most_looked_at = 100;

class Search {
 public:
  Search(const ProofClauses& proof, Propagation& facts, const Limits& limits)
      : facts_(facts), limits_(limits), most_work_(facts.work() + most_work) {
    std::vector<bool> in_lemma(proof.statement_count(), false);
    for (std::uint32_t step = 0; step < proof.step_count(); ++step) {
      if (!proof.is_lemma(step)) continue;
      for (const Literal literal : proof.clause(step)) in_lemma[literal >> 1] = true;
    }
    // The statements of lemmas are tried first, the others only where these do not help.
    for (const bool wanted : {true, false}) {
      for (Literal s = 0; s < proof.statement_count(); ++s) {
        if (in_lemma[s] == wanted) statements_.push_back(s << 1);
      }
    }
  }

  CaseSearch run() {
    Node node = solve();
    if (gave_up_) return {nullptr, leaves_, std::move(first_case_), is_consistent_};
    return {std::move(node.tree), node.leaves, std::move(first_case_)};
  }

 private:
  struct Node {
    std::unique_ptr<CaseTree> tree;
    std::vector<Literal> behind;  ///< the suppositions its refutation needs
    std::size_t leaves = 1;
  };

  Node solve() {
    Node node{std::make_unique<CaseTree>(), {}};
    if (facts_.conflict()) {
      node.behind = facts_.suppositions_behind(facts_.conflict_premises());
      if (leaves_ == 0) first_case_ = node.behind;
      if (++leaves_ > most_leaves) gave_up_ = true;
      return node;
    }
    const std::optional<Literal> split = best_split();
    if (!split && !gave_up_) is_consistent_ = true;
    if (!split) gave_up_ = true;
    if (gave_up_) return node;
    Node sides[2];
    for (const int side : {0, 1}) {
      const Literal supposed = side == 0 ? *split : ProofClauses::negation(*split);
      facts_.suppose(supposed);
      sides[side] = solve();
      facts_.take_back();
      if (gave_up_) return node;
      const auto at = std::ranges::find(sides[side].behind, supposed);
      if (at == sides[side].behind.end()) return std::move(sides[side]);
      sides[side].behind.erase(at);
    }
    node.tree->supposed = *split;
    node.tree->if_true = std::move(sides[0].tree);
    node.tree->if_false = std::move(sides[1].tree);
    node.leaves = sides[0].leaves + sides[1].leaves;
    node.behind = std::move(sides[0].behind);
    for (const Literal other : sides[1].behind) {
      if (std::ranges::find(node.behind, other) == node.behind.end()) {
        node.behind.push_back(other);
      }
    }
    return node;
  }

  std::optional<Literal> best_split() {
    std::optional<Literal> best;
    std::tuple<int, std::size_t, std::size_t> best_score;
    std::size_t looked_at = 0;
    for (const Literal literal : statements_) {
      if (!facts_.is_open(literal)) continue;
      if (++looked_at > most_looked_at) break;
      if (tries_ > most_tries || facts_.work() > most_work_ || limits_.reached(look_at_clock)) {
        gave_up_ = true;
        return best;
      }
      int refuted = 0;
      std::size_t told[2];
      for (const int side : {0, 1}) {
        const std::size_t before = facts_.trail().size();
        refuted += facts_.suppose(side == 0 ? literal : ProofClauses::negation(literal)) ? 0 : 1;
        told[side] = facts_.trail().size() - before;
        facts_.take_back();
        ++tries_;
      }
      const std::tuple score(refuted, std::min(told[0], told[1]), told[0] + told[1]);
      if (!best || score > best_score) {
        best = literal;
        best_score = score;
      }
      if (refuted == 2) break;
    }
    return best;
  }

  Propagation& facts_;
  const Limits& limits_;
  std::uint64_t most_work_;
  std::vector<Literal> statements_;  // the positive literal of each, in the order to try them
  std::size_t tries_ = 0;
  std::size_t leaves_ = 0;
  std::vector<Literal> first_case_;
  bool gave_up_ = false;
  bool is_consistent_ = false;
};

}  // namespace

CaseSearch find_cases(const ProofClauses& proof, Propagation& facts, const Limits& limits) {
  return Search(proof, facts, limits).run();
}

}  // namespace isoscope::report
