#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/protocol/export.h"
#include "protocol/explore/search.h"

namespace isoscope::protocol {

namespace {

std::string text_of(const Finding& finding, std::string_view axiom) {
  std::string text(text_of(finding.obstacle));
  switch (finding.obstacle) {
    case Obstacle::not_last_write:
      text +=
          ": of " + key_name(finding.key) + ", that of " + transaction_name(finding.transaction);
      break;
    case Obstacle::missing_version:
      text += ": " + key_name(finding.key) + " from " + transaction_name(finding.transaction);
      break;
    case Obstacle::not_witnessed:
      text += ": axiom " + std::string(axiom);
      break;
    default:
      break;
  }
  return text;
}

}  // namespace

// What a suspect breaks in version order is noted once for each level; then the judge is asked
// about what clients saw, the weakest level first, since all stronger levels forbid what that one
// forbids.
void Search::investigate(const Suspect& suspect) {
  const Levels open = open_levels();
  Levels& known = judged_observations_[suspect.observation];
  // Two ways to a state can differ in which transaction was first. Unless that is part of the
  // state, a history says nothing about real time that holds for the state.
  const Levels timeless = system_.cells().remembered_time() == RememberedTime::order
                              ? 0
                              : level_bit(AbstractLevel::sser);
  const Levels to_judge = options_.judge ? suspect.levels & open & ~known & ~timeless : 0;
  const Levels newly_broken = suspect.report.broken & asked_ & ~seen_broken_;
  known |= suspect.levels;
  if (to_judge == 0 && newly_broken == 0) return;

  const Replayed run = replay(suspect);
  const History history = history_of(system_.model(), run.trace);
  std::optional<std::size_t> number;
  const auto counterexample = [&](std::size_t level) {
    if (!number) {
      number = result_.counterexamples.size();
      result_.counterexamples.push_back({run.trace, history, {}});
      std::string& why = result_.counterexamples.back().why;
      const Finding& finding = run.report.findings[level];
      if (finding.obstacle != Obstacle::nothing) {
        why = text_of(finding, run.report.axiom);
      } else {
        why = "clients see what the level forbids, after a step that the model's map hides";
      }
    }
    return *number;
  };
  const auto settle = [&](std::size_t level, LevelOutcome::Kind kind) {
    result_.levels[level] = {kind, counterexample(level)};
  };
  for (std::size_t level = 0; level < abstract_level_count; ++level) {
    if ((newly_broken >> level & 1) != 0) {
      settle(level, LevelOutcome::Kind::violated_in_version_order);
      seen_broken_ |= 1u << level;
    }
  }
  // The strongest first: what it allows, no other forbids.
  Levels allowed = 0;
  for (std::size_t level = abstract_level_count; level-- > 0;) {
    if (((to_judge & ~allowed) >> level & 1) == 0) continue;
    const auto asked = static_cast<AbstractLevel>(level);
    const Opinion opinion = options_.judge(history, asked);
    for (std::size_t other = 0; other < abstract_level_count; ++other) {
      const auto related = static_cast<AbstractLevel>(other);
      if (opinion == Opinion::allows && implies(asked, related)) allowed |= 1u << other;
      if (opinion == Opinion::forbids && implies(related, asked) &&
          (open & ~confirmed_ & 1u << other) != 0) {
        settle(other, LevelOutcome::Kind::violated);
        confirmed_ |= 1u << other;
      }
    }
  }
}

Search::Replayed Search::start_of(std::uint32_t root) const {
  const Cells& cells = system_.cells();
  Replayed result;
  result.last = packing_.roots()[root].values;
  const std::vector<std::uint8_t>& values = result.last;
  Trace& trace = result.trace;
  trace.sizes = cells.instance().sizes();
  trace.start = cells.state(values.data());
  for (std::uint32_t order = 0; order < system_.model().orders.size(); ++order) {
    std::vector<std::uint8_t>& places = trace.orders.emplace_back(cells.transactions(), 0);
    for (std::size_t t = 0; t < cells.transactions(); ++t) {
      for (std::size_t u = 0; u < cells.transactions(); ++u) {
        places[t] = static_cast<std::uint8_t>(places[t] + values[cells.order(order, u, t)]);
      }
    }
  }
  return result;
}

// The states on the way are known only up to renaming. So the run is done again from the start, at
// each step with an action whose result is a renaming of the state that comes next.
Search::Replayed Search::replay(const Suspect& suspect) const {
  std::vector<StateId> path;
  for (StateId at = suspect.from; at != no_state; at = states_.predecessor(at)) path.push_back(at);
  std::ranges::reverse(path);

  const std::uint32_t root = packing_.root_of(states_.packed(path[0]));
  Replayed result = start_of(root);
  Trace& trace = result.trace;
  std::vector<std::uint8_t>& values = result.last;
  std::vector<std::uint8_t> next(values);
  std::vector<std::uint64_t> packed(packing_.words());
  Monitor monitor(system_, watchlist_);
  const auto step = [&](const std::uint64_t* wanted, bool is_last) {
    const std::vector<Action>& actions = system_.actions();
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Action& action = actions[i];
      if (is_last && action.event != actions[suspect.action].event) continue;
      if (!system_.is_enabled(action, values.data())) continue;
      next = values;
      system_.apply(action, values.data(), next.data());
      packing_.pack_least(root, next.data(), packed.data());
      if (!std::equal(packed.begin(), packed.end(), wanted)) continue;
      if (is_last) {
        result.report = monitor.check(i, values.data(), next.data(), asked_);
        if ((suspect.report.broken & ~result.report.broken) != 0) continue;
      }
      trace.steps.push_back({action.event, action.parameters});
      values = next;
      return;
    }
    ISOSCOPE_ENSURE(false);
  };
  for (std::size_t i = 1; i < path.size(); ++i) step(states_.packed(path[i]), false);

  std::vector<std::uint8_t> from(values.size()), to;
  packing_.unpack(states_.packed(suspect.from), from.data());
  to = from;
  system_.apply(system_.actions()[suspect.action], from.data(), to.data());
  std::vector<std::uint64_t> last(packing_.words());
  packing_.pack_least(root, to.data(), last.data());
  step(last.data(), true);
  return result;
}

}  // namespace isoscope::protocol
