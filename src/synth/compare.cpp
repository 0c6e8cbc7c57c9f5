#include "isoscope/synth/compare.h"

namespace isoscope::synth {

Comparison::Kind Comparison::kind() const {
  const auto is = [](const Side& side, Synthesis::Kind answer) { return side.answer == answer; };
  const bool first = is(only_first, Synthesis::Kind::found);
  const bool second = is(only_second, Synthesis::Kind::found);
  if (is(only_first, Synthesis::Kind::stopped) || is(only_second, Synthesis::Kind::stopped))
    return first || second ? Kind::different : Kind::unknown;
  if (first) return second ? Kind::incomparable : Kind::weaker;
  return second ? Kind::stronger : Kind::equivalent;
}

Extent extent_of(const spec::Definition& level, bool allows_some, bool forbids_some,
                 const Scope& scope, const Strategy& strategy, const Limits& limits,
                 Progress& progress) {
  const auto exists = [&](const Question& question, bool is_known) {
    if (is_known) return Synthesis::Kind::found;
    return find_history(question, scope, strategy, limits, progress).kind;
  };
  const Synthesis::Kind allowed = exists({.allow = {&level}, .forbid = {}}, allows_some);
  if (allowed == Synthesis::Kind::none) return Extent::nothing;
  const Synthesis::Kind forbidden = exists({.allow = {}, .forbid = {&level}}, forbids_some);
  if (forbidden == Synthesis::Kind::none) return Extent::everything;
  const bool is_known = allowed == Synthesis::Kind::found && forbidden == Synthesis::Kind::found;
  return is_known ? Extent::some : Extent::unknown;
}

Result<Comparison> compare(const spec::Definition& first, const spec::Definition& second,
                           const Scope& scope, const Strategy& strategy, const Limits& limits,
                           Progress& progress) {
  const auto side = [&](const spec::Definition& allowing,
                        const spec::Definition& forbidding) -> Result<Comparison::Side> {
    const Question question{.allow = {&allowing}, .forbid = {&forbidding}};
    const Synthesis answer = find_smallest(question, scope, strategy, limits, progress);
    Comparison::Side result{.answer = answer.kind};
    if (answer.kind != Synthesis::Kind::found) return result;
    ISOSCOPE_TRY(example, confirmed(question, *answer.found, limits));
    result.example = std::move(example);
    explain(*result.example, limits);
    return result;
  };
  ISOSCOPE_TRY(only_first, side(first, second));
  ISOSCOPE_TRY(only_second, side(second, first));
  const bool by_first = only_first.answer == Synthesis::Kind::found;
  const bool by_second = only_second.answer == Synthesis::Kind::found;
  const auto extent = [&](const spec::Definition& level, bool allows_some, bool forbids_some) {
    return extent_of(level, allows_some, forbids_some, scope, strategy, limits, progress);
  };
  Comparison comparison{std::move(only_first), std::move(only_second)};
  comparison.first_allows = extent(first, by_first, by_second);
  comparison.second_allows = extent(second, by_second, by_first);
  return comparison;
}

}  // namespace isoscope::synth
