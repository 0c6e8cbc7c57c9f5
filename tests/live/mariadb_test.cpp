// MariaDB: what the driver makes of each error, and what the levels allow.

#include <thread>

#include "live/story.h"

namespace isoscope::live {
namespace {

using record::Completion;
using record::SqlCell;
using record::Trouble;

LiveServer& mariadb() {
  static LiveServer server(servers::ServerKind::mariadb, ISOSCOPE_MARIADB_DRIVER);
  return server;
}

constexpr const char* snapshots_on = "SET SESSION innodb_snapshot_isolation = ON";

/// The table t with x and y, and two sessions.
class Mariadb : public testing::Test {
 protected:
  Mariadb() {
    a.run("DROP TABLE IF EXISTS t");
    a.run("CREATE TABLE t (k VARCHAR(10) PRIMARY KEY, v BIGINT) ENGINE=InnoDB");
    a.run("INSERT INTO t VALUES ('x', 0), ('y', 0)");
  }

  void end_connection_of(Session& session) {
    const std::string number = std::to_string(session.number("SELECT CONNECTION_ID()"));
    monitor.run("KILL " + number);
    while (monitor.number("SELECT COUNT(*) FROM information_schema.processlist WHERE id = " +
                          number) != 0)
      std::this_thread::yield();
  }
  /// Not innodb_trx, which shows nothing new to anyone that looks again within 100 ms.
  void wait_until_blocked() {
    while (monitor.number("SELECT CAST(variable_value AS SIGNED) FROM "
                          "information_schema.global_status WHERE "
                          "variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'") == 0)
      std::this_thread::yield();
  }

  Session a{mariadb().client("repeatable-read")};
  Session b{mariadb().client("repeatable-read")};
  Session monitor{mariadb().client("read-committed")};
};

TEST_F(Mariadb, ValuesComeBackAsTheyWereSent) {
  a.run("CREATE TEMPORARY TABLE v (n BIGINT, t LONGTEXT)");
  a.begin();
  const std::string insert = "INSERT INTO v VALUES (?, ?)";
  const std::string long_text(100'000, 'x');
  a.must(a.execute(insert, {SqlCell::of(std::int64_t{-9'000'000'000}), SqlCell::of("it's \"1\"")}));
  EXPECT_EQ(a.rows().matched, 1);
  a.must(a.execute(insert, {SqlCell::of(std::int64_t{7}), SqlCell::of(long_text)}));
  a.must(a.execute(insert, {SqlCell{}, SqlCell{}}));
  a.must(a.execute("SELECT n, t FROM v ORDER BY n IS NULL, n"));
  ASSERT_EQ(a.rows().size(), 3);
  EXPECT_EQ(a.rows().at(0, 0).integer, -9'000'000'000);
  EXPECT_EQ(a.rows().at(0, 1).text, "it's \"1\"");
  EXPECT_EQ(a.rows().at(1, 1).text, long_text);
  EXPECT_EQ(a.rows().at(2, 0).kind, SqlCell::Kind::null);
  EXPECT_EQ(a.rows().at(2, 1).kind, SqlCell::Kind::null);
  // A no-op update chooses its rows, too.
  a.must(a.execute("UPDATE v SET n = n WHERE n IS NOT NULL"));
  EXPECT_EQ(a.rows().matched, 2);
  a.must(a.client().commit());
}

TEST_F(Mariadb, DescribesItself) {
  const auto setting = [&](const std::string& name) {
    for (const auto& [key, value] : a.client().describe().settings) {
      if (key == name) return value;
    }
    return std::string("not there");
  };
  EXPECT_TRUE(a.client().describe().server.starts_with("MariaDB 10.11."));
  EXPECT_TRUE(a.client().describe().driver.starts_with("libmariadb "));
  EXPECT_EQ(a.client().describe().promise, "repeatable-read");
  EXPECT_EQ(setting("tx_isolation"), "REPEATABLE-READ");
  EXPECT_EQ(setting("innodb_snapshot_isolation"), "OFF");
  EXPECT_EQ(setting("innodb_flush_log_at_trx_commit"), "2");
  a.run(snapshots_on);
  EXPECT_EQ(a.client().describe().promise, "snapshot-isolation");
}

TEST_F(Mariadb, ARecordThatHasChangedIsASerializationFailureAndCommitSaysNo) {
  a.run(snapshots_on);
  a.begin();
  EXPECT_EQ(a.number("SELECT v FROM t WHERE k = 'x'"), 0);
  b.run("UPDATE t SET v = 1 WHERE k = 'x'");
  expect_trouble(a.execute("UPDATE t SET v = 2 WHERE k = 'x'"), Trouble::serialization, true,
                 "1020: ");
  // The server would say yes.
  expect_trouble(a.client().commit(), Trouble::refused, true, "has failed");
  a.must(a.client().rollback());
  EXPECT_EQ(b.number("SELECT v FROM t WHERE k = 'x'"), 1);
}

TEST_F(Mariadb, DeadlockHasOneVictim) {
  a.begin();
  b.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  b.must(b.execute("UPDATE t SET v = 2 WHERE k = 'y'"));
  auto waiting = a.in_background("UPDATE t SET v = 1 WHERE k = 'y'");
  wait_until_blocked();
  const Completion second = b.execute("UPDATE t SET v = 2 WHERE k = 'x'");
  if (!second) b.must(b.client().rollback());
  const Completion first = waiting.get();
  EXPECT_NE(static_cast<bool>(first), static_cast<bool>(second));
  expect_trouble(first ? second : first, Trouble::deadlock, true, "1213: ");
  a.must(a.client().rollback());
  b.must(b.client().rollback());
}

/// Only the statement is rolled back, so what came before it would be committed.
TEST_F(Mariadb, ALockThatIsNotToBeHad) {
  a.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  b.run("SET SESSION innodb_lock_wait_timeout = 0");
  b.begin();
  b.must(b.execute("UPDATE t SET v = 2 WHERE k = 'y'"));
  expect_trouble(b.execute("UPDATE t SET v = 2 WHERE k = 'x'"), Trouble::lock_timeout, true,
                 "1205: ");
  expect_trouble(b.client().commit(), Trouble::refused, true, "has failed");
  a.must(a.client().rollback());
  EXPECT_EQ(a.number("SELECT v FROM t WHERE k = 'y'"), 0);
}

TEST_F(Mariadb, OtherErrorsAreRefusals) {
  a.begin();
  expect_trouble(a.execute("INSERT INTO t VALUES ('x', 1)"), Trouble::constraint, true, "1062: ");
  a.must(a.client().rollback());
  expect_trouble(a.client().run("SELEC"), Trouble::refused, true, "1064: ");
}

TEST_F(Mariadb, AConnectionThatEndsBeforeCommit) {
  a.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  end_connection_of(a);
  expect_trouble(a.execute("UPDATE t SET v = 2 WHERE k = 'x'"), Trouble::disconnected, true, "");
  EXPECT_FALSE(a.client().rollback());
}

TEST_F(Mariadb, AConnectionThatEndsAtCommitLeavesItOpenWhatHappened) {
  a.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  end_connection_of(a);
  expect_trouble(a.client().commit(), Trouble::disconnected, false, "");
}

TEST_F(Mariadb, APasswordIsInNoMessage) {
  record::ConnectionString wrong = mariadb().string();
  wrong.user = "ann";
  wrong.password = "secret";
  std::unique_ptr<record::SqlClient> client;
  const Completion done = mariadb().driver_of().connect(wrong, 0, client);
  expect_trouble(done, Trouble::disconnected, true, "1045: Access denied for user 'ann'");
  EXPECT_EQ(done.message.find("secret"), std::string::npos) << done.message;
  wrong.parameters.emplace_back("charset", "utf8");
  expect_part(mariadb().driver_of().problem_with(wrong), "no parameter 'charset'");
}

Story lost_update(const std::string& before_all) {
  Story story(mariadb(), "repeatable-read", before_all);
  story.read(Story::a, "x").read(Story::b, "x");
  story.write(Story::a, "x", 1).commit(Story::a).write(Story::b, "x", 2).commit(Story::b);
  return story;
}

TEST(MariadbLevels, RepeatableReadAllowsLostUpdates) {
  const Story story = lost_update("");
  EXPECT_EQ(story.text(), "initial 0\na: T1 r(x,0) w(x,1) | b: T2 r(x,0) w(x,2)\n");
  expect_part(story.verdict(LevelId::repeatable_read), "VIOLATED: lost update");
  expect_part(story.verdict(LevelId::snapshot_isolation), "VIOLATED: lost update");
}

TEST(MariadbLevels, SnapshotIsolationStopsLostUpdates) {
  const Story story = lost_update(snapshots_on);
  EXPECT_EQ(story.trouble(Story::a), "");
  expect_part(story.trouble(Story::b), "1020: ");
  expect_part(story.verdict(LevelId::snapshot_isolation), "snapshot-isolation: holds");
}

/// MDEV-26642: the update changes nothing in the newest row, so it leaves the snapshot's row as it
/// is, and the transaction does not see what it has written itself.
TEST(MariadbLevels, RepeatableReadHidesAnOwnWriteOfAnEqualValue) {
  const auto own_write = [](const std::string& before_all) {
    Story story(mariadb(), "repeatable-read", before_all);
    story.read(Story::a, "x").write(Story::b, "x", 1).commit(Story::b);
    story.write(Story::a, "x", 1).read(Story::a, "x").commit(Story::a);
    return story;
  };
  const Story story = own_write("");
  EXPECT_EQ(story.text(), "initial 0\na: T1 r(x,0) w(x,1) r(x,0) | b: T2 w(x,1)\n");
  expect_part(story.verdict(LevelId::read_committed), "VIOLATED");
  expect_part(story.verdict(LevelId::valid_reads), "VIOLATED");
  expect_part(own_write(snapshots_on).trouble(Story::a), "1020: ");
}

TEST(MariadbLevels, SnapshotIsolationAllowsWriteSkew) {
  Story story(mariadb(), "repeatable-read", snapshots_on);
  story.read(Story::a, "x").read(Story::a, "y").read(Story::b, "x").read(Story::b, "y");
  story.write(Story::a, "x", 1).write(Story::b, "y", 1).commit(Story::a).commit(Story::b);
  expect_part(story.verdict(LevelId::serializable), "VIOLATED: write skew (G2-item)");
  expect_part(story.verdict(LevelId::snapshot_isolation), "snapshot-isolation: holds");
}

}  // namespace
}  // namespace isoscope::live
