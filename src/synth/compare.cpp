#include "isoscope/synth/compare.h"

namespace isoscope::synth {

Comparison::Kind Comparison::kind() const {
  const auto is = [](const Side& side, Answer::Kind answer) { return side.answer == answer; };
  const bool first = is(only_first, Answer::Kind::found);
  const bool second = is(only_second, Answer::Kind::found);
  if (is(only_first, Answer::Kind::stopped) || is(only_second, Answer::Kind::stopped))
    return first || second ? Kind::different : Kind::unknown;
  if (first) return second ? Kind::incomparable : Kind::weaker;
  return second ? Kind::stronger : Kind::equivalent;
}

Result<Comparison> compare(const spec::Definition& first, const spec::Definition& second,
                           const Scope& scope, const Strategy& strategy, const Limits& limits,
                           Progress& progress) {
  const auto side = [&](const spec::Definition& allowing,
                        const spec::Definition& forbidding) -> Result<Comparison::Side> {
    const Question question{.allow = {&allowing}, .forbid = {&forbidding}};
    const Answer answer = find_smallest(question, scope, strategy, limits, progress);
    Comparison::Side result{.answer = answer.kind};
    if (answer.kind != Answer::Kind::found) return result;
    ISOSCOPE_TRY(example, confirmed(question, *answer.found, limits));
    result.example = std::move(example);
    explain(*result.example, limits);
    return result;
  };
  ISOSCOPE_TRY(only_first, side(first, second));
  ISOSCOPE_TRY(only_second, side(second, first));
  return Comparison{std::move(only_first), std::move(only_second)};
}

}  // namespace isoscope::synth
