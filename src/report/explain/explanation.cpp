#include "isoscope/report/explanation.h"

#include <algorithm>
#include <set>

#include "isoscope/base/words.h"
#include "report/explain/fact_words.h"
#include "report/explain/story.h"
#include "report/proof/case_tree.h"
#include "report/proof/direct_order.h"

namespace isoscope::report {

namespace {

/// The maximum number of cases that are told: nobody reads more.
constexpr std::size_t most_told = 12;
/// The maximum number of suppositions that are told of the one case that stands for too many.
constexpr std::size_t most_suppositions = 3;

std::size_t leaf_count(const ExplainedCase& one) {
  if (one.cases.empty()) return 1;
  std::size_t count = 0;
  for (const ExplainedCase& child : one.cases) count += leaf_count(child);
  return count;
}

void collect(const ExplainedFact& fact, std::vector<OperationRef>& into) {
  into.insert(into.end(), fact.operations.begin(), fact.operations.end());
  for (const ExplainedFact& reason : fact.because) collect(reason, into);
}

void collect(const ExplainedCase& one, std::vector<OperationRef>& into) {
  for (const ExplainedFact& fact : one.cycle) collect(fact, into);
  for (const ExplainedCase& child : one.cases) collect(child, into);
}

class Explainer {
 public:
  Explainer(const History& history, const Certificate& certificate, const Limits& limits)
      : history_(history),
        limits_(limits),
        certificate_(with_direct_order(history, certificate)),
        reads_(history),
        proof_(reads_, certificate_, certificate_.steps.size() - certificate.steps.size()),
        facts_(proof_) {}

  Explanation run() {
    Explanation result;
    const CaseSearch search = find_cases(proof_, facts_, limits_);
    if (search.tree != nullptr && search.leaves <= most_told) {
      result.whole = tell(*search.tree);
      result.case_count = result.told_count = leaf_count(result.whole);
    } else {
      tell_first(search, result);
    }
    if (result.failed) return result;
    const bool all_told = result.told_count == result.case_count && !result.more_cases;
    for (const LevelEntry& row : levels()) {
      const bool told = all_told && std::ranges::count(levels_, row.id) != 0;
      if (told || implies(Level{row.id}, certificate_.level)) {
        result.levels_ruled_out.push_back(row.id);
      }
    }
    collect(result.whole, result.operations);
    std::ranges::sort(result.operations);
    const auto again = std::ranges::unique(result.operations);
    result.operations.erase(again.begin(), again.end());
    return result;
  }

 private:
  ExplainedCase tell(const CaseTree& tree) {
    if (tree.is_leaf()) {
      Story story(history_, certificate_, proof_, facts_, told_);
      ExplainedCase result = story.tell();
      levels_ = story.levels_ruled_out();
      return result;
    }
    ExplainedCase result;
    std::vector<Anomaly> names;
    std::vector<Anomaly> classes;
    std::optional<std::vector<LevelId>> in_all;
    for (const CaseTree* side : {tree.if_true.get(), tree.if_false.get()}) {
      const bool first = side == tree.if_true.get();
      const ProofClauses::Literal supposed =
          first ? tree.supposed : ProofClauses::negation(tree.supposed);
      facts_.suppose(supposed);
      ExplainedCase one = tell(*side);
      facts_.take_back();
      one.supposition = words(supposed);
      in_all = in_all ? common_levels(*in_all, levels_) : levels_;
      if (one.anomaly) names.push_back(*one.anomaly);
      if (one.cycle_class) classes.push_back(*one.cycle_class);
      result.cases.push_back(std::move(one));
    }
    levels_ = *in_all;
    if (names.size() == result.cases.size()) {
      result.anomaly = common_name(certificate_.level, names);
      result.cycle_class = common_name(certificate_.level, classes);
    }
    return result;
  }

  /// There are too many cases. What they are about is told, and the first of them.
  void tell_first(const CaseSearch& search, Explanation& result) {
    result.case_count = search.leaves;
    result.told_count = 0;
    result.more_cases = search.tree == nullptr;
    result.failed = search.is_consistent;
    if (result.failed) return;
    count_involved(result);
    if (search.leaves == 0) return;
    std::vector<std::string> suppositions;
    for (const ProofClauses::Literal supposed : search.first_case) {
      suppositions.push_back(words(supposed));
      if (facts_.is_open(supposed)) facts_.suppose(supposed);
    }
    if (!facts_.conflict()) {
      result.failed = true;
      return;
    }
    Story story(history_, certificate_, proof_, facts_, told_);
    ExplainedCase first = story.tell();
    if (suppositions.size() > most_suppositions) {
      const std::size_t others = suppositions.size() - most_suppositions;
      suppositions.resize(most_suppositions);
      suppositions.push_back(counted(others, "more supposition"));
    }
    first.supposition = listed(suppositions, " and ");
    result.told_count = leaf_count(first);
    result.whole.cases.push_back(std::move(first));
  }

  /// A lemma is where the solver had to choose: its transactions are those whose order is the
  /// question.
  void count_involved(Explanation& result) const {
    std::set<std::uint32_t> transactions;
    std::set<KeyId> keys;
    for (std::size_t i = 0; i < proof_.step_count(); ++i) {
      if (!proof_.is_lemma(i)) continue;
      for (const ProofClauses::Literal literal : proof_.clause(i)) {
        const ProofLiteral meant = proof_.meaning(literal);
        transactions.insert({meant.before.transaction, meant.after.transaction, meant.writer,
                             meant.read.transaction});
        if (meant.kind == ProofLiteral::Kind::selection) keys.insert(reads_.key(meant.read));
      }
    }
    transactions.erase(0);  // the initial state, or nothing
    result.transactions_involved = transactions.size();
    result.keys_involved = keys.size();
  }

  std::string words(ProofClauses::Literal literal) const {
    return literal_words(reads_, certificate_.level, proof_.meaning(literal));
  }

  const History& history_;
  const Limits& limits_;
  const Certificate certificate_;
  Reads reads_;
  ProofClauses proof_;
  Propagation facts_;
  ToldFacts told_;
  std::vector<LevelId> levels_;  // that what was told last rules out
};

}  // namespace

std::string_view name_of(FactKind kind) {
  switch (kind) {
    case FactKind::session_order:
      return "session-order";
    case FactKind::real_time:
      return "real-time";
    case FactKind::initial_state:
      return "initial-state";
    case FactKind::read_dependency:
      return "wr";
    case FactKind::overwrite:
      return "ww";
    case FactKind::anti_dependency:
      return "rw";
    case FactKind::supposed:
      return "supposed";
    case FactKind::source:
      return "source";
    case FactKind::outcome:
      return "outcome";
  }
  return "";
}

bool has_stories(const Certificate& refutation) {
  const LevelId level = refutation.level.id;
  const auto is_of_moments = [](const ProofStep& step) {
    return step.kind != ProofStep::Kind::sees && step.kind != ProofStep::Kind::base;
  };
  return (!needs_version_3(level) || level == LevelId::prefix_consistency ||
          level == LevelId::repeatable_read) &&
         std::ranges::all_of(refutation.steps, is_of_moments);
}

Explanation explain(const History& history, const Certificate& certificate, const Limits& limits) {
  return Explainer(history, certificate, limits).run();
}

}  // namespace isoscope::report
