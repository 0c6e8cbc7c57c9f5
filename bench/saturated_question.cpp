#include "saturated_question.h"

#include <memory>

#include "check/reads/accesses.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/rules.h"
#include "check/strong/saturation/clocks.h"
#include "check/strong/saturation/known_graph.h"
#include "check/strong/saturation/saturation.h"
#include "check/strong/saturation/start_order.h"

namespace isoscope {

namespace {

/// What outlives the saturation, for `certainly`.
struct Known {
  strong::OrderProblem problem;
  strong::Clocks clocks;

  bool certainly(std::uint32_t from, std::uint32_t to) const {
    if (from <= problem.commit(0)) return true;
    return clocks.reaches(from, to);
  }
};

OrderQuestion question_of(const strong::OrderProblem& p) {
  OrderQuestion question;
  question.begin_is_commit = p.rules.begin_is_commit;
  question.writers_conflict = p.rules.writers_conflict;
  question.transactions = p.size();
  question.open = p.open;
  question.writers.resize(p.key_count());
  for (const strong::Version& version : p.versions) {
    if (version.writer != 0) question.writers[version.key.index()].push_back(version.writer);
  }
  for (const strong::Read& read : p.reads) {
    OrderQuestion::Read& made = question.reads.emplace_back();
    made.reader = read.reader;
    made.key = read.key.value;
    if (read.source != strong::none) {
      made.candidates = {p.versions[read.source].writer};
      continue;
    }
    for (const strong::VersionId version : p.candidates_of(read)) {
      made.candidates.push_back(p.versions[version].writer);
    }
  }
  return question;
}

}  // namespace

std::optional<SaturatedQuestion> saturated_question(const History& history, Level level) {
  const auto rules = strong::rules_of(level.id);
  if (!rules) return std::nullopt;
  std::vector<std::uint8_t> takes_part(history.transaction_count(), 0);
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::indeterminate) return std::nullopt;
    takes_part[t.index()] = history.outcome(t) == Outcome::committed ? 1 : 0;
  }
  KeyAccesses accesses;
  if (KeyAccesses::collect(history, Limits::none(), accesses)) return std::nullopt;
  const auto known = std::make_shared<Known>();
  strong::OrderProblem& p = known->problem;
  const strong::LikelyTimes likely(history, takes_part, true);
  const strong::ProblemInput input{history, accesses, takes_part, likely, *rules};
  // None is indeterminate, so nothing cuts a session.
  const auto cover =
      strong::session_chains(history, takes_part, {.session_order = level.session_order});
  if (strong::build_problem(input, cover, p)) return std::nullopt;

  strong::KnownGraph graph(p.node_count(), p.reads.size());
  known->clocks = strong::clocks_by_chain(p);
  strong::Saturation saturation(p, graph, known->clocks, Limits::none(), Progress::silent());
  saturation.start();
  const Digraph before = strong::whole_graph(p, graph);
  std::vector<std::uint64_t> times = strong::likely_event_times(likely, p);
  const auto order =
      strong::reconciled_order(p, before, likely.are_places(), times, Limits::none());
  SaturatedQuestion result;
  result.contradiction = !order;
  if (order) {
    strong::sort_versions(p, *order, Limits::none());
    if (saturation.run(before, *order)) return std::nullopt;
    result.contradiction = saturation.contradiction().has_value();
  }
  result.question = question_of(p);
  const Digraph whole = strong::whole_graph(p, graph);
  for (std::uint32_t node = 0; node < whole.node_count(); ++node) {
    for (const std::uint32_t next : whole.successors(node)) result.edges.push_back({node, next});
    result.chain_of.push_back(p.chain_of(node).value);
  }
  result.chains = p.all_chains();
  result.question.known = result.edges;
  result.question.certainly = [known](std::uint32_t from, std::uint32_t to) {
    return known->certainly(from, to);
  };
  return result;
}

}  // namespace isoscope
