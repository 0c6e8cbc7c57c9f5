#include "report/explain/bad_read_text.h"

#include <gtest/gtest.h>

#include "isoscope/check/first_pass.h"
#include "isoscope/history/format.h"

namespace isoscope {
namespace {

History litmus(const std::string& text) {
  ReadOptions options;
  options.format = Format::litmus;
  return *read_history(Source::from_memory("litmus", text), options);
}

/// A finding about the last operation of the last transaction and key 0, with what it involves.
std::string sentence(const std::string& text, ReadFinding kind, ReadProblem problem,
                     std::vector<OperationRef> involved = {}) {
  const History history = litmus(text);
  BadRead bad;
  bad.kind = kind;
  bad.problem = problem;
  const TransactionId reader(history.transaction_count() - 1);
  bad.read = {reader, static_cast<std::uint32_t>(history.operations(reader).size() - 1)};
  bad.key = KeyId(0);
  bad.value = bad.element = ValuePool::nil;
  for (const OperationRef& operation : involved) bad.involve(operation);
  return report::bad_read_sentence(history, bad);
}

constexpr OperationRef first_of_first{TransactionId(0), 0};

TEST(BadReadText, SaysWhichRowWasMissed) {
  using enum ReadFinding;
  const auto missing = ReadProblem::row_missing;
  EXPECT_EQ(sentence("initial none x=1\na: T1 rp(true, {})", missed_row, missing),
            "T1 read by predicate and did not get x, though the predicate selects everything that "
            "was ever there.");
  EXPECT_EQ(sentence("initial none x=1\na: T1 wp(true, {})", missed_row, missing),
            "T1 changed rows by predicate and did not get x, though the predicate selects "
            "everything that was ever there.");
  EXPECT_EQ(sentence("initial 1\na: T1! d(x) | b: T2 rp(true, {})", aborted_read, missing,
                     {first_of_first}),
            "T2 read by predicate and did not get x, though the predicate selects every version of "
            "it: only T1 wrote what is not selected, and T1 aborted.");
  EXPECT_EQ(sentence("initial 1\na: T1 d(x) w(x,2) | b: T2 rp(true, {})", intermediate_read,
                     missing, {first_of_first}),
            "T2 read by predicate and did not get x, though the predicate selects every version of "
            "it: only T1 wrote what is not selected, and changed it again before committing.");
}

TEST(BadReadText, SaysWhyARowCannotHaveBeenReturned) {
  const auto returned = [](const std::string& text) {
    const History history = litmus(text);
    const FirstPassResult result = first_pass(history);
    return result.findings.empty() ? "" : report::bad_read_sentence(history, result.findings[0]);
  };
  EXPECT_EQ(returned("initial 6\na: T1 rp(@value = 5, {x:6})"),
            "T1 read by predicate and got x = 6, which the predicate does not select.");
  EXPECT_EQ(returned("initial 5\na: T1 r(x,[]) | b: T2 rp(true, {x:5})"),
            "T2 read by predicate and got x = 5, which is the empty list to a key that holds "
            "lists: no row.");
}

TEST(BadReadText, SaysWhichRowWasChangedWithoutBeingSelected) {
  using enum ReadFinding;
  const auto changed = ReadProblem::changed_unselected;
  EXPECT_EQ(sentence("a: T1 wp(@value = 9, {x:1})", thin_air_read, changed),
            "T1 changed x by predicate, but the predicate selects nothing that was ever there.");
  EXPECT_EQ(sentence("a: T1! w(x,9) | b: T2 wp(@value = 9, {x:1})", aborted_read, changed,
                     {first_of_first}),
            "T2 changed x by predicate, but the predicate selects no version of it: only T1 wrote "
            "what is selected, and T1 aborted.");
  EXPECT_EQ(sentence("a: T1 w(x,9) | b: T2 wp(@value = 9, {x:1})", future_read, changed,
                     {{TransactionId(1), 0}}),
            "T2 changed x by predicate, but the predicate selects no version of it: only T2 itself "
            "wrote what is selected, later.");
  EXPECT_EQ(sentence("a: T1 w(x,8) wp(@value = 9, {x:1})", internal_inconsistency,
                     ReadProblem::own_row_unselected, {first_of_first}),
            "T1 changed x by predicate after it had itself written x = 8, which the predicate does "
            "not select.");
}

}  // namespace
}  // namespace isoscope
