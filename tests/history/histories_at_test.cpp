#include "isoscope/history/histories_at.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace isoscope {
namespace {

namespace fs = std::filesystem;

const std::string cobra_log("S\0\0\0\0\0\0\0\1C\0\0\0\0\0\0\0\1", 18);
constexpr const char* edn = "{:type :ok, :process 0, :value [[:r 1 nil]]}\n";

class HistoriesAt : public testing::Test {
 protected:
  HistoriesAt() {
    char name[] = "/tmp/isoscope-test-XXXXXX";
    root_ = mkdtemp(name);
  }
  ~HistoriesAt() override { fs::remove_all(root_); }

  void add(const std::string& name, const std::string& bytes) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << bytes;
  }
  /// Below the root, separated by spaces.
  std::string found(const std::string& name = "", std::optional<Format> format = {}) const {
    std::string names;
    const std::string path = (name.empty() ? root_ : root_ / name).string();
    for (const std::string& history : histories_at(path, format)) {
      names += names.empty() ? "" : " ";
      names += history == root_ ? "." : fs::path(history).lexically_relative(root_).string();
    }
    return names;
  }

  fs::path root_;
};

TEST_F(HistoriesAt, AFileIsOneWhateverIsInIt) {
  add("a.edn", edn);
  add("b", "nothing");
  EXPECT_EQ(found("a.edn"), "a.edn");
  EXPECT_EQ(found("b"), "b");
  EXPECT_EQ(found("not there"), "not there");
}

TEST_F(HistoriesAt, AFolderOfFilesIsASetSortedByName) {
  add("b.edn", edn);
  add("a.edn", edn);
  add("c/d.edn", edn);
  add("readme", "what its reader complains of");
  add(".hidden.edn", edn);
  add(".git/e.edn", edn);
  EXPECT_EQ(found(), "a.edn b.edn c/d.edn readme");
  EXPECT_EQ(found("", Format::edn), "a.edn b.edn c/d.edn readme");
}

TEST_F(HistoriesAt, AFolderOfCobraOrViperIsOne) {
  add("cobra/T1.log", cobra_log);
  add("cobra/T2.log", cobra_log);
  add("viper/json/J1.log", "{\"value\":[[\"w\",1,2,true]]}");
  EXPECT_EQ(found("cobra"), "cobra");
  EXPECT_EQ(found("viper"), "viper");
  EXPECT_EQ(found("cobra", Format::cobra), "cobra");
  EXPECT_EQ(found(), "cobra viper");
  EXPECT_EQ(found("cobra/"), "cobra/");
}

TEST_F(HistoriesAt, FoldersOfLogsAreSeveralHistories) {
  add("runs/1/T1.log", cobra_log);
  add("runs/2/T1.log", cobra_log);
  add("more/1/J1.log", "{\"value\":[[\"w\",1,2,true]]}");
  add("more/2/J1.log", "{\"value\":[[\"w\",1,2,true]]}");
  EXPECT_EQ(found("runs"), "runs/1 runs/2");
  EXPECT_EQ(found("more"), "more/1 more/2");
}

TEST_F(HistoriesAt, AFolderBesideAHistoryIsNotTheWhole) {
  add("a.edn", edn);
  add("b/T1.log", cobra_log);
  EXPECT_EQ(found(), "a.edn b");
  add("c/json/J1.log", "{\"value\":[[\"w\",1,2,true]]}");
  EXPECT_EQ(found(), "a.edn b c");
  fs::remove_all(root_ / "b");
  EXPECT_EQ(found(), "a.edn c");
}

TEST_F(HistoriesAt, AFolderWithoutFilesIsLeftToItsReader) {
  fs::create_directories(root_ / "empty/deeper");
  EXPECT_EQ(found("empty"), "empty/deeper");
  EXPECT_EQ(found("empty/deeper"), "empty/deeper");
}

TEST_F(HistoriesAt, LinksToFilesAreFollowedAndToFoldersNot) {
  add("a/h.edn", edn);
  fs::create_symlink(root_ / "a/h.edn", root_ / "b.edn");
  fs::create_directory_symlink(root_, root_ / "a/round");
  EXPECT_EQ(found(), "a/h.edn b.edn");
}

}  // namespace
}  // namespace isoscope
