#include "isoscope/synth/lattice.h"

#include <algorithm>

namespace isoscope::synth {
namespace {

using spec::Base;
using spec::Definition;
using spec::Structure;

enum class Known : std::uint8_t { nothing, implied, separated };

/// What is known of each pair of levels, while more is found out.
class Exploration {
 public:
  Exploration(const std::vector<const Definition*>& levels, const Scope& scope,
              const Strategy& strategy, const Limits& limits, Progress& progress)
      : levels_(levels),
        scope_(scope),
        strategy_(strategy),
        limits_(limits),
        progress_(progress),
        known_(levels.size(), std::vector<Known>(levels.size(), Known::nothing)),
        allowed_count_(levels.size(), 0),
        extents_(levels.size(), Extent::unknown) {
    for (std::size_t i = 0; i < levels.size(); ++i) known_[i][i] = Known::implied;
    some_look_at_time_ = std::ranges::any_of(
        levels, [](const Definition* level) { return mentions(*level, Base::rt); });
  }

  Result<Lattice> run() {
    progress_.phase("pairs of levels", levels_.size() * levels_.size());
    while (const auto pair = next_pair()) {
      const Status known_now = decide(*pair);
      if (!known_now && limits_.reached_now()) return so_far();
      ISOSCOPE_TRY_STATUS(known_now);
      progress_.advance(decided());
    }
    find_extents();
    Result<Lattice> result = finished();
    if (!result && limits_.reached_now()) return so_far();
    return result;
  }

 private:
  using Pair = Lattice::Pair;

  /// An Error also if a limit was reached.
  Status decide(Pair pair) {
    const auto [i, j] = pair;
    const Question question{.allow = {levels_[i]}, .forbid = {levels_[j]}};
    const Synthesis answer = find_history(question, scope_, strategy_, limits_, silent_);
    if (answer.kind == Synthesis::Kind::stopped) return Error{"stopped"};
    if (answer.kind == Synthesis::Kind::none) {
      ++checks_;
      return note_implied(i, j);
    }
    ISOSCOPE_TRY(separator, judged(question, *answer.found));
    ISOSCOPE_TRY_STATUS(note_separated(separator));
    seen_.push_back(std::move(separator));
    return Done{};
  }

  /// Mostly a history that was found before tells the extent.
  void find_extents() {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      extents_[i] = extent_of(*levels_[i], allowed_count_[i] > 0, allowed_count_[i] < seen_.size(),
                              scope_, strategy_, limits_, silent_);
    }
  }

  std::size_t decided() const {
    std::size_t count = 0;
    for (const auto& row : known_)
      count += row.size() - static_cast<std::size_t>(std::ranges::count(row, Known::nothing));
    return count;
  }

  /// Among the pairs of which nothing is known: the one whose second level allows the fewest
  /// histories more than its first.
  std::optional<Pair> next_pair() const {
    std::optional<Pair> best;
    std::size_t fewest = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      for (std::size_t j = 0; j < levels_.size(); ++j) {
        if (known_[i][j] != Known::nothing) continue;
        const std::size_t more = allowed_count_[j] - allowed_count_[i];
        if (best && more >= fewest) continue;
        best = {i, j};
        fewest = more;
      }
    }
    return best;
  }

  Error contradiction(std::size_t i, std::size_t j) const {
    return {.what = "internal error: " + levels_[i]->name + " and " + levels_[j]->name +
                    ": a history tells them apart, although there is none in the scope",
            .kind = ErrorKind::internal};
  }

  Status note_implied(std::size_t i, std::size_t j) {
    for (std::size_t a = 0; a < levels_.size(); ++a) {
      if (known_[a][i] != Known::implied) continue;
      for (std::size_t b = 0; b < levels_.size(); ++b) {
        if (known_[j][b] != Known::implied) continue;
        if (known_[a][b] == Known::separated) return contradiction(a, b);
        known_[a][b] = Known::implied;
      }
    }
    return Done{};
  }

  Status note_separated(const Lattice::Separator& separator) {
    for (std::size_t a = 0; a < levels_.size(); ++a) {
      allowed_count_[a] += separator.allowed[a] ? 1 : 0;
      for (std::size_t b = 0; b < levels_.size(); ++b) {
        if (!separator.allowed[a] || separator.allowed[b]) continue;
        if (known_[a][b] == Known::implied) return contradiction(a, b);
        known_[a][b] = Known::separated;
      }
    }
    return Done{};
  }

  /// The history with every level's opinion. If real time matters to some level and not to those
  /// of the question, any times will do: one transaction after the other.
  Result<Lattice::Separator> judged(const Question& question, const Found& found) {
    ISOSCOPE_TRY(example, confirmed(question, found, limits_));
    if (some_look_at_time_ && !example.is_timed) {
      Structure& history = example.history;
      for (std::size_t t = 1; t < history.transactions; ++t)
        for (std::size_t s = t + 1; s < history.transactions; ++s) history.rt.add(t, s);
      example.is_timed = true;
    }
    Lattice::Separator separator{std::move(example), {}};
    for (const Definition* level : levels_) {
      const auto allowed = is_allowed(*level, separator.example.history, limits_);
      if (!allowed) {
        return Error{.what = "stopped while judging a history", .kind = ErrorKind::stopped};
      }
      separator.allowed.push_back(allowed->execution.has_value());
    }
    return separator;
  }

  /// What is known of the levels; groups and covers, without histories.
  Lattice known() const {
    Lattice lattice;
    lattice.levels = levels_;
    lattice.checks = checks_;
    lattice.extents = extents_;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      std::vector<bool>& implied = lattice.implies.emplace_back();
      for (std::size_t j = 0; j < levels_.size(); ++j) {
        implied.push_back(known_[i][j] == Known::implied);
        if (known_[i][j] == Known::nothing) lattice.undecided.emplace_back(i, j);
      }
    }
    group(lattice);
    add_covers(lattice);
    return lattice;
  }

  /// The lattice with the histories that were seen, as far as each tells groups apart that no other
  /// history does.
  Lattice so_far() const {
    Lattice lattice = known();
    lattice.is_complete = false;
    for (const Lattice::Group& allowing : lattice.groups) {
      for (const Lattice::Group& forbidding : lattice.groups) {
        const std::size_t i = allowing[0], j = forbidding[0];
        if (known_[i][j] != Known::separated || lattice.separator(i, j)) continue;
        const auto tells = [&](const Lattice::Separator& one) {
          return one.allowed[i] && !one.allowed[j];
        };
        lattice.separators.push_back(*std::ranges::find_if(seen_, tells));
      }
    }
    // One that the other may imply as well is not known to be stronger.
    std::erase_if(lattice.covers, [&](Lattice::Cover& cover) {
      const auto separator =
          lattice.separator(lattice.groups[cover.lower][0], lattice.groups[cover.upper][0]);
      cover.separator = separator.value_or(0);
      return !separator;
    });
    return lattice;
  }

  Result<Lattice> finished() {
    Lattice lattice = known();
    progress_.phase("smallest histories", lattice.covers.size());
    for (std::size_t i = 0; i < lattice.covers.size(); ++i) {
      Lattice::Cover& cover = lattice.covers[i];
      ISOSCOPE_TRY(separator, smallest(lattice, lattice.groups[cover.lower][0],
                                       lattice.groups[cover.upper][0]));
      cover.separator = separator;
      progress_.advance(i + 1);
    }
    // All other pairs of groups; what one history tells apart needs no other. What a strong level
    // allows and a weak one forbids also tells many others apart.
    for (const Lattice::Group& allowing : lattice.groups) {
      for (std::size_t weak = lattice.groups.size(); weak-- > 0;) {
        const std::size_t i = allowing[0], j = lattice.groups[weak][0];
        if (lattice.implies[i][j] || lattice.separator(i, j)) continue;
        ISOSCOPE_TRY_STATUS(smallest(lattice, i, j));
      }
    }
    return lattice;
  }

  /// Groups in an order in which none implies an earlier one, ties as given.
  static void group(Lattice& lattice) {
    const auto& implies = lattice.implies;
    for (std::size_t i = 0; i < lattice.levels.size(); ++i) {
      if (lattice.extents[i] == Extent::nothing) continue;
      const auto same = [&](const Lattice::Group& other) {
        return implies[i][other[0]] && implies[other[0]][i];
      };
      const auto at = std::ranges::find_if(lattice.groups, same);
      if (at == lattice.groups.end()) {
        lattice.groups.push_back({i});
      } else {
        at->push_back(i);
      }
    }
    std::vector<Lattice::Group> left = std::move(lattice.groups);
    lattice.groups.clear();
    while (!left.empty()) {
      const auto is_top = [&](const Lattice::Group& group) {
        return std::ranges::none_of(left, [&](const Lattice::Group& other) {
          return other != group && implies[other[0]][group[0]];
        });
      };
      const auto at = std::ranges::find_if(left, is_top);
      lattice.groups.push_back(*at);
      left.erase(at);
    }
  }

  static void add_covers(Lattice& lattice) {
    const auto is_above = [&](std::size_t a, std::size_t b) {
      return a != b && lattice.implies[lattice.groups[a][0]][lattice.groups[b][0]];
    };
    for (std::size_t a = 0; a < lattice.groups.size(); ++a) {
      for (std::size_t b = 0; b < lattice.groups.size(); ++b) {
        if (!is_above(a, b)) continue;
        bool is_direct = true;
        for (std::size_t c = 0; c < lattice.groups.size(); ++c)
          is_direct = is_direct && !(is_above(a, c) && is_above(c, b));
        if (is_direct) lattice.covers.push_back({a, b, 0});
      }
    }
  }

  /// A smallest history that i allows and j does not, among the separators. An Error also if a
  /// limit was reached.
  Result<std::size_t> smallest(Lattice& lattice, std::size_t i, std::size_t j) {
    const Question question{.allow = {levels_[i]}, .forbid = {levels_[j]}};
    const Synthesis answer = find_smallest(question, scope_, strategy_, limits_, silent_);
    if (answer.kind == Synthesis::Kind::stopped) return Error{"stopped"};
    if (answer.kind == Synthesis::Kind::none) return contradiction(i, j);
    const Size size = size_of(answer.found->history);
    for (std::size_t k = 0; k < lattice.separators.size(); ++k) {
      const Lattice::Separator& other = lattice.separators[k];
      if (other.allowed[i] && !other.allowed[j] && size_of(other.example.history) == size) return k;
    }
    ISOSCOPE_TRY(separator, judged(question, *answer.found));
    lattice.separators.push_back(std::move(separator));
    return lattice.separators.size() - 1;
  }

  const std::vector<const Definition*>& levels_;
  const Scope& scope_;
  const Strategy& strategy_;
  const Limits& limits_;
  Progress& progress_;
  Progress silent_;  // of the single searches
  std::vector<std::vector<Known>> known_;
  std::vector<Lattice::Separator> seen_;    // the histories so far
  std::vector<std::size_t> allowed_count_;  // of these
  std::vector<Extent> extents_;
  bool some_look_at_time_ = false;
  std::uint64_t checks_ = 0;
};

}  // namespace

std::optional<std::size_t> Lattice::separator(std::size_t i, std::size_t j) const {
  for (std::size_t k = 0; k < separators.size(); ++k) {
    if (separators[k].allowed[i] && !separators[k].allowed[j]) return k;
  }
  return std::nullopt;
}

Result<Lattice> lattice(const std::vector<const Definition*>& levels, const Scope& scope,
                        const Strategy& strategy, const Limits& limits, Progress& progress) {
  Result<Lattice> result = Exploration(levels, scope, strategy, limits, progress).run();
  progress.finish();
  return result;
}

}  // namespace isoscope::synth
