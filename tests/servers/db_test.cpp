// `isoscope db` with real servers: they come, take clients, and leave nothing behind, whoever is
// killed.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// For scripts: starts a server in the background, waits until it is ready, and knows the process
/// $isoscope, the folder $folder, and the process $server.
std::string in_background(const std::string& arguments) {
  return "out=$(mktemp)\n"
         "isoscope db " +
         arguments +
         " >$out 2>/dev/null &\n"
         "isoscope=$!\n"
         "while ! [ -s $out ] && kill -0 $isoscope; do sleep 0.02; done\n"
         "folder=$(sed -E 's,.*=(/[^?]*)/run.*,\\1,' $out)\n"
         "rm $out\n"
         "server=$(head -n 1 $folder/run/data/postmaster.pid 2>/dev/null || cat $folder/run/pid)\n"
         "kill -0 $server && [ -e $folder/lock ] || echo is not there\n"
         "wait_for_end() { while kill -0 $1 2>/dev/null; do sleep 0.02; done; }\n";
}

TEST(Db, PostgresServesACommandWithItsSettingsAndIsGoneAfterwards) {
  const ProgramRun run = run_program(
      "db postgres --setting work_mem=3MB,search_path=a,public -- sh -c '"
      "psql -Atc \"show work_mem\" -c \"show search_path\" -c \"select current_user\";"
      "psql \"$DATABASE_URL\" -Atc \"show server_version\";"
      "echo $PGHOST; ps -o user= -p $(head -n 1 $PGHOST/data/postmaster.pid); exit 7'");
  EXPECT_EQ(run.exit_code, 7) << run.err;
  EXPECT_EQ(run.err, "");
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 6) << run.out;
  EXPECT_EQ(lines[0], "3MB");
  EXPECT_EQ(lines[1], "a,public");
  EXPECT_EQ(lines[2], "isoscope");
  EXPECT_TRUE(lines[3].starts_with("15.")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("/"));
  EXPECT_FALSE(std::filesystem::exists(lines[4]));
  EXPECT_NE(lines[5], "root");
}

TEST(Db, MariadbServesACommandAndIsGoneAfterwards) {
  const ProgramRun run = run_program(
      "db mariadb -- sh -c 'echo $DATABASE_URL; echo $MYSQL_UNIX_PORT; test -S $MYSQL_UNIX_PORT'");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 2) << run.out;
  EXPECT_EQ(lines[0], "mariadb://root@localhost/isoscope?socket=" + lines[1]);
  EXPECT_FALSE(std::filesystem::exists(lines[1]));
}

TEST(Db, CtrlCEndsIt) {
  const ProgramRun run = run_line(in_background("postgres") +
                                  "kill -INT $isoscope\n"
                                  "wait $isoscope; echo code $?\n"
                                  "! [ -e $folder ] || echo the folder is left\n"
                                  "! kill -0 $server 2>/dev/null || echo the server is left\n");
  EXPECT_EQ(run.out, "code 0\n") << run.err;
}

TEST(Db, WhoKillsItLeavesNoServerAndNoFolder) {
  const ProgramRun run = run_line(in_background("postgres") +
                                  "kill -9 $isoscope\n"
                                  "wait_for_end $server\n"
                                  "while [ -e $folder ]; do sleep 0.02; done\n"
                                  "echo nothing is left\n");
  EXPECT_EQ(run.out, "nothing is left\n") << run.err;
}

TEST(Db, WhoKillsItsKeeperLeavesNoServerAndTheNextStartRemovesTheFolder) {
  const ProgramRun run = run_line(in_background("mariadb") +
                                  "kill -9 $(ps -o ppid= -p $server)\n"
                                  "wait_for_end $server\n"
                                  "wait $isoscope; echo code $?\n"
                                  "isoscope db mariadb -- true\n"
                                  "! [ -e $folder ] || echo the folder is left\n");
  EXPECT_EQ(run.out, "code 3\n") << run.err;
}

TEST(Db, AServerThatEndsIsSaid) {
  const ProgramRun run = run_line(in_background("mariadb") +
                                  "kill -9 $server\n"
                                  "wait $isoscope; echo code $?\n"
                                  "! [ -e $folder ] || echo the folder is left\n");
  EXPECT_EQ(run.out, "code 3\n") << run.err;
}

TEST(Db, WhatCannotBeIsOneLine) {
  struct Case {
    std::string arguments;
    int exit_code;
    std::string message;
  };
  const Case cases[] = {
      {"oracle", 2, "there are no throw-away servers of 'oracle' (there are: postgres, mariadb)"},
      {"postgre", 2, "did you mean `postgres`?"},
      {"postgres --version 12.3", 2, "PostgreSQL 12.3 is not installed; what is installed is 15."},
      {"mariadb --version 11", 2, "other versions are not supported yet"},
      {"postgres --setting fsync", 2, "expected a setting such as NAME=VALUE, found 'fsync'"},
      {"postgres --setting port=7", 2, "the setting port is what keeps a throw-away server in"},
      {"mariadb --setting skip_networking=off", 2, "it cannot be changed"},
      {"postgres --setting no_such_thing=1", 2,
       "FATAL:  unrecognized configuration parameter \"no_such_thing\""},
      {"postgres --setting work_mem=much", 2, "invalid value for parameter \"work_mem\""},
      {"mariadb --setting no_such_thing=1", 2, "unknown variable 'no_such_thing=1'"},
      {"mariadb --setting innodb-snapshot-isolation=maybe", 2, "boolean value 'maybe' wasn't"},
      {"postgres --time-limit 1ms", 20, "unknown: stopped: time limit"},
      {"postgres -- /no/such/program", 2, "/no/such/program: No such file or directory"},
  };
  for (const Case& one : cases) {
    const ProgramRun run = run_program("db " + one.arguments);
    EXPECT_EQ(run.exit_code, one.exit_code) << one.arguments << "\n" << run.err;
    EXPECT_TRUE(contains(run.err, one.message)) << one.arguments << "\n" << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

/// Where a socket's name would be too long, and where a server that runs as another user could not
/// get to.
TEST(Db, TheFolderForTemporaryFilesMayBeUnusable) {
  const TemporaryFolder folder;  // only its owner may enter
  const std::string deep = folder.path(std::string(100, 'x'));
  std::filesystem::create_directory(deep);
  const ProgramRun closed = run_line("export TMPDIR=" + folder.path("") +
                                     "\nisoscope db postgres -- psql -Atc 'select 1'");
  EXPECT_EQ(closed.out, "1\n") << closed.err;
  std::filesystem::permissions(folder.path(""), std::filesystem::perms(0755));
  const ProgramRun long_name = run_line("export TMPDIR=" + deep + "\nisoscope db postgres");
  EXPECT_EQ(long_name.exit_code, 3);
  EXPECT_TRUE(contains(long_name.err, "too long for the name of a socket")) << long_name.err;
}

}  // namespace
}  // namespace isoscope::cli
