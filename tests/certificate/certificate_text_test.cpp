#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/certificate/certificate.h"
#include "test_scale.h"

namespace isoscope {
namespace {

const std::string some_digest = std::string(32, '0') + std::string(32, 'f');

Result<Certificate> read(const std::string& text) {
  return read_certificate(Source::from_memory("in", text));
}

std::string error(const std::string& text) {
  const Result<Certificate> certificate = read(text);
  return certificate ? "no error" : certificate.error().text();
}

std::string write(const Certificate& certificate) {
  StringSink sink;
  EXPECT_TRUE(write_certificate(certificate, sink));
  return sink.text();
}

std::string header_3(const std::string& level, const std::string& time = "ignored") {
  return "isoscope-certificate 3\nlevel " + level +
         "\nsession-order on\nindeterminate-cuts on\ntime " + time +
         "\nhistory sha256:" + some_digest + "\n";
}

std::string header(const std::string& level = "serializable", const std::string& time = "ignored") {
  return "isoscope-certificate 1\nlevel " + level + "\nsession-order on\ntime " + time +
         "\nhistory sha256:" + some_digest + "\n";
}

TEST(CertificateText, PrintsWhatItReads) {
  const std::vector<std::string> texts = {
      header() + "answer holds\ncommitted\norder 0\nend\n",
      header("snapshot-isolation") +
          "answer holds\ncommitted 5 9\norder 4\nb3 b1 c1 c4294967295\nend\n",
      header("strict-serializable", "client skew 0") +
          "answer holds\ncommitted 1\norder 22\n"
          "c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20\nc21 c22\nend\n",
      header("strong-snapshot-isolation", "client skew 9223372036854775807") +
          "answer violated\nsteps 12\norder c1 b2\nread 12.3\nfrom 12.3 7\ntook 12.3 7\n"
          "between 12.3 7 9\nconflict 4 5\nlist 12.3 7 9\nmember 12.3 7\ninside 12.3\n"
          "path c1 b2 c2 b5\nlemma !12.3=7 b1<c2 !+4 1.2=0 +3 : 3 5 6\nlemma :\nend\n",
      header() + "answer violated\nsteps 0\nend\n",
      header() +
          "answer violated\nsteps 6\nread 12.3.7\nfrom 12.3.7 7\ntook 12.3.7 7\nbetween 12.3.7 7 "
          "9\n"
          "inside 12.3.4294967295\nlemma 1.2.3=0 !1.2.3=4 1.2=0 : 1\nend\n",
      header_3("causal") +
          "answer holds\ncommitted 4\norder 2\nc1 c2\nsources 2\n2.1=0 2.3.7=1\nend\n",
      header_3("valid-reads") + "answer holds\ncommitted\norder 0\nsources 0\nend\n",
      header_3("prefix-consistency") + "answer holds\ncommitted\norder 2\nb1 c1\nsources 0\nend\n",
      header_3("pram") +
          "answer holds\ncommitted\norder 3\nv2.1 v1.1 v4294967295.7\nsources 0\nend\n",
      header_3("strong-read-committed", "client skew 5") +
          "answer violated\nsteps 2\nsees 3.1 2 1 via r3.2 s3\n"
          "sees 3.1.4 2 1 via o4 w5 a6:5.2.9=0 a7:6.2=1 r3.1.2\nend\n",
      header_3("writes-follow-reads") +
          "answer violated\nsteps 4\nstuck c1 c2\nfollows 3.1 2 1\ncircle 1 via r2.1 s1\n"
          "lemma v1.2<v2.2 : 1\nend\n",
      header_3("serializable") + "answer violated\nsteps 1\nsees 3.1 2 1 via o3\nend\n",
  };
  for (const std::string& text : texts) {
    const Result<Certificate> certificate = read(text);
    ASSERT_TRUE(certificate) << certificate.error().text();
    EXPECT_EQ(write(*certificate), text);
  }
}

TEST(CertificateText, WhiteSpace) {
  const Result<Certificate> certificate =
      read(header() + "answer  holds \r\ncommitted\t5\norder 2\n\n c1\n\n  c2 \nend");
  ASSERT_TRUE(certificate) << certificate.error().text();
  EXPECT_EQ(certificate->order, (std::vector{Event::commit(1), Event::commit(2)}));
}

TEST(CertificateText, ErrorsSayWhere) {
  const auto violated = [](const std::string& lines) {
    return header() + "answer violated\n" + lines;
  };
  const auto step = [&](const std::string& line) {
    return error(violated("steps 1\n" + line + "\nend\n"));
  };
  EXPECT_EQ(error(""), "in:1:1: expected 'end' before the end of the file");
  EXPECT_EQ(error("hello\n"), "in:1:1: expected 'isoscope-certificate 1': this is no certificate");
  for (const std::string version : {"4", "1 ", "1.0", "01", ""}) {
    EXPECT_EQ(error("isoscope-certificate " + version + "\n"),
              "in:1:1: only versions 1, 2 and 3 of certificates are known here");
  }
  EXPECT_EQ(error(header("SER")), "in:2:7: expected a level");
  EXPECT_EQ(error(header("causal")), "in:2:7: certificates of this level have version 3");
  EXPECT_EQ(error(header("serializable", "client skew 0")), "in:4:6: expected 'ignored'");
  EXPECT_EQ(error(header("serializable", "ignored twice")),
            "in:4:14: expected the end of the line");
  EXPECT_EQ(error(header("strict-serializable")), "in:4:6: expected 'client'");
  EXPECT_EQ(error(header("strict-serializable", "client skew -1")), "in:4:18: expected a number");
  EXPECT_EQ(error(header("strict-serializable", "client skew 9223372036854775808")),
            "in:4:18: the number is too large");
  EXPECT_EQ(error(header() + "answer perhaps\n"), "in:6:8: expected 'holds' or 'violated'");
  EXPECT_EQ(error(header()), "in:6:1: expected 'end' before the end of the file");
  EXPECT_EQ(error(header() + "answer holds\norder 0\n"), "in:7:1: expected 'committed'");
  EXPECT_EQ(error(header() + "answer holds\ncommitted\norder 2\nc1\nend\n"),
            "in:10:1: expected 2 events before this, there are 1");
  EXPECT_EQ(error(header() + "answer holds\ncommitted\norder 99999999999999999999\nend\n"),
            "in:8:7: the number is too large");
  EXPECT_EQ(error(header() + "answer holds\ncommitted\norder 18446744073709551615\nend\n"),
            "in:9:1: expected 18446744073709551615 events before this, there are 0");
  EXPECT_EQ(error(header() + "answer holds\ncommitted\norder 1\nc1 1\nend\n"),
            "in:9:4: expected an event: b or c and a number");
  EXPECT_EQ(error(header() + "answer holds\ncommitted\norder 0\nend\nend\n"),
            "in:10:1: expected nothing after 'end'");
  EXPECT_EQ(error(violated("steps 1\nread 1.1\n")),
            "in:9:1: expected 'end' before the end of the file");
  EXPECT_EQ(error(violated("steps 2\nread 1.1\nend\n")),
            "in:9:1: expected 2 steps before this, there are 1");
  EXPECT_EQ(step("guess 1.1"), "in:8:1: expected a step or 'end'");
  EXPECT_EQ(step(""), "in:8:1: expected a step, the line ends");
  EXPECT_EQ(step("read"), "in:8:5: expected a read, the line ends");
  EXPECT_EQ(step("read 1"),
            "in:8:6: expected a read: TRANSACTION.OPERATION or TRANSACTION.OPERATION.KEY");
  EXPECT_EQ(step("read 1.1.0"), "in:8:6: keys are numbered from 1");
  EXPECT_EQ(step("read 1.1.1.1"), "in:8:6: expected a number");
  EXPECT_EQ(step("read 1..1"), "in:8:6: expected a number");
  EXPECT_EQ(step("read 1.1."), "in:8:6: expected a number");
  EXPECT_EQ(step("read 1.1.4294967296"), "in:8:6: the number is too large");
  EXPECT_EQ(step("read 1.x"), "in:8:6: expected a number");
  EXPECT_EQ(step("read 1.1 2"), "in:8:10: expected the end of the line");
  EXPECT_EQ(step("from 1.1 4294967296"), "in:8:10: the number is too large");
  EXPECT_EQ(step("from 1.1 007"), "in:8:10: expected a number");
  EXPECT_EQ(step("order c1"), "in:8:7: expected two events");
  EXPECT_EQ(step("order c1 c2 c3"), "in:8:13: expected two events only");
  EXPECT_EQ(step("path c1"), "in:8:6: expected two events");
  EXPECT_EQ(step("lemma +1"), "in:8:9: expected literals and ':', the line ends");
  const std::string no_literal =
      ": expected a literal: b1<c2, 1.2=3, 1.2.5=3, 1.2@4=3, !1.2=3, +4 or !+4";
  EXPECT_EQ(step("lemma !b1<c2 : 1"), "in:8:7" + no_literal);
  EXPECT_EQ(step("lemma b1 : 1"), "in:8:7" + no_literal);
  EXPECT_EQ(step("lemma ! : 1"), "in:8:7" + no_literal);
  EXPECT_EQ(step("lemma : +1"), "in:8:9: expected a number");
  EXPECT_EQ(step("sees 3.1 2 1 via s3"), "in:8:1: expected a step or 'end'");
  EXPECT_EQ(error(header() + "answer holds\ncommitted\norder 0\nend x"),
            "in:9:5: expected the end of the line");
  const auto step_3 = [&](const std::string& line) {
    return error(header_3("causal") + "answer violated\nsteps 1\n" + line + "\nend\n");
  };
  EXPECT_EQ(step_3("sees 3.1 2 1"), "in:9:13: expected via, the line ends");
  EXPECT_EQ(step_3("sees 3.1 2 1 by s3"), "in:9:14: expected 'via'");
  EXPECT_EQ(step_3("sees 3.1 2 1 via"), "in:9:17: expected a hop, the line ends");
  EXPECT_EQ(step_3("sees 3.1 2 1 via x3"),
            "in:9:18: expected a hop: s5, r5.2, r5.2.7, w5, a5:4.2=3 or o5");
  EXPECT_EQ(step_3("sees 3.1 2 1 via s"), "in:9:18: expected a number");
  EXPECT_EQ(step_3("sees 3.1 2 1 via s3.1"), "in:9:18: expected a number");
  EXPECT_EQ(step_3("sees 3.1 2 1 via r3"),
            "in:9:18: expected a read: TRANSACTION.OPERATION or TRANSACTION.OPERATION.KEY");
  EXPECT_EQ(step_3("sees 3.1 2 1 via a3"),
            "in:9:18: expected a read and what it returned: 1.2=3 or 1.2.5=3");
  EXPECT_EQ(step_3("order v1 v2"), "in:9:7: expected a number");
  EXPECT_EQ(step_3("order v1.0 v2.1"), "in:9:7: keys are numbered from 1");
  EXPECT_EQ(step_3("order x1 c2"), "in:9:7: expected an event: b5, c5 or v5.3");
  EXPECT_EQ(error(header_3("causal") + "answer holds\ncommitted\norder 0\nend\n"),
            "in:10:1: expected an event: b5, c5 or v5.3");
  EXPECT_EQ(error(header_3("causal") + "answer holds\ncommitted\norder 0\nsources 1\nend\n"),
            "in:11:1: expected 1 sources before this, there are 0");
  EXPECT_EQ(error(header_3("causal") + "answer holds\ncommitted\norder 0\nsources 1\n1.1\nend\n"),
            "in:11:1: expected a read and what it returned: 1.2=3 or 1.2.5=3");
  std::string short_digest = header();
  short_digest.erase(short_digest.size() - 2, 1);
  EXPECT_EQ(error(short_digest), "in:5:9: expected sha256: and 64 hexadecimal digits");
}

TEST(CertificateText, FoldersAreRefused) {
  EXPECT_FALSE(read_certificate(Source::from_memory_folder("folder", {})));
}

class RandomCertificate {
 public:
  explicit RandomCertificate(Random& random) : random_(random) {}

  Certificate make() {
    Certificate result;
    result.level = {levels()[random_.below(levels().size())].id, random_.chance(50)};
    is_new_ = needs_version_3(result.level.id);
    if (entry_of(result.level.id).kind == LevelKind::real_time) result.clock_skew = number();
    result.history_digest = some_digest;
    result.holds = random_.chance(50);
    if (result.holds) {
      for (std::uint64_t left = random_.below(4); left > 0; --left) {
        result.committed.push_back(number());
      }
      result.order = events(0, 60);
      for (auto left = random_.below(50); is_new_ && left > 0; --left) {
        result.sources.push_back({read_number(), number()});
      }
    } else {
      for (std::uint64_t left = random_.below(30); left > 0; --left) result.steps.push_back(step());
    }
    return result;
  }

 private:
  std::uint32_t number() {
    return static_cast<std::uint32_t>(random_.next() >> (32 + random_.below(32)));
  }
  ReadNumber read_number() {
    ReadNumber read{number(), number(), random_.chance(50) ? number() : 0};
    if (random_.chance(30)) read.elements = number();
    return read;
  }
  Event event() {
    if (is_new_ && random_.chance(30)) return Event::version(number(), number() | 1);
    return {number(), random_.chance(50)};
  }
  Hop hop() {
    switch (static_cast<Hop::Kind>(random_.below(5))) {
      case Hop::Kind::session:
        return Hop::session(number());
      case Hop::Kind::read:
        return Hop::by_read(read_number());
      case Hop::Kind::overwrite:
        return Hop::overwrite(number());
      case Hop::Kind::antidependency:
        return Hop::antidependency(number(), read_number(), number());
      case Hop::Kind::earlier:
        return Hop::earlier(number());
    }
    return {};
  }
  std::vector<Event> events(std::uint64_t least, std::uint64_t most) {
    std::vector<Event> result;
    for (std::uint64_t left = least + random_.below(most - least + 1); left > 0; --left) {
      result.push_back(event());
    }
    return result;
  }
  ProofLiteral literal() {
    const ProofLiteral chosen = random_.chance(30) ? ProofLiteral::order(event(), event())
                                : random_.chance(50)
                                    ? ProofLiteral::selection(read_number(), number())
                                    : ProofLiteral::committed(number());
    return random_.chance(50) ? !chosen : chosen;
  }
  ProofStep step() {
    using Kind = ProofStep::Kind;
    ProofStep step;
    step.kind = static_cast<Kind>(random_.below(is_new_ ? 20 : 15));
    if (step.kind == Kind::sees || step.kind == Kind::circle) {
      for (auto left = 1 + random_.below(5); left > 0; --left) step.hops.push_back(hop());
    }
    switch (step.kind) {
      case Kind::order:
        step.events = events(2, 2);
        break;
      case Kind::path:
      case Kind::stuck:
        step.events = events(2, 9);
        break;
      case Kind::lemma:
        for (auto left = random_.below(5); left > 0; --left) step.literals.push_back(literal());
        for (auto left = random_.below(5); left > 0; --left) step.hints.push_back(number());
        break;
      case Kind::apart:
        step.third = number();
        [[fallthrough]];
      case Kind::between:
      case Kind::list:
      case Kind::next:
      case Kind::sees:
      case Kind::follows:
      case Kind::base:
        step.other = number();
        [[fallthrough]];
      case Kind::from:
      case Kind::took:
      case Kind::member:
      case Kind::left:
      case Kind::rest:
        step.writer = number();
        [[fallthrough]];
      case Kind::read:
      case Kind::inside:
        step.read = read_number();
        break;
      case Kind::conflict:
        step.writer = number();
        step.other = number();
        break;
      case Kind::circle:
        step.writer = number();
        break;
    }
    return step;
  }

  Random& random_;
  bool is_new_ = false;  // in version 3 there is more
};

TEST(CertificateText, WhatIsWrittenIsReadAgain) {
  Random random(1);
  for (int i = 0; i < 2000 * test_scale(); ++i) {
    Certificate certificate = RandomCertificate(random).make();
    certificate.indeterminate_cuts = random.chance(50);
    const Result<Certificate> again = read(write(certificate));
    ASSERT_TRUE(again) << again.error().text() << "\n" << write(certificate);
    ASSERT_EQ(*again, certificate) << write(certificate);
  }
}

}  // namespace
}  // namespace isoscope
