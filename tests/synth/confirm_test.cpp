#include "isoscope/synth/confirm.h"

#include "isoscope/synth/describe.h"
#include "synth/examples.h"
#include "synth/renaming.h"

namespace isoscope::synth {
namespace {

const std::string skew = "a: T1 r(x,nil) w(y,1)  |  b: T2 r(y,nil) w(x,1)";

TEST(Confirm, AcceptsWhatIsSo) {
  const spec::Definition si = level("cerone/SI"), ser = level("SER");
  const Question question{.allow = {&si}, .forbid = {&ser}};
  auto example = confirmed(question, found_from(question, skew), Limits());
  ASSERT_TRUE(example) << example.error().text();
  explain(*example, Limits());
  ASSERT_EQ(example->reasons.size(), 1u);
  EXPECT_EQ(example->reasons[0].size(), 2u);
  EXPECT_FALSE(example->is_timed);
}

TEST(Confirm, RefusesALevelThatAllowsWhatItShouldForbid) {
  const spec::Definition si = level("SI"), psi = level("PSI");
  const Question question{.allow = {&si}, .forbid = {&psi}};
  const auto example = confirmed(question, found_from(question, skew), Limits());
  ASSERT_FALSE(example);
  EXPECT_EQ(example.error().text(),
            "internal error: cerone/PSI and the history that was found: it has an execution");
  EXPECT_EQ(example.error().kind, ErrorKind::internal);
}

/// A search may have numbers for a key that no transaction uses: a file would not have it.
TEST(Confirm, RefusesAKeyThatNobodyUses) {
  const spec::Definition two = level_from("axiom two-keys: exists x, y: key. x != y");
  const Question question{.allow = {&two}, .forbid = {}};
  Found found{spec::empty_structure(1, 2), {{}}};
  found.history.writes.add(1, 0);
  EXPECT_TRUE(spec::judge(two, found.history, {}).allowed);
  const auto example = confirmed(question, found, Limits());
  ASSERT_FALSE(example);
  EXPECT_EQ(example.error().text(), "internal error: what was found has other keys when written");
}

TEST(Confirm, RefusesAWrongExecution) {
  const spec::Definition ra = level("RA"), ser = level("SER");
  const Question question{.allow = {&ra}, .forbid = {&ser}};
  Found found =
      found_from(question, "a: T1 w(x,1) ; T2 r(x,1) r(y,nil) w(x,2) | b: T3 r(x,2) w(y,1)");
  found.executions[0][0].matrix = spec::empty_structure(3, 0).so;
  const auto example = confirmed(question, found, Limits());
  ASSERT_FALSE(example);
  EXPECT_NE(example.error().text().find("internal error: biswas-enea/RA"), std::string::npos);
}

/// Whatever the search's numbers are, sessions are told one after the other.
TEST(Confirm, NumbersTransactionsSessionBySession) {
  const spec::Definition co = level_from("witness co : total order");
  const Question question{.allow = {&co}, .forbid = {}};
  Found found{spec::empty_structure(3, 1), {}};
  found.history.so.add(3, 1);  // T3 before T1, and T2 alone
  found.history.writes.add(3, 0);
  found.history.wr[0].add(3, 1);
  found.history.wr[0].add(0, 2);
  found.executions.push_back(*spec::find_execution(co, found.history));
  found = renamed(found, question, session_by_session(found.history));
  const auto example = confirmed(question, found, Limits());
  ASSERT_TRUE(example) << example.error().text();
  EXPECT_EQ(history_text(*example), "a: T1 r(x,nil)  |  b: T2 w(x,1) ; T3 r(x,1)\n");
  EXPECT_TRUE(spec::judge(co, example->history, example->executions[0]).allowed);
}

TEST(Confirm, TellsSessionOrderThatIsNoSetOfSessions) {
  const spec::Definition co = level_from("witness co : total order from so");
  const Question question{.allow = {&co}, .forbid = {}};
  Found found{spec::empty_structure(3, 1), {}};
  found.history.so.add(1, 2);
  found.history.so.add(1, 3);
  for (std::size_t t = 1; t <= 3; ++t) found.history.wr[0].add(0, t);
  found.executions.push_back(*spec::find_execution(co, found.history));
  EXPECT_FALSE(has_sessions(found.history));
  const auto example = confirmed(question, found, Limits());
  ASSERT_TRUE(example) << example.error().text();
  EXPECT_EQ(history_text(*example),
            "a: T1 r(x,nil)  |  b: T2 r(x,nil)  |  c: T3 r(x,nil)\n"
            "session order: T1 -> T2, T1 -> T3\n");
}

TEST(Confirm, SizesCountTransactionsThenKeysThenOperations) {
  const Size size = size_of(structure_from(skew));
  EXPECT_EQ(size, (Size{2, 2, 4}));
  EXPECT_LT((Size{2, 3, 9}), (Size{3, 1, 1}));
}

}  // namespace
}  // namespace isoscope::synth
