#include <gtest/gtest.h>

#include "cli/program.h"
#include "isoscope/base/byte_sink.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"

/// Programs that use the library write the same certificates as the command line.
namespace isoscope::cli {
namespace {

/// What check() and write_certificate() give, as a program would call them.
Result<std::string> by_library(const std::string& path, Level level) {
  ISOSCOPE_TRY(source, Source::open(path));
  ISOSCOPE_TRY(history, read_history(source));
  const Verdict verdict = check(history, level, {.certificate = true, .anomalies = 1});
  ISOSCOPE_TRY(certificate, certificate_of(verdict, history));
  StringSink sink;
  ISOSCOPE_TRY_STATUS(write_certificate(certificate, sink));
  return sink.text();
}

TEST(CertificateOfTheLibrary, IsThatOfTheCommandLineAndIsVerified) {
  struct Case {
    const char* history;
    LevelId level;
    int code;
  };
  const TemporaryFolder folder;
  for (const Case& one :
       {Case{"a: T1 w(x,1) | b: T2 r(x,1)\n", LevelId::serializable, 0},
        Case{"a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)\n", LevelId::serializable, 10},
        Case{"a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)\n", LevelId::snapshot_isolation, 0}}) {
    const std::string path = folder.write("h.litmus", one.history);
    const std::string by_program = folder.path("by-program");
    const std::string level(name_of(one.level));
    ASSERT_EQ(run_program("check " + path + " --level " + level + " --certificate " + by_program)
                  .exit_code,
              one.code);
    const auto text = by_library(path, Level{one.level});
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(*text, contents(by_program)) << one.history << level;
    const std::string written = folder.write("by-library", *text);
    const ProgramRun verified =
        run_line("isoscope-verify " + path + " " + written + " --level " + level);
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
}

TEST(CertificateOfTheLibrary, IsNotWrittenWithoutItsHistory) {
  const auto history = read_history(Source::from_memory("h", "a: T1 w(x,1) | b: T2 r(x,1)\n"), {});
  ASSERT_TRUE(history);
  const Verdict verdict = check(*history, Level{LevelId::serializable}, {.certificate = true});
  ASSERT_TRUE(verdict.certificate);
  StringSink sink;
  const Status written = write_certificate(*verdict.certificate, sink);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::usage);
  EXPECT_EQ(sink.text(), "");
}

TEST(CertificateOfTheLibrary, SettlesTheLevelOfTheVerdict) {
  const auto history = read_history(Source::from_memory("h", "a: T1 w(x,1)\n"), {});
  ASSERT_TRUE(history);
  Verdict verdict = check(*history, Level{LevelId::snapshot_isolation}, {.certificate = true});
  ASSERT_TRUE(certificate_of(verdict, *history));
  verdict.level = Level{LevelId::serializable};
  EXPECT_FALSE(certificate_of(verdict, *history)) << "it is about a weaker level";
  verdict.certificate.reset();
  verdict.answer = Answer::unknown;
  EXPECT_EQ(certificate_of(verdict, *history).error().what, "an unknown verdict has none");
}

}  // namespace
}  // namespace isoscope::cli
