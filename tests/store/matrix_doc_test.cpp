// The tables at the end of docs/stores.md are those of the code.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "golden.h"
#include "isoscope/store/violations.h"

namespace isoscope {
namespace {

std::string joined(std::span<const LevelId> some) {
  std::string text;
  for (const LevelId id : some) {
    text += (text.empty() ? "`" : ", `") + std::string(name_of(id)) + "`";
  }
  return text.empty() ? "nothing" : text;
}

std::string overview() {
  std::string text = "| bug |";
  std::string rule = "|---|";
  for (const StoreEntry& store : stores()) {
    text += " " + std::string(store.name) + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const BugEntry& bug : bugs()) {
    if (bug.bug == Bug::none) continue;
    text += "| `" + std::string(bug.name) + "` |";
    for (const StoreEntry& store : stores()) {
      text += can_have(store.kind, bug.bug) ? " yes |" : " - |";
    }
    text += "\n";
  }
  return text;
}

std::string table_of(const StoreEntry& store) {
  std::string text = "### " + std::string(store.name) + "\n\nPromises `" +
                     std::string(name_of(store.promise)) +
                     "`.\n\n| bug | weakest levels violated | session order off |\n|---|---|---|\n";
  for (const BugEntry& bug : bugs()) {
    if (!can_have(store.kind, bug.bug)) continue;
    const std::string with = joined(violated_levels(store.kind, bug.bug, true));
    const std::string without = joined(violated_levels(store.kind, bug.bug, false));
    text += "| " + (bug.bug == Bug::none ? "none" : "`" + std::string(bug.name) + "`") + " | " +
            with + " | " + (with == without ? "the same" : without) + " |\n";
  }
  return text;
}

TEST(Matrix, TheDocumentHasIt) {
  const std::string path = "docs/stores.md";
  std::ifstream file(std::string(ISOSCOPE_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string heading = "## The matrix\n";
  const std::size_t start = text.str().find(heading);
  ASSERT_NE(start, std::string::npos);
  std::string expected =
      text.str().substr(0, start) + heading + "\nWhich store can have which bug:\n\n" + overview() +
      "\nWhat runs then violate: the levels of the row, all levels that imply one of them, and no "
      "others.\n";
  for (const StoreEntry& store : stores()) expected += "\n" + table_of(store);
  expect_golden(path, expected);
}

}  // namespace
}  // namespace isoscope
