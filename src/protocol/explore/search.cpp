#include "protocol/explore/search.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "protocol/explore/local.h"

namespace isoscope::protocol {

namespace {

// The parts of the work must not depend on the number of threads, or the order in which states are
// found would.
constexpr std::size_t states_per_part = 64;
constexpr std::size_t parts_at_once = 64;

}  // namespace

void Part::reset() {
  std::vector<std::uint64_t> fired = std::move(coverage.fired);
  std::ranges::fill(fired, 0);
  coverage = {};
  coverage.fired = std::move(fired);
  steps = 0;
  map_broken = false;
  stopped = false;
  suspects.clear();
  broken_invariants.clear();
  answers.clear();
  untold_commits.clear();
  observations.clear();
  for (auto& some : found) some.clear();
}

Search::Search(const System& system, const Packing& packing, const ExploreOptions& options,
               bool eager, Answers& answers, const Exploration* known)
    : system_(system),
      packing_(packing),
      options_(options),
      answers_(answers),
      watchlist_(system),
      states_(packing.words()),
      workers_(options.threads) {
  for (std::size_t i = 0; i < parts_at_once; ++i) {
    parts_.emplace_back(system, watchlist_);
    parts_.back().packed.resize(packing.words());
  }
  for (const AbstractLevelEntry& entry : abstract_levels()) {
    LevelOutcome& outcome = result_.levels[static_cast<std::size_t>(entry.level)];
    if (options.without_levels || (options.level && entry.level != *options.level)) {
      outcome.kind = LevelOutcome::Kind::not_checked;
    } else if (system.model().witness && entry.real_time &&
               system.cells().remembered_time() != RememberedTime::order) {
      outcome.kind = LevelOutcome::Kind::not_checked;
    } else {
      asked_ |= level_bit(entry.level);
    }
  }
  result_.invariants.resize(system.invariants().size());
  if (known != nullptr) {
    looks_again_ = true;
    for (std::uint32_t i = 0; i < known->invariants.size(); ++i) {
      if (known->invariants[i].counterexample) known_broken_.push_back(i);
    }
    asked_ = 0;
    for (std::size_t level = 0; level < abstract_level_count; ++level) {
      const LevelOutcome::Kind kind = known->levels[level].kind;
      const Levels bit = 1u << level;
      if (kind == LevelOutcome::Kind::violated) asked_ |= bit;
      if (kind == LevelOutcome::Kind::violated_in_version_order) {
        asked_ |= bit;
        enough_ |= bit;
      }
    }
  } else if (!options.judge) {
    enough_ = asked_;
  }
  if (eager) {
    const std::vector<bool> local = local_actions(system);
    for (std::uint32_t i = 0; i < local.size(); ++i) {
      if (local[i]) local_.push_back(i);
    }
  }
  result_.coverage.fired.assign(system.model().events.size(), 0);
  result_.starts = packing.roots().size();
  result_.bits_per_state = packing.bits();
}

Levels Search::open_levels() const { return asked_ & ~(confirmed_ | (seen_broken_ & enough_)); }

/// The search is done if all levels are broken, because invariants that are not broken do not
/// matter any more then; or if all that was to be found again is found.
bool Search::is_done() const {
  if (open_levels() != 0) return false;
  if (!looks_again_) return asked_ != 0;
  return std::ranges::all_of(known_broken_, [&](std::uint32_t i) {
    return result_.invariants[i].counterexample.has_value();
  });
}

Exploration Search::run() {
  Progress& progress = options_.progress;
  progress.phase("exploring", 0);
  add_roots();
  std::vector<std::size_t> done(StateSet::shard_count, 0);
  bool goes_on = true;
  for (std::uint64_t depth = 0; goes_on; ++depth) {
    const std::vector<Range> ranges = frontier(done);
    if (ranges.empty()) break;
    result_.depth = depth;
    for (std::size_t first = 0; first < ranges.size() && goes_on; first += parts_at_once) {
      const std::size_t last = std::min(ranges.size(), first + parts_at_once);
      goes_on = expand(std::span(ranges).subspan(first, last - first));
      progress.advance(states_.size());
    }
  }
  progress.finish();
  result_.complete = goes_on;
  result_.states = states_.size();
  result_.memory = states_.memory();
  return std::move(result_);
}

void Search::add_roots() {
  std::vector<std::uint64_t> packed(packing_.words());
  for (std::uint32_t root = 0; root < packing_.roots().size(); ++root) {
    for (std::uint32_t i = 0; i < system_.invariants().size(); ++i) {
      if (result_.invariants[i].counterexample) continue;
      const Values values = packing_.roots()[root].values.data();
      if (!system_.diagrams().holds(system_.invariants()[i], values)) note(i, start_of(root));
    }
    packing_.pack_least(root, packing_.roots()[root].values.data(), packed.data());
    states_.add(packed.data(), hash_of(packed.data(), packed.size()), no_state);
  }
}

std::vector<Search::Range> Search::frontier(std::vector<std::size_t>& done) const {
  std::vector<Range> result;
  for (std::size_t shard = 0; shard < StateSet::shard_count; ++shard) {
    const std::size_t last = states_.size_of_shard(shard);
    for (std::size_t first = done[shard]; first < last; first += states_per_part) {
      result.push_back({shard, first, std::min(last, first + states_per_part)});
    }
    done[shard] = last;
  }
  return result;
}

bool Search::expand(std::span<const Range> ranges) {
  workers_.run(ranges.size(), [&](std::size_t i) { expand(ranges[i], parts_[i]); });

  const std::span<const Part> parts(parts_.data(), ranges.size());
  for (const Part& part : parts) {
    result_.coverage.add(part.coverage);
    result_.steps += part.steps;
    for (const Suspect& suspect : part.suspects) investigate(suspect);
    for (const BrokenInvariant& broken : part.broken_invariants) note(broken);
    map_broken_ |= part.map_broken;
    answers_.add(part.answers);
    for (const std::uint32_t event : part.untold_commits) note_untold_commit(event);
  }
  if (is_done()) {
    result_.stopped = options_.level ? "the level is violated" : "all levels are violated";
    return false;
  }
  const std::size_t stride = packing_.words() + 2;
  const auto enter = [&](std::size_t shard) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::vector<std::uint64_t>& found = parts_[i].found[shard];
      for (std::size_t at = 0; at < found.size(); at += stride) {
        states_.add(&found[at], found[at + stride - 2],
                    static_cast<StateId>(found[at + stride - 1]));
      }
    }
  };
  (ranges.size() < 4 ? Workers(1) : workers_).run(StateSet::shard_count, enter);

  if (const auto reason = options_.limits.get().reached_now()) {
    result_.stopped = name_of(*reason);
    return false;
  }
  if (states_.size() > options_.max_states) {
    result_.stopped = "more than " + std::to_string(options_.max_states) + " states";
    return false;
  }
  return true;
}

void Search::expand(const Range& range, Part& part) const {
  part.reset();
  const auto& actions = system_.actions();
  for (std::size_t index = range.first; index < range.last && !part.stopped; ++index) {
    const StateId from = StateSet::id(range.shard, index);
    packing_.unpack(states_.packed(from), part.values.data());
    const bool took_local_step = take_local_step(from, part);
    for (std::size_t action = 0; action < actions.size() && !took_local_step; ++action) {
      if (system_.is_enabled(actions[action], part.values.data())) look_at(from, action, part);
    }
    part.stopped = options_.limits.get().reached().has_value();
  }
}

std::uint64_t Search::pack_next(StateId from, std::size_t number, Part& part) const {
  std::ranges::copy(part.values, part.next.data());
  system_.apply(system_.actions()[number], part.values.data(), part.next.data());
  const std::uint32_t root = packing_.root_of(states_.packed(from));
  packing_.pack_least(root, part.next.data(), part.packed.data());
  return hash_of(part.packed.data(), part.packed.size());
}

bool Search::take_local_step(StateId from, Part& part) const {
  for (const std::uint32_t number : local_) {
    if (!system_.is_enabled(system_.actions()[number], part.values.data())) continue;
    const std::uint64_t hash = pack_next(from, number, part);
    if (states_.contains(part.packed.data(), hash)) continue;
    look_at(from, number, part);
    return true;
  }
  return false;
}

void Search::cover(StateId from, std::size_t number, Part& part) const {
  const Action& action = system_.actions()[number];
  const std::optional<std::uint32_t> answers = system_.model().events[action.event].answers;
  const std::uint8_t* next = part.next.data();
  Answers::Step step{.root = packing_.root_of(states_.packed(from))};
  step.committed = part.monitor.cover(number, part.values.data(), next, part.coverage);
  if (action.commits && !part.monitor.is_seen_committed(*action.commits, next) &&
      std::ranges::find(part.untold_commits, action.event) == part.untold_commits.end())
    part.untold_commits.push_back(action.event);
  if (!answers_.are_asked_for()) return;
  if (answers) step.answered = part.monitor.committed(action.parameters[*answers], next);
  if (answers_.is_new(step)) part.answers.push_back(step);
}

void Search::note_untold_commit(std::uint32_t event) {
  const std::string reason =
      "`observe` does not tell of a commit: that of event " + system_.model().events[event].name;
  std::vector<std::string>& hidden = result_.coverage.hidden;
  if (std::ranges::find(hidden, reason) == hidden.end()) hidden.push_back(reason);
}

void Search::look_at(StateId from, std::size_t number, Part& part) const {
  const Action& action = system_.actions()[number];
  const std::uint64_t hash = pack_next(from, number, part);
  const std::uint8_t* values = part.values.data();
  const std::uint8_t* next = part.next.data();
  ++part.coverage.fired[action.event];
  ++part.steps;
  cover(from, number, part);

  const Levels open = open_levels();
  Monitor::Report report = part.monitor.check(number, values, next, open);
  part.map_broken |= report.map_broken;
  // Once the map is wrong, what it says of later steps tells nothing; histories still do.
  const Levels levels =
      report.broken | ((map_broken_ && action.commits) || report.map_broken ? open : 0);
  if (levels != 0) {
    const std::uint64_t observation = part.monitor.observation_hash(next);
    const auto judged = judged_observations_.find(observation);
    const Levels before = judged == judged_observations_.end() ? 0 : judged->second;
    Levels& here = part.observations[observation];
    if ((levels & ~before & ~here) != 0) {
      here |= levels;
      part.suspects.push_back(
          {from, static_cast<std::uint32_t>(number), report, levels, observation});
    }
  }

  if (states_.contains(part.packed.data(), hash)) return;
  look_for_broken_invariants(number, from, part);
  std::vector<std::uint64_t>& found = part.found[StateSet::shard_of(hash)];
  found.insert(found.end(), part.packed.begin(), part.packed.end());
  found.push_back(hash);
  found.push_back(from);
}

}  // namespace isoscope::protocol
