#include "verifier/levels.h"

#include <gtest/gtest.h>

#include "history_of.h"
#include "verifier/certificates.h"

// The verifier's table of levels, which it shares with nobody, against what the catalogue and the
// certificates say; and a certificate of each class of levels by hand.

namespace isoscope::verifier {
namespace {

TEST(Levels, EachHasARow) {
  int count = 0;
  for (const LevelEntry& entry : levels()) {
    const Rules& rules = rules_of({entry.id});
    EXPECT_EQ(rules.level, entry.id);
    EXPECT_EQ(rules.repeats, implies(entry.id, LevelId::cut_isolation)) << entry.name;
    const OrderEvents events = events_of({entry.id});
    EXPECT_EQ(events == OrderEvents::none, rules.shape == Shape::single_reads) << entry.name;
    EXPECT_EQ(events == OrderEvents::versions, rules.shape == Shape::versions) << entry.name;
    const bool is_vacuous_plain = is_vacuous({entry.id, false});
    EXPECT_EQ(rules_of({entry.id, false}).level,
              is_vacuous_plain ? LevelId::valid_reads : entry.id);
    ++count;
  }
  EXPECT_EQ(count, 31);
}

TEST(Levels, WhichPathsCount) {
  const auto counts = [](LevelId level, std::string_view path) {
    return rules_of({level}).counts(path);
  };
  EXPECT_TRUE(counts(LevelId::causal, "srs"));
  EXPECT_FALSE(counts(LevelId::causal, "srw"));
  EXPECT_FALSE(counts(LevelId::causal, ""));
  EXPECT_TRUE(counts(LevelId::read_committed, "r"));
  EXPECT_FALSE(counts(LevelId::read_committed, "rr"));
  EXPECT_TRUE(counts(LevelId::monotonic_snapshot_read, "or"));
  EXPECT_FALSE(counts(LevelId::monotonic_snapshot_read, "oor"));
  EXPECT_FALSE(counts(LevelId::monotonic_snapshot_read, "sr"));
  EXPECT_TRUE(counts(LevelId::session_causal, "s"));
  EXPECT_FALSE(counts(LevelId::session_causal, "r"));
  EXPECT_TRUE(counts(LevelId::writes_follow_reads, "rsr"));
  EXPECT_FALSE(counts(LevelId::writes_follow_reads, "sr"));
  EXPECT_FALSE(counts(LevelId::writes_follow_reads, "rs"));
  EXPECT_TRUE(counts(LevelId::pram, "srs"));
  EXPECT_FALSE(counts(LevelId::pram, "srsr"));
  EXPECT_FALSE(counts(LevelId::monotonic_reads, "s"));
  EXPECT_FALSE(counts(LevelId::adya_read_committed, "r"));
}

/// A certificate of version 3, with what can be told from history and level filled in.
std::string answer(const std::string& litmus, const std::string& level, const std::string& claim) {
  const History history = test::history_of(litmus);
  const Level meant = *find_level(level);
  const std::string text =
      "isoscope-certificate 3\nlevel " + std::string(name_of(meant.id)) + "\nsession-order " +
      (meant.session_order ? "on" : "off") +
      "\nindeterminate-cuts on\ntime ignored\nhistory sha256:" + digest(history) + "\nanswer " +
      claim + "end\n";
  const Result<Certificate> certificate = read_certificate(Source::from_memory("c", text));
  return certificate ? test::answer(history, *certificate) : certificate.error().text();
}

TEST(Levels, OrdersWithSources) {
  const std::string fork =
      "a: T1 w(x,1) | b: T2 w(x,2) | c: T3 r(x,1) r(x,2) | d: T4 r(x,2) r(x,1)";
  EXPECT_EQ(
      answer(fork, "adya-read-committed", "holds\ncommitted\norder 4\nc1 c2 c3 c4\nsources 0\n"),
      "confirmed");
  EXPECT_EQ(
      answer(fork, "read-committed", "holds\ncommitted\norder 4\nc1 c2 c3 c4\nsources 0\n"),
      "transaction 4, operation 2: the read misses a newer version of which its transaction knew");
  const std::string twice = "a: T1 w(x,1) | b: T2 w(x,1) w(y,1) | c: T3 r(x,1) r(y,nil)";
  EXPECT_EQ(answer(twice, "causal", "holds\ncommitted\norder 3\nc1 c2 c3\nsources 0\n"),
            "transaction 3, operation 2: the read misses a newer version of which its transaction "
            "knew");
  EXPECT_EQ(answer(twice, "causal", "holds\ncommitted\norder 3\nc2 c1 c3\nsources 1\n3.1=1\n"),
            "confirmed");
  EXPECT_EQ(answer(twice, "causal", "holds\ncommitted\norder 3\nc2 c1 c3\nsources 1\n3.1=0\n"),
            "transaction 3, operation 1: by this order the read cannot be from such a transaction");
  EXPECT_EQ(answer(twice, "causal", "holds\ncommitted\norder 3\nc2 c1 c3\nsources 1\n2.1=1\n"),
            "a source is listed twice, or of what is no read of what others left");
}

TEST(Levels, OrdersOfVersions) {
  const std::string own = "a: T1 w(x,1) ; T2 r(x,2) | b: T3 w(x,2)";
  EXPECT_EQ(answer(own, "read-your-writes", "holds\ncommitted\norder 2\nv1.1 v3.1\nsources 0\n"),
            "confirmed");
  EXPECT_EQ(
      answer(own, "read-your-writes", "holds\ncommitted\norder 2\nv3.1 v1.1\nsources 0\n"),
      "transaction 2, operation 1: the read misses a newer version of which its session knew");
  EXPECT_EQ(answer(own, "read-your-writes", "holds\ncommitted\norder 1\nv3.1\nsources 0\n"),
            "versions of a key are missing in the order, such as that of transaction 1");
  EXPECT_EQ(answer(own, "read-your-writes", "holds\ncommitted\norder 2\nc1 c3\nsources 0\n"),
            "event c1 does not belong to the order");
}

TEST(Levels, HopsOfARefutation) {
  const std::string lost = "a: T1 w(x,1) w(y,1) | b: T2 r(y,1) r(x,nil)";
  const auto steps = [&](const std::string& level, const std::string& sees) {
    return answer(lost, level,
                  "violated\nsteps 4\nread 2.1\nread 2.2\norder c0 c1\nsees " + sees + "\n");
  };
  EXPECT_EQ(steps("read-committed", "2.2 0 1 via r2.1"), "confirmed");
  EXPECT_EQ(steps("read-committed", "2.2 0 1 via r2.2"),
            "step 4: a hop is by a read that is not from the transaction before it");
  EXPECT_EQ(steps("read-committed", "2.2 0 1 via s2"),
            "step 4: such hops do not count at this level");
  EXPECT_EQ(steps("causal", "2.2 0 1 via s2"), "step 4: the session has no such hop");
  EXPECT_EQ(steps("adya-read-committed", "2.2 0 1 via r2.1"),
            "step 4: there is no such step at this level");
  EXPECT_EQ(answer("a: T1 r(y,1) r(x,nil) | b: T2 w(x,1) w(y,1)", "read-committed",
                   "violated\nsteps 4\nread 1.1\nread 1.2\norder c0 c2\nsees 1.2 0 2 via r1.1\n"),
            "confirmed");
  EXPECT_EQ(answer("a: T1 r(x,nil) r(y,1) | b: T2 w(x,1) w(y,1)", "read-committed",
                   "violated\nsteps 4\nread 1.1\nread 1.2\norder c0 c2\nsees 1.1 0 2 via r1.2\n"),
            "step 4: the reader had not made that read by then");
}

TEST(Levels, StuckTransactions) {
  const std::string circle = "a: T1 r(x,1) w(y,1) | b: T2 r(y,1) w(x,1) | c: T3 r(y,1) w(x,1)";
  EXPECT_EQ(answer(circle, "adya-read-committed", "violated\nsteps 1\nstuck c1 c2 c3\n"),
            "confirmed");
  EXPECT_EQ(answer(circle, "adya-read-committed", "violated\nsteps 1\nstuck c1 c2\n"),
            "step 1: transaction 1 need not wait for the others");
}

}  // namespace
}  // namespace isoscope::verifier
