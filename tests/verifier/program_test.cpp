#include "cli/program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "verifier/certificates.h"

namespace isoscope {
namespace {

using cli::contains;
using cli::ProgramRun;
using cli::TemporaryFolder;

ProgramRun verify_files(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string command = "'" ISOSCOPE_BINARY_DIR "/bin/isoscope-verify' " + arguments + " >" +
                              folder.path("out") + " 2>" + folder.path("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, cli::contents(folder.path("out")),
          cli::contents(folder.path("err"))};
}

TEST(Program, ConfirmsAndRefuses) {
  const TemporaryFolder folder;
  const std::string text = "a: T1 w(x,1) w(y,1) | b: T2 r(x,1) r(y,nil)\n";
  const std::string path = folder.write("history", text);
  const auto certificate = [&](const std::string& level, const std::string& claim) {
    StringSink sink;
    const History history = test::history_of(text);
    EXPECT_TRUE(write_certificate(test::certificate_of(history, level, claim), sink));
    return folder.write("certificate", sink.text());
  };
  const std::string proof = certificate(
      "SER", "violated\nsteps 5\nread 2.1\nread 2.2\nfrom 2.1 1\norder c0 c1\nbetween 2.2 0 1\n");
  ProgramRun run = verify_files(path + " " + proof);
  EXPECT_EQ(run.out, path + ": serializable: violated: confirmed by " + proof +
                         " (2 committed transactions, 4 operations; 5 steps)\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(verify_files(path + " --from litmus " + proof).exit_code, 0);
  EXPECT_EQ(verify_files("--cobra-values unique " + path + " " + proof).exit_code, 0);

  const std::string order = certificate("PL-SI", "holds\ncommitted\norder 4\nb1 c1 b2 c2\n");
  run = verify_files(path + " " + order);
  EXPECT_EQ(run.out, path +
                         ": snapshot-isolation without session order: holds: refused: transaction "
                         "2, operation 2: something else was read than is there by this order\n");
  EXPECT_EQ(run.exit_code, 10);

  const std::string other = folder.write("other", "a: T1 w(x,1)\n");
  run = verify_files(other + " " + order);
  EXPECT_TRUE(contains(run.out, "refused: the certificate is about another history\n"));
  EXPECT_EQ(run.exit_code, 10);
}

TEST(Program, SaysTheClockSkewAndCanDemandOne) {
  const TemporaryFolder folder;
  const auto certificate = [&](const std::string& text, const std::string& level,
                               std::int64_t skew) {
    StringSink sink;
    const History history = test::history_of(text);
    EXPECT_TRUE(write_certificate(
        test::certificate_of(history, level, "holds\ncommitted\norder 2\nc1 c2\n", skew), sink));
    return folder.write("certificate", sink.text());
  };
  const std::string text = "a: T1@1..2 w(x,1) | b: T2@3..4 r(x,1)\n";
  const std::string path = folder.write("history", text);
  const std::string both = path + " " + certificate(text, "strict-serializable", 5'000'000);
  const ProgramRun run = verify_files(both);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.out, "2 operations; clock skew 5ms; 2 events)\n")) << run.out;
  EXPECT_EQ(verify_files(both + " --clock-skew 5ms --strict").exit_code, 0);
  const ProgramRun other = verify_files(both + " --clock-skew 0s");
  EXPECT_EQ(other.exit_code, 10);
  EXPECT_TRUE(contains(other.out, "refused: the certificate's clock skew is 5ms, not 0s\n"));
  const ProgramRun none =
      verify_files(path + " " + certificate(text, "serializable", 0) + " --clock-skew 0s");
  EXPECT_EQ(none.exit_code, 10);
  EXPECT_TRUE(contains(none.out, "refused: the certificate is not about real time")) << none.out;
}

TEST(Program, StrictlyAConfirmedGapIsUnknown) {
  const TemporaryFolder folder;
  const std::string text = "a: T1 w(x,1) | b: T2 r(x,1)\n";
  StringSink sink;
  const History history = test::history_of(text);
  ASSERT_TRUE(write_certificate(
      test::certificate_of(history, "strict-serializable", "holds\ncommitted\norder 2\nc1 c2\n"),
      sink));
  const std::string both =
      folder.write("history", text) + " " + folder.write("certificate", sink.text());
  const ProgramRun run = verify_files(both);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.out, "\n  Remark: No committed transaction has times")) << run.out;
  EXPECT_EQ(verify_files("--strict " + both).exit_code, 20);
}

TEST(Program, BadInputAndUsage) {
  const TemporaryFolder folder;
  const std::string history = folder.write("history", "a: T1 w(x,1)\n");
  const std::string bad = folder.write("bad", "isoscope-certificate 4\n");
  const ProgramRun run = verify_files(history + " " + bad);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "isoscope-verify: " + bad +
                         ":1:1: only versions 1, 2 and 3 of certificates are known here\n");
  EXPECT_EQ(verify_files(folder.path("missing") + " " + bad).exit_code, 3);
  EXPECT_EQ(verify_files(history + " " + folder.path("missing")).exit_code, 3);
  for (const std::string arguments :
       {"", "one", "one two three", "--unknown one two", "one two --from", "one two --from nothing",
        "one two --cobra-values both", "one two --clock-skew soon"}) {
    const ProgramRun wrong = verify_files(arguments);
    EXPECT_EQ(wrong.exit_code, 2) << arguments;
    EXPECT_EQ(wrong.out, "") << arguments;
    EXPECT_TRUE(wrong.err.starts_with("isoscope-verify: ")) << wrong.err;
    EXPECT_TRUE(wrong.err.ends_with(" (isoscope-verify --help says more)\n")) << wrong.err;
    EXPECT_EQ(std::ranges::count(wrong.err, '\n'), 1) << wrong.err;
  }
  EXPECT_EQ(verify_files("--help").exit_code, 0);
  EXPECT_TRUE(verify_files("--help").out.starts_with("usage: isoscope-verify HISTORY CERTIFICATE"));
  EXPECT_TRUE(contains(verify_files("--help").out, "Exit codes: 0 confirmed, 10 refused"));
  EXPECT_EQ(verify_files("-h").out, verify_files("--help").out);
  EXPECT_EQ(verify_files("help").out, verify_files("--help").out);
  const ProgramRun version = verify_files("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("isoscope-verify "));
  EXPECT_EQ(verify_files("-V").out, version.out);
  EXPECT_EQ(verify_files("version").out, version.out);
  // Beside another file it is a file.
  EXPECT_EQ(verify_files("version " + bad).exit_code, 3);
}

}  // namespace
}  // namespace isoscope
