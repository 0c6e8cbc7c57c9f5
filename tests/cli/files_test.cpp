#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"

/// Which files a call reads and writes: folders, outputs that are inputs, streams named twice; and
/// how a signal ends it.
namespace isoscope::cli {
namespace {

constexpr const char* sound = "a: T1 w(x,1)  |  b: T2 r(x,1)\n";
constexpr const char* aborted_read = "a: T1! w(x,1)  |  b: T2 r(x,1)\n";

void make_folder(const std::string& path) {
  ASSERT_EQ(std::system(("mkdir -p " + path).c_str()), 0);
}

TEST(Folders, AreCheckedFileByFile) {
  const TemporaryFolder folder;
  const std::string set = folder.path("set");
  make_folder(set + "/deeper");
  folder.write("set/b.litmus", aborted_read);
  folder.write("set/a.litmus", sound);
  folder.write("set/deeper/c.litmus", sound);
  folder.write("set/.hidden", "no history");
  const ProgramRun run = run_program("check " + set + " --level valid-reads");
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(run.err, "");
  const std::size_t a = run.out.find(set + "/a.litmus: valid-reads: holds");
  const std::size_t b = run.out.find(set + "/b.litmus: valid-reads: VIOLATED");
  const std::size_t c = run.out.find(set + "/deeper/c.litmus: valid-reads: holds");
  EXPECT_TRUE(a < b && b < c && c != std::string::npos) << run.out;
  EXPECT_TRUE(contains(run_program("stats " + set).out, set + "/deeper/c.litmus"));
  EXPECT_TRUE(contains(run_program("check " + set + " --level cerone/SER").out,
                       set + "/deeper/c.litmus: "));
}

TEST(Folders, AFileInOneThatIsNoHistoryIsBadInput) {
  const TemporaryFolder folder;
  folder.write("a.litmus", sound);
  folder.write("readme", "About these recordings\n");
  const ProgramRun run = run_program("check " + folder.path("") + " --level valid-reads");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.out, "a.litmus: valid-reads: holds")) << run.out;
  EXPECT_TRUE(contains(run.err, "readme:1:1: expected a history in one of the formats")) << run.err;
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
}

TEST(Folders, AreOneHistoryWhereTheFormatSaysSo) {
  const TemporaryFolder folder;
  folder.write("J1.log", "{\"value\":[[\"w\",1,7,true]]}\n");
  folder.write("J2.log", "{\"value\":[[\"r\",1,7,false]]}\n");
  const ProgramRun run = run_program("check " + folder.path("") + " --level serializable");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 1) << run.out;
}

TEST(Folders, EmptyOnesAndThoseForOneHistoryAreRefused) {
  const TemporaryFolder folder;
  make_folder(folder.path("empty"));
  ProgramRun run = run_program("check " + folder.path("empty") + " --level valid-reads");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.err, "found an empty folder")) << run.err;
  make_folder(folder.path("set"));
  folder.write("set/a.litmus", sound);
  folder.write("set/b.litmus", sound);
  for (const std::string command : {"convert ", "shrink --level SER "}) {
    run = run_program(command + folder.path("set"));
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_TRUE(contains(run.err, "found a folder of other files")) << run.err;
  }
  run =
      run_program("check --level SER --certificate " + folder.path("c") + " " + folder.path("set"));
  EXPECT_EQ(run.exit_code, 2) << run.err;
}

TEST(Outputs, NeverReplaceAnInput) {
  const TemporaryFolder folder;
  const std::string history = folder.write("h.litmus", aborted_read);
  make_folder(folder.path("sub"));
  const std::string level = folder.write("my.level", "include \"SI\"\n");
  const std::string link = folder.path("link");
  const std::string hard = folder.path("hard");
  ASSERT_EQ(std::system(("ln -s " + history + " " + link + "; ln " + history + " " + hard).c_str()),
            0);
  const std::string other = folder.path("./sub/../h.litmus");
  std::vector<std::string> calls = {
      "check " + history + " --level valid-reads --certificate " + history,
      "check " + history + " --level valid-reads --certificate " + other,
      "check " + history + " --level valid-reads --certificate " + link,
      "check " + link + " --level valid-reads --certificate " + hard,
      "convert " + history + " --output " + link,
      "shrink " + history + " --level valid-reads -o " + other,
      "convert - -o " + history + " <" + history,
      "convert /dev/stdin -o " + history + " <" + history,
      "synth --allow " + level + " --output " + level,
      "synth --forbid SI," + level + " --output " + level,
      // In a folder that is read it would be part of the history next time.
      "check " + folder.path("") + " --level valid-reads --certificate " + folder.path("new"),
      "check " + folder.path("") + " --level valid-reads --certificate " + folder.path("sub/new"),
  };
  for (const std::string& call : calls) {
    const ProgramRun run = run_line("isoscope " + call);
    EXPECT_EQ(run.exit_code, 2) << call << "\n" << run.out << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(contents(history), aborted_read) << call;
    EXPECT_EQ(contents(level), "include \"SI\"\n") << call;
  }
  EXPECT_FALSE(contains(run_line("ls " + folder.path("")).out, "new"));
}

TEST(Outputs, NorDoTheirUnfinishedNames) {
  const TemporaryFolder folder;
  const std::string history = folder.write("out.unfinished", sound);
  EXPECT_EQ(run_program("convert " + history + " --output " + folder.path("out")).exit_code, 2);
  EXPECT_EQ(contents(history), sound);
}

TEST(Outputs, OtherFilesAreWritten) {
  const TemporaryFolder folder;
  const std::string history = folder.write("h.litmus", sound);
  const std::string out = folder.path("out");
  EXPECT_EQ(run_program("convert " + history + " --output " + out).exit_code, 0);
  EXPECT_EQ(run_program("convert " + history + " --output " + out).exit_code, 0) << "again";
  EXPECT_EQ(run_program("check " + history + " --level SER --certificate " + out).exit_code, 0);
  EXPECT_EQ(run_line("cat " + history + " | isoscope convert - --output /dev/stdout").exit_code, 0);
}

TEST(Streams, AreNotSharedByTwoInputs) {
  const TemporaryFolder folder;
  const std::string history = folder.write("h.litmus", sound);
  for (const std::string& line :
       {"cat " + history + " | isoscope check - - --level SER",
        "cat " + history + " | isoscope check - /dev/stdin --level SER",
        "isoscope check - - --level SER <" + history,
        "mkfifo " + folder.path("p") + "; cd " + folder.path("") + "; isoscope stats p ./p",
        "cat " + history + " | isoscope-verify - /dev/stdin", "isoscope-verify - - <" + history}) {
    const ProgramRun run = run_line(line);
    EXPECT_EQ(run.exit_code, 2) << line << "\n" << run.out << run.err;
    EXPECT_TRUE(contains(run.err, "one stream")) << run.err;
  }
  EXPECT_EQ(run_line("isoscope check " + history + " " + history + " --level SER").exit_code, 0);
}

/// The writer can open the pipe only when the program has, which is after it listens to signals.
TEST(Signals, TerminateAndInterruptEndAlike) {
  for (const std::string signal : {"TERM", "INT"}) {
    const TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    const ProgramRun run = run_line("mkfifo " + pipe + "; isoscope check " + pipe +
                                    " --level SER & program=$!; exec 3>" + pipe + "; kill -" +
                                    signal + " $program; wait $program; exit $?");
    EXPECT_EQ(run.exit_code, 20) << signal << "\n" << run.err;
    EXPECT_TRUE(contains(run.err, "stopped while reading: interrupted")) << run.err;
  }
}

TEST(Misread, FilesGetTheLikelyCause) {
  const ProgramRun run =
      run_program("check - --level SER", "{\"session\":1,\"ops\":[[\"w\",1,2]]}\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.err, "it looks like native without its header line")) << run.err;
  const ProgramRun wrong = run_program("check - --level SER --from native", sound);
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_TRUE(contains(wrong.err, "; it is litmus\n")) << wrong.err;
}

TEST(Empty, InputIsNoHistoryThatHolds) {
  for (const std::string arguments : {"--from edn", "--from plume", "--from elle-json", ""}) {
    const ProgramRun run = run_program("check - --level SER " + arguments, "");
    EXPECT_EQ(run.exit_code, 3) << arguments;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(contains(run.err, "standard input:1:1: ")) << run.err;
  }
  EXPECT_EQ(run_program("check /dev/null --from edn --level SER").exit_code, 3);
}

}  // namespace
}  // namespace isoscope::cli
