// What the verifier says about updates: it confirms what is right, and refuses what was tampered
// with.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "history_of.h"
#include "isoscope/verifier/verify.h"

namespace isoscope {
namespace {

/// Why the certificate is refused; empty if it is confirmed. The text is that of a certificate
/// without its history.
std::string refusal(std::string litmus, const std::string& level, const std::string& rest) {
  std::ranges::replace(litmus, '/', '\n');
  const History history = test::history_of(litmus);
  const std::string text = "isoscope-certificate 3\nlevel " + level +
                           "\nsession-order on\nindeterminate-cuts on\ntime ignored\nhistory "
                           "sha256:" +
                           digest(history) + "\nanswer " + rest + "end\n";
  const auto certificate = read_certificate(Source::from_memory("c", text));
  EXPECT_TRUE(certificate) << (certificate ? "" : certificate.error().text());
  if (!certificate) return "unreadable";
  const auto refused = verify(history, *certificate);
  return refused ? refused->reason : "";
}

const std::string lost = "initial 7 / a: T1 add(x,5,12) | b: T2 add(x,5,12)";

std::string steps(const std::string& last) {
  return "violated\nsteps 6\nread 1.1\nread 2.1\norder c0 c1\norder c0 c2\nbase 1.1 0 2\n" + last +
         "\n";
}

TEST(UpdateCertificates, ALostUpdateIsRefutedWhereVersionsHaveAnOrder) {
  for (const char* level : {"read-committed", "adya-read-committed", "causal", "monotonic-view",
                            "cursor-stability", "prefix-consistency"}) {
    EXPECT_EQ(refusal(lost, level, steps("base 2.1 0 1")), "") << level;
  }
  const std::string versions =
      "violated\nsteps 6\nread 1.1\nread 2.1\norder v0.1 v1.1\norder v0.1 v2.1\nbase 1.1 0 2\n"
      "base 2.1 0 1\n";
  for (const char* level : {"read-your-writes", "writes-follow-reads", "pram"}) {
    EXPECT_EQ(refusal(lost, level, versions), "") << level;
  }
}

TEST(UpdateCertificates, OtherLevelsHaveNoSuchStep) {
  const std::string bases = "violated\nsteps 3\nread 1.1\nbase 1.1 0 2\nbase 2.1 0 1\n";
  for (const char* level : {"read-uncommitted", "valid-reads", "cut-isolation"}) {
    EXPECT_NE(refusal(lost, level, bases), "") << level;
  }
}

TEST(UpdateCertificates, TamperedStepsAreRefused) {
  const auto refused = [](const std::string& history, const std::string& last,
                          const std::string& why) {
    const std::string reason = refusal(history, "read-committed", steps(last));
    EXPECT_NE(reason.find(why), reason.npos) << last << ": " << reason;
  };
  EXPECT_NE(refusal(lost, "read-committed", steps("base 2.1 0 2")), "");
  refused(lost, "base 2.1 1 0", "cannot have returned");
  refused(lost, "base 2.2 0 1", "no read of a key");
  // A pair of operations that is no update.
  refused("initial 7 / a: T1 r(x,7) w(x,12) | b: T2 add(x,5,12)", "base 2.1 0 1",
          "not of what an update was applied to");
  // It read its own write, so that it says nothing about others.
  EXPECT_NE(refusal("initial 7 / a: T1 add(x,5,12) | b: T2 w(x,7) add(x,5,12)", "read-committed",
                    "violated\nsteps 3\nread 1.1\norder c0 c2\nbase 2.2 0 1\n"),
            "");
  // A refused compare-and-set writes nothing.
  EXPECT_NE(refusal("initial 7 / a: T1 cas(x,1,2,refused,7) | b: T2 add(x,5,12)", "read-committed",
                    "violated\nsteps 2\nread 1.1\nbase 1.1 0 2\n"),
            "");
}

TEST(UpdateCertificates, AnExecutionHasBasesRightBeforeTheirVersions) {
  const std::string chain = "initial 7 / a: T1 add(x,5,12) | b: T2 add(x,1,13) | c: T3 w(x,7)";
  const std::string good = "holds\ncommitted\norder 3\nc3 c1 c2\nsources 1\n1.1=3\n";
  EXPECT_EQ(refusal(chain, "read-committed", good), "");
  // T3 comes between T1 and T2, or T1 is applied to what is older than T3's version.
  EXPECT_NE(
      refusal(chain, "read-committed", "holds\ncommitted\norder 3\nc1 c3 c2\nsources 1\n1.1=0\n"),
      "");
  EXPECT_NE(
      refusal(chain, "read-committed", "holds\ncommitted\norder 3\nc3 c1 c2\nsources 1\n1.1=0\n"),
      "");
  EXPECT_EQ(refusal(chain, "pram", "holds\ncommitted\norder 3\nv3.1 v1.1 v2.1\nsources 1\n1.1=3\n"),
            "");
  EXPECT_NE(refusal(chain, "pram", "holds\ncommitted\norder 3\nv1.1 v3.1 v2.1\nsources 1\n1.1=0\n"),
            "");
  // The version that an update was applied to is older than its own.
  EXPECT_NE(refusal("a: T1 w(x,1) | b: T2 add(x,1,2)", "read-your-writes",
                    "holds\ncommitted\norder 2\nv2.1 v1.1\nsources 0\n"),
            "");
}

TEST(UpdateCertificates, AtPrefixConsistencyNobodyWritesTheKeyMeanwhile) {
  const std::string chain = "initial 7 / a: T1 add(x,5,12) | b: T2 w(x,3)";
  const auto order = [](const std::string& events) {
    return "holds\ncommitted\norder 4\n" + events + "\nsources 0\n";
  };
  EXPECT_EQ(refusal(chain, "prefix-consistency", order("b1 b2 c1 c2")), "");
  EXPECT_NE(refusal(chain, "prefix-consistency", order("b1 b2 c2 c1")), "");
  // Without the update that is fine.
  EXPECT_EQ(refusal("initial 7 / a: T1 r(x,7) w(x,12) | b: T2 w(x,3)", "prefix-consistency",
                    order("b1 b2 c2 c1")),
            "");
}

}  // namespace
}  // namespace isoscope
