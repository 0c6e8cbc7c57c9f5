// Answers about protocols that would be worth nothing: because the text is wrong about itself,
// because nothing happens, or because clients see nothing of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

/// Models by designers who never saw the program; they are not part of this tree.
const std::string models = ISOSCOPE_HISTORIES_DIR "/../protocols/";

struct Expected {
  std::string_view model;
  int explored, proved;
  std::string_view told_by_explore, told_by_prove;
};

class DesignedModels : public testing::TestWithParam<Expected> {};

TEST_P(DesignedModels, GetTheAnswerThatIsRight) {
  const Expected& expected = GetParam();
  const std::string file = models + std::string(expected.model) + ".protocol";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is missing";
  const ProgramRun explored = run_program("protocol explore " + file);
  EXPECT_EQ(explored.exit_code, expected.explored) << explored.err;
  EXPECT_TRUE(contains(explored.out + explored.err, expected.told_by_explore))
      << explored.out << explored.err;
  if (expected.told_by_prove.empty()) return;  // takes long, and is right
  const ProgramRun proved = run_program("protocol prove " + file);
  EXPECT_EQ(proved.exit_code, expected.proved) << proved.err;
  EXPECT_TRUE(contains(proved.out + proved.err, expected.told_by_prove))
      << proved.out << proved.err;
  EXPECT_FALSE(contains(proved.out, " proved for any number")) << proved.out;
}

INSTANTIATE_TEST_SUITE_P(
    All, DesignedModels,
    testing::Values(
        Expected{"false-invariant", 10, 10, "run 1: invariant nope violated after 0 steps\n",
                 "invariant never violated after 2 steps\n"},
        Expected{"calvin3-unordered", 10, 10, "invariant true-reads: violated, run 1\n",
                 "invariant true-reads violated after 3 steps\n"},
        Expected{"nothing-ever-commits", 20, 20, "no transaction ever commits with these sizes\n",
                 "  vacuous: no transaction ever commits in the runs that were looked at\n"},
        Expected{"only-readers-commit", 20, 20, "event odd never happens with these sizes\n",
                 "  vacuous: no transaction that writes ever commits in the runs"},
        Expected{"observe-hides-reads", 20, 20,
                 "`observe` tells of no reads, although events get, put copy versions\n",
                 "  vacuous: `observe` tells of no reads, although events get, put copy"},
        Expected{"some-answers-unlabelled", 3, 3, ":15:7: `effect` commits a transaction whose",
                 ":15:7: `effect` commits a transaction whose client is never answered"},
        Expected{"calvin3", 0, 0, "invariants: 5 of 5 true in all states\n", ""},
        Expected{"tpc-fixed", 0, 0, "strongest not refuted: SSER", ""},
        Expected{"tpc-votes", 10, 10, "SSER    violated, run ", ""},
        Expected{"spanner2", 0, 0, "invariants: 15 of 15 true in all states\n", ""}),
    [](const auto& instance) {
      std::string name(instance.param.model);
      std::ranges::replace(name, '-', '_');
      return name;
    });

/// The text of a protocol that comes with the program, with a part of it replaced.
std::string changed(const std::string& name, std::string_view from, std::string_view to) {
  std::string text = contents(ISOSCOPE_SOURCE_DIR "/protocols/" + name + ".protocol");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ProtocolTruth, FalseInvariantsAreViolations) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("false.protocol", changed("atomic", "observe t",
                                             "invariant true-one: not done(initial) or true\n"
                                             "invariant false-one: forall t: transaction. done(t) "
                                             "=> t = initial\n\nobserve t"));
  const ProgramRun explored = run_program("protocol explore --level SER " + file);
  EXPECT_EQ(explored.exit_code, 10) << explored.err;
  EXPECT_TRUE(contains(explored.out, "SER     not refuted ")) << explored.out;
  EXPECT_TRUE(contains(explored.out,
                       "\ninvariants: 1 of 2 true in all states\n"
                       "invariant false-one: violated, run 1\n"))
      << explored.out;
  EXPECT_TRUE(contains(explored.out, "\nrun 1: invariant false-one violated after 1 step\n"));
  EXPECT_TRUE(contains(explored.out, "  why: done(T1), but not: T1 = initial\n")) << explored.out;
  const ProgramRun json = run_program("protocol explore --format json " + file);
  EXPECT_TRUE(contains(json.out,
                       "\"invariants\":{\"true-one\":{\"outcome\":\"not refuted\"},"
                       "\"false-one\":{\"outcome\":\"violated\",\"run\":1}}"))
      << json.out;

  const ProgramRun proved = run_program("protocol prove " + file);
  EXPECT_EQ(proved.exit_code, 10) << proved.err;
  EXPECT_TRUE(contains(proved.out, ": VIOLATED with 2 clients, 2 keys, 1 transaction"))
      << proved.out;
  EXPECT_TRUE(contains(proved.out, "invariant false-one violated after 1 step\n")) << proved.out;
  EXPECT_FALSE(contains(proved.out, "proved")) << proved.out;
}

/// The invariant is true in every state. But `stay` keeps it only because no client that has
/// entered has left, which the text does not say, and candidates do not speak of clients.
TEST(ProtocolTruth, InvariantsThatAreNotKeptComeWithAPicture) {
  const TemporaryFolder folder;
  const auto with = [](std::string_view more) {
    return changed("atomic", "observe t", R"(state first(client) : bool = false
state last(client) : bool = false
state left(client) : bool = false
event enter(c: client, t: transaction) at c
  when owner(t) = c and done(t) and not first(c) and not left(c)
  then first(c) := true
event stay(c: client) at c
  when first(c) and not last(c)
  then last(c) := true
event leave(c: client) at c
  when not first(c) and not left(c)
  then left(c) := true
invariant weak: forall c: client. not (last(c) and left(c))
)" + std::string(more) + "\nobserve t");
  };
  const std::string file = folder.write("weak.protocol", with(""));
  const ProgramRun proved = run_program("protocol prove --level SER " + file);
  EXPECT_EQ(proved.exit_code, 20) << proved.out;
  EXPECT_TRUE(contains(proved.out, ": SER not proved: 1 invariant of the model is not kept\n"))
      << proved.out;
  EXPECT_TRUE(
      contains(proved.out,
               "\n  not kept: invariant weak, by stay\n    the invariants do not exclude, with 1 "
               "client, 1 key, 0 transactions besides the initial one:\n      first(c); left(c)\n"
               "    stay(c) breaks it, for then: last(c); left(c)\n"))
      << proved.out;
  EXPECT_TRUE(contains(proved.out, "\n  no violation with 2 clients, 2 keys, ")) << proved.out;
  const ProgramRun json = run_program("protocol prove --level SER --format json " + file);
  EXPECT_TRUE(contains(json.out, "\"outcome\":\"unkept\"")) << json.out;
  EXPECT_TRUE(contains(json.out,
                       "\"not-kept\":[{\"invariant\":\"weak\",\"may-be-kept\":false,"
                       "\"event\":\"stay\""))
      << json.out;
  folder.write("weak.protocol",
               with("invariant why: forall c: client. last(c) => first(c)\n"
                    "invariant one: forall c: client. not (first(c) and left(c))"));
  EXPECT_EQ(run_program("protocol prove --level SER " + file).exit_code, 0);
}

TEST(ProtocolTruth, CoverageIsTold) {
  const ProgramRun explored = run_program("protocol explore s2pl");
  EXPECT_TRUE(contains(explored.out,
                       "\ncovers  committed writers 305, committed readers 333 (74 of "
                       "others' writes), overlapping conflicts in 10 of "))
      << explored.out;
  EXPECT_TRUE(contains(explored.out, " random runs, events never taken: none\n")) << explored.out;
  const ProgramRun json = run_program("protocol explore s2pl --format json");
  EXPECT_TRUE(contains(json.out, "\"coverage\":{\"commits\":")) << json.out;
  EXPECT_TRUE(contains(json.out, "\"events-never-taken\":[]},\"vacuous\":[]")) << json.out;
  const ProgramRun proved = run_program("protocol prove atomic");
  EXPECT_TRUE(contains(proved.out, "\n  covers: committed writers ")) << proved.out;
  EXPECT_TRUE(contains(run_program("protocol prove atomic --format json").out,
                       "\"vacuous\":[],\"coverage\":{\"commits\":"));
}

/// What makes a proof worthless at one level does so at weaker ones, which are not tried then.
TEST(ProtocolTruth, NoWeakerLevelIsTriedOfAModelThatSaysLittle) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "little.protocol", changed("atomic", "committed when done(t)",
                                 "committed when done(t) and no k: key. writes(k, t)"));
  const ProgramRun proved = run_program("protocol prove " + file);
  EXPECT_EQ(proved.exit_code, 20) << proved.err;
  EXPECT_TRUE(contains(proved.out, ": SSER not proved: ")) << proved.out;
  EXPECT_TRUE(contains(proved.out, "  vacuous: no transaction that writes ever commits"));
  EXPECT_FALSE(contains(proved.out, ": SER not proved: ")) << proved.out;
}

/// What nobody can do because of --shapes is told, but is no gap of the protocol.
TEST(ProtocolTruth, ShapesMayLeaveSomethingOut) {
  const ProgramRun readers = run_program("protocol explore occ --shapes 'r(x), r(x)'");
  EXPECT_EQ(readers.exit_code, 0) << readers.err;
  EXPECT_TRUE(contains(readers.err,
                       "no transaction that writes ever commits with these sizes and "
                       "shapes\n"))
      << readers.err;
  EXPECT_TRUE(contains(run_program("protocol explore occ --shapes 'r(x), r(x)' --format json").out,
                       "\"vacuous\":[]"));
  // One transaction cannot read from another one; that is no gap of the protocol, either.
  const ProgramRun alone = run_program("protocol explore occ --clients 1");
  EXPECT_FALSE(contains(alone.err, "another")) << alone.err;
}

TEST(ProtocolTruth, ClientsMustSeeWhatIsReadAndWritten) {
  const TemporaryFolder folder;
  const std::string no_writes =
      folder.write("no-writes.protocol", changed("s2pl", "  writes k when", "  # writes k when"));
  const ProgramRun run = run_program("protocol explore " + no_writes);
  EXPECT_TRUE(contains(run.err,
                       "`observe` tells of no writes, although event install installs "
                       "versions\n"))
      << run.err;
  // Only initial versions: what others wrote is hidden.
  const std::string only_initial =
      folder.write("initial.protocol",
                   changed("atomic", "reads k from w when", "reads k from w when w = initial and"));
  const ProgramRun hidden = run_program("protocol explore " + only_initial);
  EXPECT_TRUE(contains(hidden.err, "no committed transaction has ever read what another one wrote"))
      << hidden.out << hidden.err;
}

/// Write skew is possible, but only reads of keys that are also written are told.
TEST(ProtocolTruth, SomeReadsMayNotBeHidden) {
  const TemporaryFolder folder;
  std::string text = changed("occ", "=> forall u", "and writes(k, t) => forall u");
  const auto change = [&](std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
  };
  change("from w when rv(t, k) = w", "from w when rv(t, k) = w and writes(k, t)");
  change("and rv(x, k) = w", "and rv(x, k) = w and writes(k, x)");
  const std::string file = folder.write("some-reads.protocol", text);
  const std::string_view reason =
      "`observe` does not tell of a read: phase(T1) = committed and rv(T1, y) = init\n";
  const ProgramRun explored = run_program("protocol explore " + file);
  EXPECT_EQ(explored.exit_code, 20) << explored.out;
  EXPECT_TRUE(contains(explored.err, reason)) << explored.err;
  const ProgramRun proved = run_program("protocol prove " + file);
  EXPECT_EQ(proved.exit_code, 20) << proved.out;
  EXPECT_TRUE(contains(proved.out, "SER not proved: too little can happen, or is seen"));
  EXPECT_TRUE(contains(proved.out, "\n  vacuous: " + std::string(reason))) << proved.out;
}

/// Only readers are answered; writers take effect when they like.
TEST(ProtocolTruth, AllThatCommitMustBeAnswered) {
  const TemporaryFolder folder;
  const auto with_answers = [](std::string_view guard) {
    std::string text = changed("atomic", " commits t answers t", " commits t");
    return text.insert(text.find("observe t"),
                       "event answer(c: client, t: transaction) at c answers t\n"
                       "  when owner(t) = c and done(t)" +
                           std::string(guard) + "\n\n");
  };
  const std::string file =
      folder.write("answers.protocol", with_answers(" and no k: key. writes(k, t)"));
  const std::string_view reason =
      "some transactions are answered, but one that reads and writes commits and never is: T1, "
      "with the "
      "constants: ";
  const ProgramRun explored = run_program("protocol explore " + file);
  EXPECT_EQ(explored.exit_code, 20) << explored.out;
  EXPECT_TRUE(contains(explored.err, reason)) << explored.err;
  EXPECT_EQ(run_program("protocol explore --level SER " + file).exit_code, 0);
  const ProgramRun proved = run_program("protocol prove --level SSER " + file);
  EXPECT_EQ(proved.exit_code, 20) << proved.out;
  EXPECT_TRUE(contains(proved.out, reason)) << proved.out;
  EXPECT_EQ(run_program("protocol prove --level SER " + file).exit_code, 0);
  folder.write("answers.protocol", with_answers(""));
  EXPECT_EQ(run_program("protocol prove --level SSER " + file).exit_code, 0);
}

/// What is wrong can be seen only after the commit, which has nothing to show yet.
TEST(ProtocolTruth, WhatClientsSeeLaterCounts) {
  const TemporaryFolder folder;
  const std::string file = folder.write("late.protocol", R"(
title "Reads of any version, told after the commit"
claims RA
enum Phase { idle, committed, done }
constant reads(key, transaction) : bool
constant writes(key, transaction) : bool
order stamp
state phase(transaction) : Phase = idle
state rv(transaction, key) : transaction? = none
def version(k: key, t: transaction) = t = initial or phase(t) != idle and writes(k, t)
event get(c: client, k: key, t: transaction, w: transaction) at c
  when owner(t) = c and t != initial and phase(t) = idle and reads(k, t) and version(k, w)
  then rv(t, k) := w
event commit(c: client, t: transaction) at c commits t
  when owner(t) = c and t != initial and phase(t) = idle
    and (forall k: key. reads(k, t) => rv(t, k) != none)
    and no u: transaction. phase(u) != idle and stamp(t, u)
  then phase(t) := committed
event show(c: client, t: transaction) at c answers t
  when owner(t) = c and phase(t) = committed
  then phase(t) := done
observe t: transaction {
  committed when phase(t) != idle
  reads k from w when rv(t, k) = w and phase(t) = done
  writes k when t != initial and writes(k, t)
}
map installed(k, x) = version(k, x)
map before(k, x, y) = version(k, x) and version(k, y) and stamp(x, y)
map reader(k, w, x) = false
)");
  const ProgramRun explored = run_program("protocol explore " + file);
  EXPECT_EQ(explored.exit_code, 10) << explored.out;
  EXPECT_TRUE(contains(explored.out, "RA      violated, run 1 ")) << explored.out;
  EXPECT_TRUE(contains(explored.out,
                       "why: what clients see of a transaction changes at a step that is not its "
                       "commit\n"))
      << explored.out;
}

/// A key is read before and after somebody else commits; the last read fits the order.
TEST(ProtocolTruth, ReadingTwoVersionsOfAKeyIsSeen) {
  const TemporaryFolder folder;
  const std::string before_observe = R"(
title "Reads a key as often as it likes"
claims RA
order turn
constant reads(key, transaction) : bool
constant writes(key, transaction) : bool
state done(transaction t) : bool = t = initial
state rv(transaction, key, transaction) : bool = false
def version(k: key, t: transaction) = done(t) and (t = initial or writes(k, t))
def newest(k: key, w: transaction) =
  version(k, w) and no x: transaction. version(k, x) and turn(w, x)
event get(c: client, t: transaction, k: key, w: transaction) at c
  when owner(t) = c and not done(t) and reads(k, t) and newest(k, w)
  then rv(t, k, w) := true
event run(c: client, t: transaction) at c commits t answers t
  when owner(t) = c and not done(t) and (no u: transaction. done(u) and turn(t, u))
    and forall k: key. reads(k, t) => exists w: transaction. rv(t, k, w) and newest(k, w)
  then done(t) := true
observe t: transaction {
  committed when done(t)
  reads k from w when rv(t, k, w)
  writes k when t != initial and writes(k, t)
}
)";
  const std::string file =
      folder.write("witness.protocol", before_observe + "witness order(t, u) = turn(t, u)\n");
  const ProgramRun witnessed = run_program("protocol explore --keys 1 " + file);
  EXPECT_EQ(witnessed.exit_code, 10) << witnessed.out;
  EXPECT_TRUE(contains(witnessed.out, "RA      violated, run 1 ")) << witnessed.out;
  // The map shows one of the reads only, as the abstract store would have it.
  const std::string mapped = folder.write("map.protocol", before_observe + R"(
map installed(k, x) = version(k, x)
map before(k, x, y) = version(k, x) and version(k, y) and turn(x, y)
map reader(k, w, x) = x != initial and done(x) and rv(x, k, w)
  and no y: transaction. rv(x, k, y) and turn(w, y)
)");
  const ProgramRun run = run_program("protocol explore --keys 1 " + mapped);
  EXPECT_EQ(run.exit_code, 10) << run.out;
  EXPECT_TRUE(contains(run.out, "why: two versions of a key were read\n")) << run.out;
}

}  // namespace
}  // namespace isoscope::cli
