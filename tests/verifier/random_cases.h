#pragma once

#include <array>
#include <string>

#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"

namespace isoscope::test {

/// A history, and whether it is at a level.
struct Case {
  History history;
  Level level;
  std::int64_t skew = 0;
  bool cuts = true;
  bool holds = false;
};

/// The history with every third of its committed transactions made indeterminate; as it is if the
/// notation does not have all of it (rows that are lists).
inline History with_more_doubt(const History& history, Random& random) {
  std::string text = reference::text_of(history);
  for (std::size_t at = text.find(" T"); at != text.npos; at = text.find(" T", at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", at + 2);
    if (end != text.npos && text[end] != '!' && text[end] != '?' && random.chance(33)) {
      text.insert(end, "?");
    }
  }
  const Source source = Source::from_memory("history", text);
  Result<History> changed = read_history(source, {.format = Format::litmus});
  return changed ? *std::move(changed) : history;
}

inline Case random_case(Random& random) {
  reference::RandomFeatures features;
  features.most_transactions = 4;
  features.keys = random.chance(50) ? 2 : 3;
  features.predicates = random.chance(60);
  features.lists = random.chance(60);
  features.appended_once = random.chance(50);
  features.times = random.chance(50);
  features.odd = random.chance(30);
  Case result{.history = reference::random_history(random, features), .level = {}};
  if (random.chance(30)) result.history = with_more_doubt(result.history, random);
  result.level = {levels()[random.below(level_count)].id, random.chance(70)};
  result.skew = static_cast<std::int64_t>(random.chance(50) ? 0 : random.below(20));
  result.cuts = random.chance(50);
  result.holds = reference::satisfies(
      result.history, result.level, {.clock_skew = result.skew, .indeterminate_cuts = result.cuts});
  return result;
}

inline std::string text_of(const Case& one) {
  return text_of(one.level) + ", skew " + std::to_string(one.skew) + (one.cuts ? "" : ", no cuts") +
         "\n" + reference::text_of(one.history);
}

inline Certificate empty_certificate(const Case& one) {
  Certificate certificate;
  certificate.level = one.level;
  certificate.clock_skew = one.skew;
  certificate.indeterminate_cuts = one.cuts;
  certificate.history_digest = digest(one.history);
  return certificate;
}

}  // namespace isoscope::test
