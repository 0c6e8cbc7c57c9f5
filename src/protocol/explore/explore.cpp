#include "isoscope/protocol/explore.h"

#include <algorithm>

#include "protocol/explore/search.h"
#include "protocol/explore/walk.h"
#include "protocol/model/told_reads.h"

namespace isoscope::protocol {

bool Exploration::breaks_invariant() const {
  return std::ranges::any_of(
      invariants, [](const InvariantOutcome& one) { return one.counterexample.has_value(); });
}

std::vector<AbstractLevel> Exploration::strongest() const {
  const auto stands = [&](AbstractLevel level) {
    return at(level).kind == LevelOutcome::Kind::not_refuted;
  };
  std::vector<AbstractLevel> result;
  for (std::size_t i = abstract_level_count; i-- > 0;) {
    const auto level = static_cast<AbstractLevel>(i);
    if (!stands(level)) continue;
    if (std::ranges::none_of(result, [&](AbstractLevel other) { return implies(other, level); })) {
      result.push_back(level);
    }
  }
  return result;
}

Result<std::vector<Shape>> read_shapes(std::string_view text) {
  std::vector<Shape> shapes(1);
  std::size_t at = 0;
  const auto wrong = [&](const std::string& what) {
    return Error{
        .what = what + " in the shapes '" + std::string(text) + "'; an example: 'w(x)w(y), r(x)'",
        .kind = ErrorKind::usage};
  };
  const auto skip_blanks = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  const auto name_at = [&] {
    const std::size_t first = at;
    while (at < text.size() && text[at] != '(' && text[at] != ')' && text[at] != ',' &&
           text[at] != ' ') {
      ++at;
    }
    return std::string(text.substr(first, at - first));
  };
  for (skip_blanks(); at < text.size(); skip_blanks()) {
    if (text[at] == ',') {
      ++at;
      shapes.emplace_back();
      continue;
    }
    const std::string constant = name_at();
    if (constant == "-") continue;
    if (constant.empty() || at == text.size() || text[at] != '(')
      return wrong("expected NAME(KEY)");
    ++at;
    skip_blanks();
    const std::string key = name_at();
    skip_blanks();
    if (at == text.size() || text[at] != ')') return wrong("expected ')'");
    ++at;
    std::size_t number = 0;
    while (number < 64 && key_name(number) != key) ++number;
    if (number == 64) return wrong("'" + key + "' is no key (x, y, z, x4, x5...)");
    shapes.back().accesses.push_back({constant, static_cast<std::uint8_t>(number)});
  }
  return shapes;
}

namespace {

/// A state with more of them would take long to pack, and there would be too many states anyway.
constexpr std::size_t most_places = 20'000;

/// How many values make up a state.
std::size_t places_of(const Model& model, Sizes sizes) {
  std::size_t all = 0;
  for (const Component& component : model.components) {
    std::size_t places = 1;
    for (const Sort sort : component.parameters) {
      places *= sort == Sort::client ? sizes.clients
                : sort == Sort::key  ? sizes.keys
                                     : sizes.clients * sizes.transactions + 1;
    }
    all += places;
  }
  return all;
}

/// Leaves out the counterexamples of no level and no invariant.
void keep_used(Exploration& result) {
  std::vector<Counterexample> used;
  std::vector<std::optional<std::size_t>> place(result.counterexamples.size());
  const auto keep = [&](std::optional<std::size_t>& number) {
    if (!number) return;
    std::optional<std::size_t>& now = place[*number];
    if (!now) {
      now = used.size();
      used.push_back(std::move(result.counterexamples[*number]));
    }
    number = now;
  };
  for (LevelOutcome& outcome : result.levels) keep(outcome.counterexample);
  for (InvariantOutcome& outcome : result.invariants) keep(outcome.counterexample);
  result.counterexamples = std::move(used);
}

/// Random runs from the starts that are explored, until transactions have overlapped some times.
void add_random_runs(const System& system, const Packing& packing, const ExploreOptions& options,
                     Coverage& coverage) {
  constexpr std::size_t most_runs = 10'000, enough_overlaps = 10;
  Random random(1);
  Walk walk(system);
  Coverage seen;
  while (seen.runs < most_runs && seen.runs_with_overlap < enough_overlaps) {
    if (options.limits.get().reached_now()) break;
    walk.run(packing.roots()[random.below(packing.roots().size())].values, random, seen);
  }
  coverage.runs = seen.runs;
  coverage.runs_with_overlap = seen.runs_with_overlap;
  coverage.has_others = options.sizes.clients * options.sizes.transactions > 1;
}

/// The conditions under which clients are told of all reads are looked at like the model's own
/// invariants, and stand behind them in the list.
void move_hidden_reads(const Model& model, Exploration& result) {
  for (std::size_t i = model.invariants.size(); i < result.invariants.size(); ++i) {
    const auto number = result.invariants[i].counterexample;
    if (!number) continue;
    const std::string& why = result.counterexamples[*number].why;
    result.coverage.hidden.push_back("`observe` does not tell of a read: " +
                                     why.substr(0, why.find(", but not: ")));
  }
  result.invariants.resize(model.invariants.size());
  keep_used(result);
}

Result<Exploration> search(const Model& model, const ExploreOptions& options, RememberedTime time) {
  const System system(model, options.sizes, time);
  const std::vector<Renaming> all = renamings(system.cells());
  ISOSCOPE_TRY(roots, roots_of(system, all, options.shapes, options.symmetry));
  const Packing packing(system, all, std::move(roots));
  if (packing.words() > Packing::most_words) {
    return Error{.what = "a state of this size takes " + std::to_string(packing.bits()) +
                         " bits: too many to explore",
                 .kind = ErrorKind::usage};
  }
  Answers answers(system, packing, all);
  Search first_search(system, packing, options, options.eager, answers);
  Exploration result = first_search.run();
  if (result.complete) result.coverage.never_answered = answers.never_answered();
  add_random_runs(system, packing, options, result.coverage);
  if (!first_search.is_eager() || result.counterexamples.empty()) {
    keep_used(result);
    return result;
  }

  // Something is broken, so the search is done once more without haste, for the shortest runs.
  Exploration shortest = Search(system, packing, options, false, answers, &result).run();
  result.states_again = shortest.states;
  const std::size_t first = result.counterexamples.size();
  for (std::size_t level = 0; level < abstract_level_count; ++level) {
    LevelOutcome& outcome = result.levels[level];
    const LevelOutcome& found = shortest.levels[level];
    if (!outcome.counterexample || found.kind != outcome.kind) continue;
    outcome.counterexample = first + *found.counterexample;
  }
  for (std::size_t i = 0; i < result.invariants.size(); ++i) {
    if (const auto found = shortest.invariants[i].counterexample)
      result.invariants[i].counterexample = first + *found;
  }
  for (Counterexample& one : shortest.counterexamples) {
    result.counterexamples.push_back(std::move(one));
  }
  keep_used(result);
  return result;
}

Status check_options(const Model& model, const ExploreOptions& options) {
  const Sizes sizes = options.sizes;
  if (sizes.clients == 0 || sizes.keys == 0 || sizes.transactions == 0) {
    return Error{.what = "there must be at least one client, one key and one transaction",
                 .kind = ErrorKind::usage};
  }
  if (sizes.clients > most_transactions || sizes.transactions > most_transactions ||
      sizes.clients * sizes.transactions >= most_transactions || sizes.keys > most_keys) {
    return Error{.what = "at most " + std::to_string(most_transactions - 1) + " transactions and " +
                         std::to_string(most_keys) + " keys can be explored",
                 .kind = ErrorKind::usage};
  }
  if (!model.refinement && !model.witness && !options.without_levels) {
    return Error{.what = model.name +
                         ": the model has neither a map nor a witness: nothing to check it against",
                 .kind = ErrorKind::usage};
  }
  if (const std::size_t places = places_of(model, sizes); places > most_places) {
    return Error{.what = "a state of this size has " + std::to_string(places) +
                         " places: too many to explore",
                 .kind = ErrorKind::usage};
  }
  return Done{};
}

RememberedTime time_to_remember(const Model& model, const ExploreOptions& options) {
  if (options.level && entry_of(*options.level).real_time) return RememberedTime::order;
  const bool has_times = std::ranges::any_of(
      model.events, [](const Event& event) { return event.begins || event.answers; });
  return has_times && !options.level && !options.without_levels && !model.witness
             ? RememberedTime::ends
             : RememberedTime::nothing;
}

/// The states of the first search do not say which transaction was first. So a search of its own
/// finds out whether clients can see a break of real time. For a witness it finds out whether the
/// order keeps real time at all.
Status search_real_time(const Model& model, const ExploreOptions& options, Exploration& result) {
  LevelOutcome& strict = result.levels[static_cast<std::size_t>(AbstractLevel::sser)];
  const bool was_unknown = strict.kind == LevelOutcome::Kind::not_checked;
  ExploreOptions again = options;
  again.level = AbstractLevel::sser;
  Model without_invariants = model;  // these are known
  without_invariants.invariants.clear();
  ISOSCOPE_TRY(second, search(without_invariants, again, RememberedTime::order));
  const LevelOutcome found = second.at(AbstractLevel::sser);
  const bool is_settled = found.kind == LevelOutcome::Kind::violated;
  if (was_unknown || is_settled) {
    strict = found;
    if (found.counterexample) {
      strict.counterexample = result.counterexamples.size();
      result.counterexamples.push_back(std::move(second.counterexamples[*found.counterexample]));
    }
    keep_used(result);
  }
  if (was_unknown && !is_settled && !second.complete && result.complete) {
    result.complete = false;
    result.stopped = second.stopped;
  }
  return Done{};
}

}  // namespace

Result<Exploration> explore(const Model& model, const ExploreOptions& options) {
  ISOSCOPE_TRY_STATUS(check_options(model, options));
  Model with_told_reads = model;
  std::ranges::move(told_reads(model), std::back_inserter(with_told_reads.invariants));
  ISOSCOPE_TRY(result, search(with_told_reads, options, time_to_remember(model, options)));
  move_hidden_reads(model, result);
  if (options.level || options.without_levels) return result;

  LevelOutcome& strict = result.levels[static_cast<std::size_t>(AbstractLevel::sser)];
  const LevelOutcome& serial = result.at(AbstractLevel::ser);
  if (strict.kind == LevelOutcome::Kind::not_checked && serial.counterexample) strict = serial;
  const bool claims_it = std::ranges::find(model.claims, "SSER") != model.claims.end();
  if ((strict.kind == LevelOutcome::Kind::violated_in_version_order && options.judge) ||
      (strict.kind == LevelOutcome::Kind::not_checked && claims_it)) {
    ISOSCOPE_TRY_STATUS(search_real_time(model, options, result));
  }
  return result;
}

}  // namespace isoscope::protocol
