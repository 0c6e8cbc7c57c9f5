#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

const std::string light = R"(claims RA
state on(transaction) : bool = false
event switch(c: client, t: transaction) at c begins t commits t
  when owner(t) = c and t != initial and not on(t)
  then on(t) := true
observe t: transaction { committed when on(t) }
)";

const std::string lamp = R"(enum Lamp { off, warm, lit }
state lamp(transaction) : Lamp = off
event heat(c: client, t: transaction) at c begins t
  when owner(t) = c and t != initial and lamp(t) = off
  then lamp(t) := warm
event glow(c: client, t: transaction) at c commits t
  when owner(t) = c and lamp(t) = warm
  then lamp(t) := lit
observe t: transaction {
  committed when lamp(t) = lit
}
refines "../light.protocol" {
  map on(t) = lamp(t) = lit
  event glow(c, t) is switch(c, t)
}
)";

/// light.protocol, and in a folder beside it lamp.protocol.
class RefinesProgram : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.path("lamps"));
    std::ofstream(folder_.path("light.protocol")) << light;
    write_lamp(lamp);
  }
  void write_lamp(const std::string& text) { std::ofstream(file_) << text; }

  TemporaryFolder folder_;
  const std::string file_ = folder_.path("lamps/lamp.protocol");
};

TEST_F(RefinesProgram, ProvesThatAModelRefinesAFile) {
  const std::string certificate = folder_.path("lamp.smt2");
  const ProgramRun run =
      run_program("protocol prove " + file_ + " --refines --certificate " + certificate);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with(file_ + ": refinement of ../light.protocol proved for any "
                                          "number of clients, keys and transactions\n"
                                          "  every step is one of ../light.protocol, or changes "
                                          "nothing there; clients see the same\n"
                                          "  RA, which ../light.protocol claims, holds here if it "
                                          "holds there ('isoscope protocol prove')\n"))
      << run.out;
  EXPECT_TRUE(contains(contents(certificate), "; glow: not on(t) (guard of switch)\n"));
  // There is nothing else that it could mean.
  EXPECT_EQ(run_program("protocol prove " + file_).out, run.out);
  EXPECT_TRUE(contains(run_program("protocol prove --format json " + file_).out,
                       "\"refines\":\"../light.protocol\",\"outcome\":\"proved\""));
  EXPECT_EQ(run_program("protocol format " + file_).out, lamp);
}

TEST_F(RefinesProgram, SaysWhatIsOpen) {
  std::string text = lamp;
  const std::string from = "event glow(c, t) is switch(c, t)";
  write_lamp(text.replace(text.find(from), from.size(), "event heat(c, t) is switch(c, t)"));
  const ProgramRun run = run_program("protocol prove " + file_);
  EXPECT_EQ(run.exit_code, 20) << run.err;
  EXPECT_TRUE(contains(run.out, ": refinement of ../light.protocol not proved: ")) << run.out;
  EXPECT_TRUE(contains(run.out, "open: heat: changes on as switch does (update of switch)\n"));
  EXPECT_TRUE(contains(run.out, "open: glow: leaves on as it is (no step of ../light.protocol)\n"));
}

TEST_F(RefinesProgram, ComplainsAboutWrongUsageAndWrongTexts) {
  EXPECT_EQ(run_program("protocol prove " + file_ + " --refines --level RA").exit_code, 2);
  EXPECT_EQ(run_program("protocol explore atomic --refines").exit_code, 2);
  const ProgramRun nothing = run_program("protocol prove atomic --refines");
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_TRUE(contains(nothing.err, "does not say that it refines another one")) << nothing.err;
  EXPECT_EQ(run_program("protocol prove " + file_ + " --level RA").exit_code, 3) << "no map";

  std::filesystem::remove(folder_.path("light.protocol"));
  const ProgramRun missing = run_program("protocol prove " + file_);
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_TRUE(contains(missing.err, "lamp.protocol:12:9: cannot read ")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "\n  refines \"../light.protocol\" {\n          ^"));

  std::ofstream(folder_.path("light.protocol")) << light << "refines \"lamps/lamp.protocol\" {}";
  const ProgramRun circle = run_program("protocol prove " + file_);
  EXPECT_EQ(circle.exit_code, 3);
  EXPECT_TRUE(contains(circle.err, "models refine each other in a circle: ")) << circle.err;
}

}  // namespace
}  // namespace isoscope::cli
