// The models that are decided as levels, cas-register and mutex, against a search through all
// orders in which the operations can take effect.

#include <gtest/gtest.h>

#include <array>

#include "isoscope/models/check_model.h"
#include "models/random_log.h"
#include "test_scale.h"

namespace isoscope::models {
namespace {

/// The value of a register that was not written, and a read of it, which says nothing.
constexpr int nil = -1;

/// Is there an order of the operations that took effect, in which each finds what it says? `state`
/// is what the object holds after those in `done`.
class Orders {
 public:
  Orders(const std::vector<PlainOperation>& all, bool real_time)
      : all_(all), real_time_(real_time), done_(all.size()) {}

  bool exist(int state) {
    bool all_done = true;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (done_[i] || !all_[i].is_ok()) continue;
      all_done = false;
    }
    if (all_done) return true;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (done_[i] || all_[i].failed() || must_wait(i)) continue;
      const auto next = applied(all_[i], state);
      if (!next) continue;
      done_[i] = true;
      const bool found = exist(*next);
      done_[i] = false;
      if (found) return true;
    }
    return false;
  }

 private:
  bool must_wait(std::size_t i) const {
    for (std::size_t other = 0; other < all_.size(); ++other) {
      if (done_[other] || other == i || !all_[other].is_ok()) continue;
      // Without begins in the log, a client's operations still follow each other.
      const bool same_client =
          all_[other].process == all_[i].process && all_[other].completed < all_[i].completed;
      if (same_client) return true;
      if (real_time_ && all_[other].completed < all_[i].invoked) return true;
    }
    return false;
  }

  static std::optional<int> applied(const PlainOperation& one, int state) {
    if (one.f == "read") {
      if (one.is_ok() && one.result[0] != nil && one.result[0] != state) return std::nullopt;
      return state;
    }
    if (one.f == "write") return one.argument[0];
    if (one.f == "cas")
      return state == one.argument[0] ? std::optional(one.argument[1]) : std::nullopt;
    const int wanted = one.f == "acquire" ? 0 : 1;
    return state == wanted ? std::optional(1 - wanted) : std::nullopt;
  }

  const std::vector<PlainOperation>& all_;
  bool real_time_;
  std::vector<bool> done_;
};

struct Tally {
  int holds = 0;
  int violated = 0;

  void count(Answer answer) {
    if (answer == Answer::holds) ++holds;
    if (answer == Answer::violated) ++violated;
  }
};

void compare(Model model, const std::vector<PlainOperation>& all, const std::string& text,
             int initial, bool real_time, Tally& tally) {
  if (all.empty()) return;
  const auto log = RandomLog::read(text);
  ASSERT_TRUE(log) << log.error().text() << "\n" << text;
  ModelOptions options;
  if (!real_time) options.level = {LevelId::serializable, true};
  const auto verdict = check_model(model, *log, options);
  ASSERT_TRUE(verdict) << verdict.error().text() << "\n" << text;
  if (verdict->reason == "no operation says anything") return;
  const Answer expected = Orders(all, real_time).exist(initial) ? Answer::holds : Answer::violated;
  ASSERT_EQ(verdict->answer, expected)
      << name_of(verdict->answer) << ": " << verdict->reason << "\n"
      << text;
  tally.count(expected);
}

TEST(OneObject, RegistersAgreeWithAllOrders) {
  Random random(71);
  std::array<Tally, 2> tallies;
  const auto spelt = [](int value) { return value == nil ? "nil" : std::to_string(value); };
  for (int round = 0; round < 6'000 * test_scale(); ++round) {
    RandomLog log(random);
    const int values = 2 + log.number(3);
    const auto all = log.make(
        2 + log.number(6),
        [&]() -> PlainOperation {
          const int kind = log.number(3);
          if (kind == 0) return {.f = "read"};
          if (kind == 1) return {.f = "write", .argument = {log.number(values)}};
          return {.f = "cas", .argument = {log.number(values + 1) - 1, log.number(values)}};
        },
        [&](PlainOperation& one, const auto&) {
          if (one.f == "read") one.result = {log.number(values + 1) - 1};
        });
    const std::string text = RandomLog::edn(all, [&](const PlainOperation& one, bool completed) {
      if (one.f == "cas") return "[" + spelt(one.argument[0]) + " " + spelt(one.argument[1]) + "]";
      if (one.f == "write") return spelt(one.argument[0]);
      return spelt(completed && one.is_ok() ? one.result[0] : nil);
    });
    const bool real_time = log.chance(70);
    compare(Model::cas_register, all, text, nil, real_time, tallies[real_time ? 1 : 0]);
    if (HasFatalFailure()) return;
  }
  for (const Tally& tally : tallies) {
    EXPECT_GT(tally.holds, 300);
    EXPECT_GT(tally.violated, 300);
  }
}

TEST(OneObject, LocksAgreeWithAllOrders) {
  Random random(72);
  std::array<Tally, 2> tallies;
  for (int round = 0; round < 6'000 * test_scale(); ++round) {
    RandomLog log(random);
    int acquisitions = 0;
    const auto all = log.make(
        2 + log.number(7),
        [&]() -> PlainOperation {
          const bool acquire = log.chance(acquisitions > 0 ? 30 : 75);
          acquisitions += acquire ? 1 : -1;
          return {.f = acquire ? "acquire" : "release"};
        },
        [](PlainOperation&, const auto&) {});
    const std::string text = RandomLog::edn(all, [](const PlainOperation&, bool) { return "nil"; });
    const bool real_time = log.chance(70);
    compare(Model::mutex, all, text, 0, real_time, tallies[real_time ? 1 : 0]);
    if (HasFatalFailure()) return;
  }
  for (const Tally& tally : tallies) {
    EXPECT_GT(tally.holds, 300);
    EXPECT_GT(tally.violated, 300);
  }
}

}  // namespace
}  // namespace isoscope::models
