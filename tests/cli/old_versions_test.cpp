// What earlier versions of the program wrote is read as it was meant, or refused by its version; it
// is never misread. The files in tests/old-versions/VERSION were written by the program of that
// version and stay as they are: if a test fails, a reader changed its mind about what they say.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

const std::string old_files = ISOSCOPE_SOURCE_DIR "/tests/old-versions/0.1.0/";

ProgramRun run_verifier(const std::string& history, const std::string& certificate) {
  const TemporaryFolder folder;
  const std::string command = "'" ISOSCOPE_BINARY_DIR "/bin/isoscope-verify' '" + history + "' '" +
                              certificate + "' >" + folder.path("out") + " 2>" + folder.path("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path("out")),
          contents(folder.path("err"))};
}

std::string with_first_line(const std::string& text, const std::string& line) {
  return line + text.substr(text.find('\n'));
}

struct OldCertificate {
  const char* history;
  const char* certificate;
  const char* claim;
};

constexpr OldCertificate old_certificates[] = {
    {"all.jsonl", "all-strict-serializable.cert", "strict-serializable: holds"},
    {"cut.litmus", "cut-serializable.cert", "serializable: holds"},
    {"late.litmus", "late-strict-serializable.cert", "strict-serializable: violated"},
    {"late.litmus", "late-strong-snapshot-isolation.cert", "strong-snapshot-isolation: violated"},
    {"late.litmus", "late-with-skew.cert", "strict-serializable: holds"},
    {"lists.litmus", "lists-snapshot-isolation.cert", "snapshot-isolation: violated"},
    {"skew.litmus", "skew-serializable.cert", "serializable: violated"},
    {"skew.litmus", "skew-snapshot-isolation.cert", "snapshot-isolation: holds"},
    {"skew.litmus", "skew-without-session-order.cert",
     "serializable without session order: violated"},
};

TEST(OldVersions, CertificatesOf010AreConfirmed) {
  for (const auto& [history, certificate, claim] : old_certificates) {
    const ProgramRun run = run_verifier(old_files + history, old_files + certificate);
    EXPECT_EQ(run.exit_code, 0) << certificate << "\n" << run.out << run.err;
    EXPECT_TRUE(contains(run.out, std::string(": ") + claim)) << run.out;
    EXPECT_TRUE(contains(run.out, ": confirmed by ")) << run.out;
  }
}

/// A certificate is of the history as it was read then: the digest is about what was understood,
/// not about bytes.
TEST(OldVersions, CertificatesOf010AreOfTheirHistoryOnly) {
  for (const auto& [history, certificate, claim] : old_certificates) {
    const std::string other = history == std::string("skew.litmus") ? "cut.litmus" : "skew.litmus";
    const ProgramRun run = run_verifier(old_files + other, old_files + certificate);
    EXPECT_EQ(run.exit_code, 10) << certificate << "\n" << run.out << run.err;
  }
}

TEST(OldVersions, NativeFilesOf010AreReadAsTheyWereMeant) {
  const ProgramRun run = run_program("convert --to litmus " + old_files + "all.jsonl");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, contents(old_files + "all.litmus"));
  const ProgramRun again = run_program("convert --to litmus " + old_files + "all.litmus");
  EXPECT_EQ(again.out, run.out);
}

TEST(OldVersions, OtherVersionsAreRefusedByName) {
  const TemporaryFolder folder;
  const std::string certificate = contents(old_files + "skew-serializable.cert");
  for (const std::string version : {"0", "999", "1.5", "one", "", "-1", "01"}) {
    const std::string file = folder.write(
        "certificate", with_first_line(certificate, "isoscope-certificate " + version));
    const ProgramRun run = run_verifier(old_files + "skew.litmus", file);
    EXPECT_EQ(run.exit_code, 3) << version << "\n" << run.out;
    EXPECT_TRUE(contains(run.err, ":1:") && contains(run.err, "version")) << run.err;
  }
  const std::string history = contents(old_files + "all.jsonl");
  for (const std::string version : {"0", "999", "1.5", "\"1\"", "null", "-1", "[1]"}) {
    const std::string header = "{\"isoscope-history\":" + version + "}";
    const ProgramRun run = run_program("stats -", with_first_line(history, header));
    EXPECT_EQ(run.exit_code, 3) << version << "\n" << run.out;
    EXPECT_TRUE(contains(run.err, ":1:") && contains(run.err, "version")) << run.err;
  }
}

}  // namespace
}  // namespace isoscope::cli
