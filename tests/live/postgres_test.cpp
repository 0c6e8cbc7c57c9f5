// PostgreSQL: what the driver makes of each error, and what the levels allow.

#include <thread>

#include "live/story.h"

namespace isoscope::live {
namespace {

using record::Completion;
using record::SqlCell;
using record::Trouble;

LiveServer& postgres() {
  static LiveServer server(servers::ServerKind::postgres, ISOSCOPE_POSTGRESQL_DRIVER);
  return server;
}

/// The table t with x and y, and two sessions.
class Postgres : public testing::Test {
 protected:
  Postgres() {
    a.run("DROP TABLE IF EXISTS t");
    a.run("CREATE TABLE t (k TEXT PRIMARY KEY, v BIGINT)");
    a.run("INSERT INTO t VALUES ('x', 0), ('y', 0)");
  }

  void end_connection_of(Session& session) {
    const std::int64_t process = session.number("SELECT pg_backend_pid()");
    const std::string number = std::to_string(process);
    monitor.number("SELECT pg_terminate_backend(" + number + ")::int");
    while (monitor.number("SELECT count(*) FROM pg_stat_activity WHERE pid = " + number) != 0)
      std::this_thread::yield();
  }
  void wait_until_blocked(std::int64_t process) {
    while (monitor.number("SELECT cardinality(pg_blocking_pids(" + std::to_string(process) +
                          "))") == 0)
      std::this_thread::yield();
  }

  Session a{postgres().client("repeatable-read")};
  Session b{postgres().client("repeatable-read")};
  Session monitor{postgres().client("read-committed")};
};

TEST_F(Postgres, ValuesComeBackAsTheyWereSent) {
  a.run("CREATE TEMPORARY TABLE v (n BIGINT, t TEXT)");
  a.begin();
  const std::string insert = "INSERT INTO v VALUES ($1, $2)";
  a.must(a.execute(insert, {SqlCell::of(std::int64_t{-9'000'000'000}), SqlCell::of("it's \"1\"")}));
  EXPECT_EQ(a.rows().matched, 1);
  a.must(a.execute(insert, {SqlCell{}, SqlCell{}}));
  a.must(a.execute("SELECT n, t FROM v ORDER BY n NULLS LAST"));
  ASSERT_EQ(a.rows().size(), 2);
  EXPECT_EQ(a.rows().at(0, 0).integer, -9'000'000'000);
  EXPECT_EQ(a.rows().at(0, 1).text, "it's \"1\"");
  EXPECT_EQ(a.rows().at(1, 0).kind, SqlCell::Kind::null);
  EXPECT_EQ(a.rows().at(1, 1).kind, SqlCell::Kind::null);
  // A no-op update chooses its row, too.
  a.must(a.execute("UPDATE v SET n = n RETURNING n"));
  EXPECT_EQ(a.rows().matched, 2);
  EXPECT_EQ(a.rows().size(), 2);
  a.must(a.client().commit());
}

TEST_F(Postgres, DescribesItself) {
  const record::SqlDescription description = a.client().describe();
  EXPECT_TRUE(description.server.starts_with("PostgreSQL 15.")) << description.server;
  EXPECT_TRUE(description.driver.starts_with("libpq ")) << description.driver;
  EXPECT_EQ(description.promise, "snapshot-isolation");
  const auto setting = [&](const std::string& name) {
    for (const auto& [key, value] : description.settings) {
      if (key == name) return value;
    }
    return std::string("not there");
  };
  EXPECT_EQ(setting("transaction_isolation"), "repeatable read");
  EXPECT_EQ(setting("synchronous_commit"), "on");
  EXPECT_EQ(setting("fsync"), "off");
}

TEST_F(Postgres, ConcurrentUpdateIsASerializationFailure) {
  a.begin();
  EXPECT_EQ(a.number("SELECT v FROM t WHERE k = 'x'"), 0);
  b.run("UPDATE t SET v = 1 WHERE k = 'x'");
  expect_trouble(a.execute("UPDATE t SET v = 2 WHERE k = 'x'"), Trouble::serialization, true,
                 "40001: could not serialize access");
  // The transaction has failed: 25P02, and COMMIT is answered with ROLLBACK.
  expect_trouble(a.execute("SELECT v FROM t WHERE k = 'y'"), Trouble::refused, true, "25P02: ");
  expect_trouble(a.client().commit(), Trouble::refused, true, "COMMIT was answered with ROLLBACK");
  a.must(a.client().rollback());
}

TEST_F(Postgres, DeadlockHasOneVictim) {
  const std::int64_t process = a.number("SELECT pg_backend_pid()");
  a.begin();
  b.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  b.must(b.execute("UPDATE t SET v = 2 WHERE k = 'y'"));
  auto waiting = a.in_background("UPDATE t SET v = 1 WHERE k = 'y'");
  wait_until_blocked(process);
  const Completion second = b.execute("UPDATE t SET v = 2 WHERE k = 'x'");
  if (!second) b.must(b.client().rollback());
  const Completion first = waiting.get();
  EXPECT_NE(static_cast<bool>(first), static_cast<bool>(second));
  expect_trouble(first ? second : first, Trouble::deadlock, true, "40P01: deadlock detected");
  a.must(a.client().rollback());
  b.must(b.client().rollback());
}

TEST_F(Postgres, ALockThatIsNotToBeHad) {
  a.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  b.begin();
  expect_trouble(b.execute("SELECT v FROM t WHERE k = 'x' FOR UPDATE NOWAIT"),
                 Trouble::lock_timeout, true, "55P03: ");
  b.must(b.client().rollback());
  a.must(a.client().rollback());
}

TEST_F(Postgres, OtherErrorsAreRefusals) {
  a.begin();
  expect_trouble(a.execute("INSERT INTO t VALUES ('x', 1)"), Trouble::constraint, true, "23505: ");
  a.must(a.client().rollback());
  expect_trouble(a.client().run("SELEC"), Trouble::refused, true, "42601: ");
}

TEST_F(Postgres, AConnectionThatEndsBeforeCommit) {
  a.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  end_connection_of(a);
  expect_trouble(a.execute("SELECT v FROM t WHERE k = 'x'"), Trouble::disconnected, true,
                 "terminating connection");
  EXPECT_FALSE(a.client().rollback());
}

TEST_F(Postgres, AConnectionThatEndsAtCommitLeavesItOpenWhatHappened) {
  a.begin();
  a.must(a.execute("UPDATE t SET v = 1 WHERE k = 'x'"));
  end_connection_of(a);
  expect_trouble(a.client().commit(), Trouble::disconnected, false, "terminating connection");
}

TEST_F(Postgres, APasswordIsInNoMessage) {
  record::ConnectionString wrong;
  wrong.text = "postgresql://ann:secret@/none?host=/no/such/folder";
  std::unique_ptr<record::SqlClient> client;
  const Completion done = postgres().driver_of().connect(wrong, 0, client);
  expect_trouble(done, Trouble::disconnected, true, "/no/such/folder");
  EXPECT_EQ(done.message.find("secret"), std::string::npos) << done.message;
  wrong.text = "postgresql://ann:secret@/none?no_such_parameter=1";
  const std::string problem = postgres().driver_of().problem_with(wrong);
  expect_part(problem, "no_such_parameter");
  EXPECT_EQ(problem.find("secret"), std::string::npos) << problem;
}

Story write_skew(const std::string& level) {
  Story story(postgres(), level);
  story.read(Story::a, "x").read(Story::a, "y").read(Story::b, "x").read(Story::b, "y");
  story.write(Story::a, "x", 1).write(Story::b, "y", 1).commit(Story::a).commit(Story::b);
  return story;
}

TEST(PostgresLevels, RepeatableReadAllowsWriteSkew) {
  const Story story = write_skew("repeatable-read");
  EXPECT_EQ(story.text(), "initial 0\na: T1 r(x,0) r(y,0) w(x,1) | b: T2 r(x,0) r(y,0) w(y,1)\n");
  expect_part(story.verdict(LevelId::serializable), "VIOLATED: write skew (G2-item)");
  expect_part(story.verdict(LevelId::snapshot_isolation), "snapshot-isolation: holds");
}

TEST(PostgresLevels, SerializableStopsWriteSkewAtCommit) {
  const Story story = write_skew("serializable");
  EXPECT_EQ(story.trouble(Story::a), "");
  expect_part(story.trouble(Story::b), "40001: could not serialize access");
  expect_part(story.verdict(LevelId::serializable), "serializable: holds");
}

TEST(PostgresLevels, RepeatableReadStopsLostUpdates) {
  Story story(postgres(), "repeatable-read");
  story.read(Story::a, "x").read(Story::b, "x");
  story.write(Story::a, "x", 1).commit(Story::a).write(Story::b, "x", 2).commit(Story::b);
  expect_part(story.trouble(Story::b), "40001: ");
  expect_part(story.verdict(LevelId::snapshot_isolation), "snapshot-isolation: holds");
}

TEST(PostgresLevels, ReadCommittedAllowsLostUpdates) {
  Story story(postgres(), "read-committed");
  story.read(Story::a, "x").read(Story::b, "x");
  story.write(Story::a, "x", 1).commit(Story::a).write(Story::b, "x", 2).commit(Story::b);
  expect_part(story.verdict(LevelId::snapshot_isolation), "VIOLATED: lost update");
  expect_part(story.verdict(LevelId::read_committed), "read-committed: holds");
}

}  // namespace
}  // namespace isoscope::live
