#include <gtest/gtest.h>

#include <iostream>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/verifier/verify.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using reference::RandomFeatures;

constexpr LevelId strong_levels[] = {LevelId::serializable, LevelId::snapshot_isolation,
                                     LevelId::strict_serializable,
                                     LevelId::strong_snapshot_isolation};

std::string text_of(const History& history) {
  StringSink sink;
  if (!write_history(history, Format::litmus, sink)) return "(not writable)";
  return sink.text();
}

std::string certificate_text(const Certificate& certificate) {
  StringSink sink;
  if (!write_certificate(certificate, sink)) return "(not writable)";
  return sink.text();
}

struct Shares {
  std::size_t all = 0;
  std::size_t holds = 0;
  std::size_t solved = 0;
};

void compare(const History& history, Level level, bool expected, const StrongTechniques& techniques,
             Shares& shares) {
  CheckStatistics statistics;
  Verdict verdict =
      check(history, level, {.certificate = true, .strong = techniques, .statistics = &statistics});
  ASSERT_EQ(verdict.answer, expected ? Answer::holds : Answer::violated)
      << isoscope::text_of(level) << " " << verdict.reason << "\n"
      << text_of(history);
  ++shares.all;
  shares.holds += expected ? 1 : 0;
  shares.solved += statistics.rounds > 0 ? 1 : 0;
  ASSERT_TRUE(verdict.certificate) << text_of(history);
  verdict.certificate->history_digest = digest(history);
  const auto refusal = verify(history, *verdict.certificate);
  ASSERT_FALSE(refusal) << isoscope::text_of(level) << " " << refusal->reason << "\n"
                        << text_of(history) << certificate_text(*verdict.certificate);
}

void compare_random(const RandomFeatures& features, std::uint64_t seed, int count) {
  for (const LevelId id : strong_levels) {
    for (const bool session_order : {true, false}) {
      Random random(seed);
      Shares shares;
      Shares alone;
      for (int i = 0; i < count * test_scale(); ++i) {
        const History history = reference::random_history(random, features);
        if (!reference::is_within_limits(history)) continue;
        const Level level = {id, session_order};
        const bool expected = reference::satisfies(history, level);
        compare(history, level, expected, {}, shares);
        // Leaves everything to the solver.
        compare(history, level, expected, {.saturation = false}, alone);
        if (testing::Test::HasFatalFailure()) return;
      }
      std::cout << isoscope::text_of(Level{id, session_order}) << ": " << shares.all
                << " histories, " << 100 * shares.holds / shares.all << "% hold, "
                << 100 * shares.solved / shares.all << "% reach the solver, "
                << 100 * alone.solved / alone.all << "% without saturation\n";
    }
  }
}

TEST(StrongLevels, AgreeWithTheReferenceOnRegisters) {
  compare_random({.most_transactions = 5,
                  .keys = 2,
                  .operations = 3,
                  .outcomes = false,
                  .times = true,
                  .lists = false,
                  .predicates = false},
                 1, 2000);
}

TEST(StrongLevels, AgreeWithTheReferenceOnUnknownOutcomes) {
  compare_random({.most_transactions = 5, .keys = 2, .lists = false, .predicates = false}, 2, 2000);
}

TEST(StrongLevels, AgreeWithTheReferenceOnLists) {
  compare_random({.most_transactions = 5, .keys = 2, .predicates = false, .appended_once = true}, 3,
                 2000);
}

}  // namespace
}  // namespace isoscope
