// Certificates that the checker wrote, and then somebody changed: none is accepted that claims what
// is not so. The reference checker knows what is so.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "check/repeated_lists.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

struct Case {
  History history;
  Level level;
  Certificate certificate;
};

constexpr test::RepeatedLists repeated{.doubtful_percent = 10};

/// Is it about which transaction left which list?
bool is_about_lists(const Certificate& certificate) {
  return std::ranges::any_of(
      certificate.steps, [](const ProofStep& step) { return step.kind == ProofStep::Kind::rest; });
}

/// Cases from hard histories, the same number for each answer; half of them are about lists with
/// repeated elements.
std::vector<Case> real_cases(std::uint64_t seed, int of_each) {
  constexpr test::HardFeatures features{.doubtful_percent = 10, .jitter = 50};
  Random random(seed);
  std::vector<Case> cases;
  std::array<int, 2> counts = {0, 0};
  while (counts[0] < of_each || counts[1] < of_each) {
    const bool lists = (counts[0] + counts[1]) % 2 == 0;
    Case one{lists ? test::repeated_list_history(random, repeated)
                   : test::hard_history(random, features),
             test::strong_levels()[random.below(test::strong_levels().size())],
             {}};
    if (!reference::is_within_limits(one.history)) continue;
    const Verdict verdict = check(one.history, one.level, {.certificate = true});
    int& count = counts[verdict.answer == Answer::holds ? 1 : 0];
    if (!verdict.certificate || count == of_each) continue;
    if (lists && !verdict.certificate->holds && !is_about_lists(*verdict.certificate)) continue;
    ++count;
    one.certificate = *certificate_of(verdict, one.history);
    cases.push_back(std::move(one));
  }
  return cases;
}

bool is_accepted(const History& history, const Certificate& certificate) {
  return !verify(history, certificate);
}

/// An accepted certificate says what the reference says.
void expect_no_lie(const History& history, const Certificate& certificate, int& accepted) {
  if (!is_accepted(history, certificate)) return;
  ++accepted;
  ASSERT_EQ(certificate.holds, reference::satisfies(history, certificate.level,
                                                    {.clock_skew = certificate.clock_skew}))
      << test::described(history) << "\n"
      << test::text_of(certificate);
}

TEST(Tampered, AnotherHistoryLevelOrAnswer) {
  const std::vector<Case> cases = real_cases(1, 40 * test_scale());
  int accepted = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    ASSERT_TRUE(is_accepted(one.history, one.certificate));
    const Case& next = cases[(i + 1) % cases.size()];
    EXPECT_FALSE(is_accepted(next.history, one.certificate)) << "of another history";
    // Even if somebody writes the other history's digest into it.
    Certificate changed = one.certificate;
    changed.history_digest = next.certificate.history_digest;
    expect_no_lie(next.history, changed, accepted);
    for (const Level level : test::strong_levels()) {
      changed = one.certificate;
      changed.level = level;
      if (entry_of(level.id).kind != LevelKind::real_time) changed.clock_skew = 0;
      expect_no_lie(one.history, changed, accepted);
    }
    changed = one.certificate;
    changed.holds = !changed.holds;
    EXPECT_FALSE(is_accepted(one.history, changed));
  }
  EXPECT_GT(accepted, 0) << "what holds with session order holds without";
}

TEST(Tampered, Orders) {
  int swapped = 0;
  int refused = 0;
  int accepted = 0;
  for (const Case& one : real_cases(2, 40 * test_scale())) {
    if (!one.certificate.holds) continue;
    const std::size_t size = one.certificate.order.size();
    for (std::size_t i = 0; i + 1 < size; ++i) {
      Certificate changed = one.certificate;
      std::swap(changed.order[i], changed.order[i + 1]);
      ++swapped;
      refused += is_accepted(one.history, changed) ? 0 : 1;
      // An event that is not there, or is there twice.
      changed = one.certificate;
      changed.order.erase(changed.order.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(is_accepted(one.history, changed));
      changed = one.certificate;
      changed.order[i] = changed.order[i + 1];
      EXPECT_FALSE(is_accepted(one.history, changed));
    }
    Certificate changed = one.certificate;
    std::ranges::reverse(changed.order);
    expect_no_lie(one.history, changed, accepted);
    for (const TransactionId t : one.history.transactions()) {
      if (one.history.outcome(t) != Outcome::indeterminate) continue;
      changed = one.certificate;
      if (std::erase(changed.committed, number_of(t)) == 0) {
        changed.committed.push_back(number_of(t));
        std::ranges::sort(changed.committed);
      }
      EXPECT_FALSE(is_accepted(one.history, changed)) << "its events do not fit";
    }
  }
  EXPECT_GT(swapped, 100);
  EXPECT_GT(refused, swapped / 10) << "a swap that matters is noticed";
}

/// A refutation from which nothing can be left out: steps go as long as it is still accepted.
Certificate trimmed(const History& history, Certificate certificate) {
  for (std::size_t i = certificate.steps.size(); i-- > 0;) {
    Certificate shorter = certificate;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
    for (ProofStep& step : shorter.steps) {
      std::erase(step.hints, i + 1);
      for (std::uint32_t& hint : step.hints) hint -= hint > i + 1 ? 1 : 0;
    }
    if (is_accepted(history, shorter)) certificate = std::move(shorter);
  }
  return certificate;
}

TEST(Tampered, DroppedSteps) {
  std::size_t dropped = 0;
  for (const Case& one : real_cases(3, 40 * test_scale())) {
    if (one.certificate.holds) continue;
    const Certificate needed = trimmed(one.history, one.certificate);
    ASSERT_TRUE(is_accepted(one.history, needed));
    for (std::size_t i = 0; i < needed.steps.size(); ++i) {
      // Later hints are numbered as before or anew: neither helps.
      Certificate changed = needed;
      changed.steps.erase(changed.steps.begin() + static_cast<std::ptrdiff_t>(i));
      for (ProofStep& step : changed.steps) {
        std::erase(step.hints, i + 1);
        for (std::uint32_t& hint : step.hints) hint -= hint > i + 1 ? 1 : 0;
      }
      EXPECT_FALSE(is_accepted(one.history, changed))
          << "without step " << i + 1 << "\n"
          << test::described(one.history) << test::text_of(needed);
      ++dropped;
    }
    Certificate changed = one.certificate;
    changed.steps.clear();
    EXPECT_FALSE(is_accepted(one.history, changed));
  }
  EXPECT_GT(dropped, 100u);
}

/// One number of the step gets another value, as in a history of `count` transactions.
void change(ProofStep& step, bool lists, std::size_t count, Random& random) {
  const auto other = [&] { return static_cast<std::uint32_t>(random.below(count + 1)); };
  switch (random.below(lists ? 9 : 6)) {
    case 0:
      step.writer = other();
      break;
    case 1:
      step.other = other();
      break;
    case 2:
      step.read = {other(), 1 + static_cast<std::uint32_t>(random.below(5))};
      break;
    case 3:
      if (!step.events.empty()) std::ranges::reverse(step.events);
      break;
    case 4:
      if (!step.hints.empty()) step.hints[random.below(step.hints.size())] = other() + 1;
      break;
    case 5:
      if (!step.literals.empty()) step.literals.pop_back();
      break;
    case 6:
      step.third = other();
      break;
    case 7:
      std::swap(step.writer, step.other);
      break;
    default:
      step.read.elements = other();
  }
}

/// A refutation of one history is tried on it and on others, with numbers changed here and there.
/// Some of the others are at the level: what is accepted must be about the rest.
TEST(Tampered, ChangedSteps) {
  constexpr test::HardFeatures features{.doubtful_percent = 10, .jitter = 50};
  const History trivial = test::history_of("a: T1 w(x,1)");
  Random random(4);
  int tried = 0;
  int accepted = 0;
  int tried_where_true = 0;
  for (const Case& one : real_cases(5, 30 * test_scale())) {
    if (one.certificate.holds) continue;
    const bool lists = is_about_lists(one.certificate);
    for (int i = 0; i < 200; ++i) {
      Certificate changed = one.certificate;
      const History another = lists ? test::repeated_list_history(random, repeated)
                                    : test::hard_history(random, features);
      if (!reference::is_within_limits(another)) continue;
      const History& about = i % 4 < 2 ? one.history : i % 4 == 2 ? another : trivial;
      changed.history_digest = digest(about);
      change(changed.steps[random.below(changed.steps.size())], lists,
             one.history.transaction_count(), random);
      changed.level = test::strong_levels()[random.below(test::strong_levels().size())];
      ++tried;
      expect_no_lie(about, changed, accepted);
      if (HasFatalFailure()) return;
      if (&about == &another && reference::satisfies(another, changed.level)) ++tried_where_true;
    }
  }
  EXPECT_GT(tried, 1000);
  EXPECT_GT(tried_where_true, 100) << "a lie could have been told";
  EXPECT_GT(accepted, 0) << "some are still proofs of what is so";
  EXPECT_LT(accepted, tried / 2);
}

}  // namespace
}  // namespace isoscope
