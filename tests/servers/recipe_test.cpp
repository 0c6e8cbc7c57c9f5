#include "servers/recipe.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/program.h"

namespace isoscope::servers {
namespace {

namespace fs = std::filesystem;

const Places places{"/tmp/x", "/tmp/x/run"};

/// A program that says this when it is asked for its version.
void make_program(const std::string& path, const std::string& says) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << "#!/bin/sh\necho '" << says << "'\n";
  fs::permissions(path, fs::perms(0755));
}

void make_postgres(const cli::TemporaryFolder& root, const std::string& version) {
  const std::string bin = root.path("usr/lib/postgresql/" + version.substr(0, version.find('.')));
  make_program(bin + "/bin/postgres", "postgres (PostgreSQL) " + version + " (Debian)");
  make_program(bin + "/bin/initdb", "");
}

TEST(Recipe, WhatIsNotInstalledNamesItsPackage) {
  const cli::TemporaryFolder root;
  for (const ServerEntry& entry : server_kinds()) {
    const auto recipe = recipe_for({.kind = entry.kind}, places, root.path(""));
    ASSERT_FALSE(recipe);
    EXPECT_EQ(recipe.error().text(), std::string(entry.title) +
                                         " is not installed; Debian 12 has it in the package " +
                                         std::string(entry.package));
    EXPECT_EQ(recipe.error().kind, ErrorKind::input);
  }
}

TEST(Recipe, TakesTheNewestPostgresOrTheOneAskedFor) {
  const cli::TemporaryFolder root;
  for (const std::string version : {"9.6.24", "13.9", "15.18"}) make_postgres(root, version);
  fs::create_directories(root.path("usr/lib/postgresql/17/lib"));  // no server
  const auto version_for = [&](const std::string& wanted) {
    const auto recipe = recipe_for({.version = wanted}, places, root.path(""));
    return recipe ? recipe->version : recipe.error().text();
  };
  EXPECT_EQ(version_for(""), "15.18");
  EXPECT_EQ(version_for("15"), "15.18");
  EXPECT_EQ(version_for("15.18"), "15.18");
  EXPECT_EQ(version_for("13"), "13.9");
  EXPECT_EQ(version_for("1"),
            "PostgreSQL 1 is not installed; what is installed is 15.18, 13.9, 9.6.24, and other "
            "versions are not supported yet");
}

TEST(Recipe, ReadsSettings) {
  const auto setting = setting_from("search_path=a=b");
  ASSERT_TRUE(setting);
  EXPECT_EQ(setting->name, "search_path");
  EXPECT_EQ(setting->value, "a=b");
  EXPECT_TRUE(setting_from("x="));
  for (const char* const wrong : {"", "x", "=1", "-x=1", "a b=1", "a;b=1"})
    EXPECT_FALSE(setting_from(wrong)) << wrong;
}

}  // namespace
}  // namespace isoscope::servers
