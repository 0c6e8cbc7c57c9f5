#include <gtest/gtest.h>

#include "cli/large_inputs.h"
#include "cli/program.h"
#include "packed.h"

/// Where a history may come from: files, pipes with and without a name, compressed or not.
namespace isoscope::cli {
namespace {

constexpr const char* thin_air = "{:process 0 :type :ok :f :txn :value [[:r 1 5]]}\n";

/// More than any pipe holds, in every format.
constexpr int many = 20'000;

TEST(Input, APipeGivenAsAPathIsReadOnceAndWhole) {
  const TemporaryFolder folder;
  const std::string file = folder.write("h", thin_air);
  for (const std::string& line :
       {"cat " + file + " | isoscope check /dev/stdin --level serializable",
        "cat " + file + " | isoscope check - --level serializable",
        "cat " + file + " | isoscope check /dev/stdin --from edn --level serializable",
        "isoscope check <(cat " + file + ") --level serializable",
        "isoscope check /dev/stdin --level serializable <" + file,
        "mkfifo " + file + ".fifo; cat " + file + " >" + file + ".fifo & isoscope check " + file +
            ".fifo --level serializable"}) {
    const ProgramRun run = run_line(line);
    EXPECT_EQ(run.exit_code, 10) << line << "\n" << run.out << run.err;
    EXPECT_TRUE(contains(run.out, "VIOLATED")) << line << "\n" << run.out;
  }
}

/// Cobra and Viper name a session after its file. All have one session here.
std::string without_session_name(const std::string& native) {
  std::string text;
  constexpr std::string_view member = "\"session\":";
  for (std::size_t at = 0; at < native.size();) {
    const std::size_t found = std::min(native.find(member, at), native.size());
    text.append(native, at, found - at);
    at = std::min(native.find(',', found), native.size());
  }
  return text;
}

TEST(Input, EveryFormatComesOutOfAPipeWhole) {
  const TemporaryFolder folder;
  std::size_t number = 0;
  for (const LargeInput& input : large_inputs(many)) {
    const std::string name(name_of(input.format));
    const std::string file = folder.write("h", input.bytes);
    const std::string convert = "isoscope convert --to native ";
    const ProgramRun whole = run_line(convert + file);
    EXPECT_EQ(whole.exit_code, 0) << name << "\n" << whole.err;
    EXPECT_EQ(std::ranges::count(whole.out, '\n'), many + 1) << name;
    const std::string fifo = folder.path("fifo-" + name);
    // Each format has one compressor here: the others are tried in tests/base.
    const test::Packer& packer = test::packers[number++ % std::size(test::packers)];
    const std::string packed = folder.write("packed", packer.pack(input.bytes));
    for (const std::string& line :
         {"cat " + file + " | " + convert + "/dev/stdin", "cat " + file + " | " + convert + "-",
          "mkfifo " + fifo + "; cat " + file + " >" + fifo + " & " + convert + fifo,
          "cat " + packed + " | " + convert + "/dev/stdin"}) {
      const ProgramRun piped = run_line(line);
      EXPECT_EQ(piped.exit_code, 0) << line << "\n" << piped.err;
      EXPECT_EQ(std::ranges::count(piped.out, '\n'), many + 1) << name;
      EXPECT_TRUE(without_session_name(piped.out) == without_session_name(whole.out))
          << name << ": " << line;
    }
  }
}

TEST(Input, ALargePipeIsReadByAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string file = folder.write("h", large_inputs(many).front().bytes);
  const std::string one = run_line("isoscope convert --threads 1 " + file).out;
  EXPECT_TRUE(run_line("cat " + file + " | isoscope convert --threads 4 -").out == one);
  // What is wrong with it is said where it is.
  const ProgramRun bad =
      run_line("(cat " + file + "; echo nonsense) | isoscope check --threads 4 /dev/stdin");
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_TRUE(contains(bad.err, "/dev/stdin:" + std::to_string(many + 2) + ":1: ")) << bad.err;
}

TEST(Input, TheVerifierReadsPipesToo) {
  const TemporaryFolder folder;
  const std::string file = folder.write("h", thin_air);
  const std::string certificate = folder.path("certificate");
  ASSERT_EQ(
      run_line("isoscope check " + file + " --level SER --certificate " + certificate).exit_code,
      10);
  for (const std::string& line :
       {"cat " + file + " | isoscope-verify /dev/stdin " + certificate,
        "cat " + file + " | isoscope-verify - " + certificate,
        "cat " + certificate + " | isoscope-verify " + file + " /dev/stdin",
        "isoscope-verify <(cat " + file + ") <(cat " + certificate + ")"}) {
    const ProgramRun run = run_line(line);
    EXPECT_EQ(run.exit_code, 0) << line << "\n" << run.out << run.err;
    EXPECT_TRUE(contains(run.out, "confirmed")) << line;
  }
}

TEST(Input, CompressedFilesAreRecognisedByContent) {
  const TemporaryFolder folder;
  for (const test::Packer& packer : test::packers) {
    const std::string packed = packer.pack(thin_air);
    const std::string file = folder.write("no-ending", packed);
    EXPECT_EQ(run_program("check " + file + " --level valid-reads").exit_code, 10) << packer.name;
    EXPECT_EQ(run_program("check - --level valid-reads", packed).exit_code, 10) << packer.name;
  }
}

TEST(Input, CompressedDataThatIsCutIsBadInput) {
  const TemporaryFolder folder;
  for (const test::Packer& packer : test::packers) {
    const std::string packed = packer.pack(large_inputs(many).front().bytes);
    const std::string file = folder.write("cut", packed.substr(0, packed.size() / 2));
    for (const std::string& line : {"isoscope check " + file + " --level serializable",
                                    "isoscope check --threads 1 " + file + " --level serializable",
                                    "cat " + file + " | isoscope check - --level serializable"}) {
      const ProgramRun run = run_line(line);
      EXPECT_EQ(run.exit_code, 3) << packer.name;
      EXPECT_EQ(run.out, "") << packer.name;
      EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
      EXPECT_TRUE(contains(run.err, "the " + std::string(packer.name) + " data ends in the middle"))
          << run.err;
    }
  }
}

TEST(Input, ALimitEndsTheWaitForAPipe) {
  const TemporaryFolder folder;
  const std::string fifo = folder.path("fifo");
  // Nobody ever writes to the first; somebody writes to the second and never ends.
  for (const std::string& line :
       {"mkfifo " + fifo + "; isoscope check " + fifo + " --level SER --time-limit 100ms",
        "isoscope check <(printf '" + std::string("a: T1 w(x,1)") + "'; read <" + fifo +
            ") --level SER --time-limit 100ms; code=$?; echo >" + fifo + "; exit $code"}) {
    const ProgramRun run = run_line(line);
    EXPECT_EQ(run.exit_code, 20) << run.out << run.err;
    EXPECT_TRUE(contains(run.err, "stopped while reading: time limit")) << run.err;
  }
}

/// Half of each comes, and then nothing: the program waits until it is stopped.
TEST(Input, AStopInTheMiddleOfCompressedDataIsNoBadInput) {
  const TemporaryFolder folder;
  for (const test::Packer& packer : test::packers) {
    // Less than a pipe holds, so that nobody waits to write.
    const std::string packed = packer.pack(large_inputs(1000).front().bytes);
    const std::string half = folder.write("half", packed.substr(0, packed.size() / 2));
    const std::string pipe = folder.path("pipe-" + std::string(packer.name));
    for (const std::string options :
         {"--level SER", "--level SER --threads 1", "--level SER --format json", "--from native"}) {
      const std::string make = "rm -f " + pipe + "; mkfifo " + pipe + "; ";
      const std::string check = "isoscope check " + pipe + " " + options;
      const std::string feed = "cat " + half + " >&3; ";
      // The pipe can be opened only for writing when the program has, which then listens to
      // signals.
      const ProgramRun interrupted =
          run_line(make + check + " & program=$!; exec 3>" + pipe + "; " + feed +
                   "kill -TERM $program; wait $program; exit $?");
      EXPECT_EQ(interrupted.exit_code, 20) << packer.name << options << interrupted.err;
      EXPECT_TRUE(contains(interrupted.err, "stopped while reading: interrupted"))
          << interrupted.err;
      const ProgramRun late =
          run_line(make + "exec 3<>" + pipe + "; " + feed + check + " --time-limit 100ms");
      EXPECT_EQ(late.exit_code, 20) << packer.name << options << late.err;
      EXPECT_TRUE(contains(late.err, "stopped while reading: time limit")) << late.err;
    }
  }
}

}  // namespace
}  // namespace isoscope::cli
