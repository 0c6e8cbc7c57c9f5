// What people read about goals that could not be proved.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "golden.h"
#include "isoscope/protocol/describe.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

std::string shipped_text(std::string_view name) {
  const Result<ShippedModel> found = find_shipped_model(name);
  EXPECT_TRUE(found) << name;
  return found ? std::string(found->text) : "";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// No candidates are made from what is open: that takes longer, and these goals are not true.
Proof attempt(const std::string& text, AbstractLevel level, std::string& told) {
  const Result<Model> model = read_model("model", text);
  EXPECT_TRUE(model) << model.error().text();
  const Limits limits;
  Progress progress;
  const Proof proof = prove(*model, level, limits, progress, {.widen = false});
  EXPECT_EQ(proof.outcome, Proof::Outcome::open);
  const std::string words = proof_text(*model, proof, true);
  EXPECT_EQ(words.find("isoscope."), std::string::npos) << words;
  // Numbers of candidates and the like are not what this is about.
  const std::size_t first = words.find("  open: "), last = words.find("  invariants:\n");
  told += "# " + model->title + ", " + std::string(entry_of(level).name) + "\n" +
          words.substr(first, last - first) + "\n";
  return proof;
}

void expect_small(const Proof& proof) {
  EXPECT_FALSE(proof.open.empty());
  for (const OpenGoal& goal : proof.open) {
    EXPECT_LE(goal.picture.size(), 14u) << goal.claim;
    EXPECT_FALSE(goal.broken.empty()) << goal.claim;
    EXPECT_EQ(goal.step.empty(), goal.event.empty()) << goal.claim;
  }
}

// A transaction that never begins, and a map in which nothing is installed.
const std::string starts_wrong = R"(
title "A store without initial versions"
claims RA
state done(transaction) : bool = false
event run(c: client, t: transaction) at c commits t
  when owner(t) = c and t != initial and not done(t)
  then done(t) := true
observe t: transaction { committed when done(t) }
map installed(k, x) = false
map before(k, x, y) = false
map reader(k, w, x) = false
)";

TEST(Pictures, OfOpenGoals) {
  std::string told;
  const Proof skew = attempt(shipped_text("mvcc-si"), AbstractLevel::ser, told);
  expect_small(skew);
  // That of write skew, whatever version of the solver found it.
  ASSERT_EQ(skew.open.size(), 1u);
  EXPECT_EQ(skew.open[0].step, "commit(c, t)");
  EXPECT_EQ(skew.open[0].things, "2 clients, 1 key, 2 transactions besides the initial one");
  EXPECT_EQ(std::ranges::count(skew.open[0].broken, "u is not in its view"), 1);
  expect_small(
      attempt(replaced(shipped_text("atomic"), "= rv(x, k, w)", "= rv(x, k, w) and w != initial"),
              AbstractLevel::ser, told));
  expect_small(attempt(starts_wrong, AbstractLevel::sser, told));
  expect_golden("tests/protocol/pictures.txt", told);
}

TEST(Pictures, OfLockingAndValidation) {
  if (test_scale() == 1) GTEST_SKIP() << "in ./test --full";
  std::string told;
  expect_small(
      attempt(replaced(shipped_text("s2pl"),
                       "event lock-write(k: key, t: transaction) at k\n"
                       "  when st(k, t) = prepared and no u: transaction. locked(k, u)",
                       "event lock-write(k: key, t: transaction) at k\n  when st(k, t) = prepared"),
              AbstractLevel::sser, told));
  expect_small(attempt(shipped_text("tapir-journal"), AbstractLevel::ra, told));
  expect_golden("tests/protocol/pictures_full.txt", told);
}

}  // namespace
}  // namespace isoscope::protocol
