#include "isoscope/record/recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/history/statistics.h"
#include "isoscope/record/open_database.h"
#include "test_scale.h"

namespace isoscope::record {
namespace {

std::string new_file() {
  std::string name = (std::filesystem::temp_directory_path() / "isoscope-XXXXXX").string();
  ::close(::mkstemp(name.data()));
  std::filesystem::remove(name);
  return name;
}

RecordPlan plan_of(WorkloadKind kind, std::size_t transactions) {
  RecordPlan plan{.workload = entry_of(kind).usual, .transactions = transactions};
  plan.workload.sessions = 4;
  plan.workload.keys = std::min<std::size_t>(plan.workload.keys, 30);
  plan.workload.operations = std::min<std::size_t>(plan.workload.operations, 6);
  plan.path = new_file();
  return plan;
}

Result<Recording> recorded(Database& database, const RecordPlan& plan) {
  return record(database, plan, Limits::none(), Progress::silent());
}

History read_file(const std::string& path) {
  const auto source = Source::open(path);
  EXPECT_TRUE(source);
  auto history = read_history(*source);
  if (!history) ADD_FAILURE() << history.error().text();
  return history ? *std::move(history) : History();
}

TEST(Recorder, EveryStoreKeepsItsPromiseWithNativeThreads) {
  for (const StoreEntry& entry : stores()) {
    for (const WorkloadKind kind : {WorkloadKind::list_append, WorkloadKind::read_modify_write,
                                    WorkloadKind::tpcc, WorkloadKind::blind_writes_pred}) {
      const RecordPlan plan = plan_of(kind, 10 * static_cast<std::size_t>(test_scale()));
      const auto database = open_database(entry.name, {.clients = 4});
      ASSERT_TRUE(database);
      const auto recording = recorded(*database->database, plan);
      ASSERT_TRUE(recording) << recording.error().text();
      const History history = read_file(plan.path);
      const HistoryStatistics statistics = statistics_of(history);
      EXPECT_EQ(statistics.count(Outcome::committed), recording->tally.committed);
      EXPECT_EQ(statistics.count(Outcome::indeterminate), 0u);
      EXPECT_EQ(recording->tally.transactions(), 4 * *plan.transactions);
      const Verdict verdict = check(history, {entry.promise, true});
      EXPECT_NE(verdict.answer, Answer::violated) << entry.name << " in " << plan.path;
      if (verdict.answer != Answer::violated) std::filesystem::remove(plan.path);
    }
  }
}

TEST(Recorder, NeverWritesOverAFile) {
  RecordPlan plan = plan_of(WorkloadKind::bank, 5);
  std::ofstream(plan.path) << "precious";
  const auto database = open_database("serializable-2pl", {.clients = 4});
  const auto recording = recorded(*database->database, plan);
  ASSERT_FALSE(recording);
  EXPECT_NE(recording.error().text().find("it exists"), std::string::npos);
  std::ostringstream content;
  content << std::ifstream(plan.path).rdbuf();
  EXPECT_EQ(content.str(), "precious");
  std::filesystem::remove(plan.path);
}

/// What a database does whose answers are a script's.
class ScriptedConnection final : public Connection {
 public:
  ScriptedConnection(std::size_t& steps, std::size_t& commits) : steps_(steps), commits_(commits) {}
  Completion begin() override { return {}; }
  Completion execute(const Request&, Reply& reply) override {
    reply = {};
    if (++steps_ % 7 == 3) return Completion::certainly(Trouble::disconnected, "gone");
    if (steps_ % 7 == 5) return Completion::certainly(Trouble::deadlock, "deadlock");
    return {};
  }
  Completion commit() override {
    ++commits_;
    if (commits_ % 3 == 1) return Completion::perhaps(Trouble::disconnected, "no answer");
    if (commits_ % 3 == 2) return Completion::certainly(Trouble::serialization, "40001");
    return {};
  }
  Completion rollback() override { return {}; }

 private:
  std::size_t& steps_;
  std::size_t& commits_;
};

class ScriptedDatabase final : public Database {
 public:
  std::string_view isolation() const override { return "scripted"; }
  std::optional<Level> promise() const override { return std::nullopt; }
  DatabaseDescription description() const override { return {}; }
  Status set_up(const SetUp&, HistoryBuilder&) override { return Done{}; }
  Result<std::unique_ptr<Connection>> connect(std::size_t, std::span<const TableShape>,
                                              HistoryBuilder&) override {
    return std::unique_ptr<Connection>(std::make_unique<ScriptedConnection>(steps_, commits_));
  }

 private:
  std::size_t steps_ = 0;
  std::size_t commits_ = 0;
};

TEST(Recorder, OutcomesAreWhatTheClientKnows) {
  RecordPlan plan = plan_of(WorkloadKind::write_skew, 60);
  plan.workload.sessions = 1;
  ScriptedDatabase database;
  const auto recording = recorded(database, plan);
  ASSERT_TRUE(recording) << recording.error().text();
  const Tally& tally = recording->tally;
  EXPECT_GT(tally.committed, 0u);
  EXPECT_GT(tally.indeterminate, 0u);
  EXPECT_GT(tally.aborted[static_cast<std::size_t>(Trouble::deadlock)], 0u);
  EXPECT_GT(tally.aborted[static_cast<std::size_t>(Trouble::serialization)], 0u);
  EXPECT_GT(tally.aborted[static_cast<std::size_t>(Trouble::disconnected)], 0u);
  EXPECT_EQ(tally.transactions(), 60u);
  EXPECT_EQ(tally.examples[static_cast<std::size_t>(Trouble::serialization)], "40001");
  const History history = read_file(plan.path);
  const HistoryStatistics statistics = statistics_of(history);
  EXPECT_EQ(statistics.count(Outcome::committed), tally.committed);
  EXPECT_EQ(statistics.count(Outcome::indeterminate), tally.indeterminate);
  // Each lost connection ends a session, and the next one has another name.
  const std::uint64_t lost =
      tally.indeterminate + tally.aborted[static_cast<std::size_t>(Trouble::disconnected)];
  EXPECT_GE(tally.reconnected + 1, lost);
  EXPECT_LE(history.session_count(), tally.reconnected + 1);
  for (const TransactionId t : history.transactions()) {
    const auto session = history.session(history.session_of(t));
    if (history.outcome(t) == Outcome::indeterminate) {
      EXPECT_EQ(session.back(), t);
    }
    if (history.outcome(t) == Outcome::committed) {
      EXPECT_TRUE(history.end_time(t).has_value());
    }
  }
  std::filesystem::remove(plan.path);
}

class Refusing final : public Connection {
 public:
  Completion begin() override { return {}; }
  Completion execute(const Request&, Reply&) override {
    return Completion::certainly(Trouble::refused, "no such table");
  }
  Completion commit() override { return {}; }
  Completion rollback() override { return {}; }
};
class RefusingDatabase final : public Database {
 public:
  std::string_view isolation() const override { return "none"; }
  std::optional<Level> promise() const override { return std::nullopt; }
  DatabaseDescription description() const override { return {}; }
  Status set_up(const SetUp&, HistoryBuilder&) override { return Done{}; }
  Result<std::unique_ptr<Connection>> connect(std::size_t, std::span<const TableShape>,
                                              HistoryBuilder&) override {
    return std::unique_ptr<Connection>(std::make_unique<Refusing>());
  }
};

TEST(Recorder, WhatRefusesEverythingIsGivenUp) {
  RefusingDatabase database;
  const RecordPlan plan = plan_of(WorkloadKind::bank, 100'000'000);
  const auto recording = recorded(database, plan);
  ASSERT_TRUE(recording);
  ASSERT_TRUE(recording->ended_by);
  EXPECT_NE(recording->ended_by->text().find("no such table"), std::string::npos);
  std::filesystem::remove(plan.path);
}

TEST(OpenDatabase, WhatIsUnknownIsAnErrorOfUsage) {
  for (const auto& [name, isolation] :
       std::vector<std::pair<std::string, std::string>>{{"no-such-store", ""},
                                                        {"oracle://scott:geheim@h/d", ""},
                                                        {"snapshot-isolation", "serializable"},
                                                        {"exec:", ""},
                                                        {"null:", "serializable"}}) {
    const auto database = open_database(name, {.isolation = isolation});
    ASSERT_FALSE(database) << name;
    EXPECT_EQ(database.error().kind, ErrorKind::usage) << name;
    EXPECT_EQ(database.error().text().find("geheim"), std::string::npos);
    EXPECT_EQ(database.error().text().find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace isoscope::record
