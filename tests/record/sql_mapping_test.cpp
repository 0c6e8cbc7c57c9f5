// What requests are in SQL, held against an embedded store: one client runs all workloads on both,
// and every answer must be the same. SQLite is the database, because it needs no server.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "isoscope/record/open_database.h"
#include "isoscope/store/store.h"
#include "record/database/translator.h"
#include "test_scale.h"

namespace isoscope::record {
namespace {

/// A folder that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "isoscope-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    ::setenv("ISOSCOPE_DRIVERS", ISOSCOPE_TEST_DRIVERS, 1);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::unique_ptr<Database> opened(const std::string& name, const std::string& isolation = "") {
  auto database = open_database(name, {.isolation = isolation});
  if (!database) ADD_FAILURE() << database.error().text();
  return database ? std::move(database->database) : nullptr;
}

std::string text_of(const HistoryBuilder& names, ValueId value) {
  const ValuePool& values = names.values();
  switch (values.kind(value)) {
    case ValueKind::integer:
      return std::to_string(values.integer_of(value));
    case ValueKind::string:
      return "'" + std::string(values.string_of(value)) + "'";
    case ValueKind::row: {
      std::string text = "{";
      for (const Column& column : values.row_of(value))
        text += text_of(names, column.name) + ":" + text_of(names, column.value) + " ";
      return text + "}";
    }
    case ValueKind::list: {
      std::string text = "[";
      for (const ValueId element : values.list_elements(value))
        text += text_of(names, element) + " ";
      return text + "]";
    }
    default:
      return "nil";
  }
}

/// The reply as text, rows in order of their keys. A list that is not there is an empty one.
std::string text_of(const HistoryBuilder& names, const Request& request, const Reply& reply) {
  if (request.kind == OperationKind::list_read && reply.value == ValuePool::nil) return "[]";
  std::vector<std::string> rows;
  for (const RowVersion& row : reply.rows)
    rows.push_back(text_of(names, names.key_name(row.key)) + "=" + text_of(names, row.value));
  std::ranges::sort(rows);
  std::string text = text_of(names, reply.value);
  for (const std::string& row : rows) text += " " + row;
  return text;
}

/// Runs the plan's first session on the database, transaction by transaction, and compares.
void compare(Database& database, const WorkloadPlan& plan, std::size_t transactions) {
  HistoryBuilder names;
  const auto workload = make_workload(plan, names);
  const SetUp set_up{workload->tables(), workload->initial_rows()};
  ASSERT_TRUE(database.set_up(set_up, names));
  auto connection = database.connect(0, set_up.tables, names);
  ASSERT_TRUE(connection) << connection.error().text();
  Store store({.kind = StoreKind::strict_serializable, .sessions = 1}, names, set_up.rows);
  for (std::size_t i = 0; i < transactions; ++i) {
    ASSERT_TRUE((*connection)->begin());
    store.begin(0);
    Script script = workload->next(0);
    for (const Request* request = script.start(); request != nullptr;) {
      Reply expected;
      ASSERT_EQ(store.execute(0, *request, expected), Store::Status::done);
      const std::string expected_text = text_of(names, *request, expected);
      Reply reply;
      const Completion done = (*connection)->execute(*request, reply);
      ASSERT_TRUE(done) << done.message;
      ASSERT_EQ(text_of(names, *request, reply), expected_text)
          << isoscope::name_of(plan.kind) << ": " << isoscope::name_of(request->kind);
      request = script.resume(reply);
    }
    if (script.ending() == Ending::abort) {
      ASSERT_TRUE((*connection)->rollback());
      store.abort(0);
    } else {
      ASSERT_TRUE((*connection)->commit());
      ASSERT_EQ(store.commit(0), Store::Status::done);
    }
  }
}

TEST(SqlMapping, AnswersAsAStoreDoesForAllWorkloads) {
  const Folder folder;
  for (const WorkloadEntry& entry : workloads()) {
    auto database = opened("sqlite:" + folder.file("all.db") + "?synchronous=off");
    ASSERT_NE(database, nullptr);
    WorkloadPlan plan = entry.usual;
    plan.keys = std::min<std::size_t>(plan.keys, 40);
    plan.zero_start = false;
    plan.sessions = 1;
    compare(*database, plan, 100 * static_cast<std::size_t>(test_scale()));
    if (HasFatalFailure()) return;
  }
}

/// The two connections of a script, on a table of values.
struct TwoClients {
  explicit TwoClients(Database& database) {
    EXPECT_TRUE(database.set_up({{TableShape{}}, {}}, names));
    const TableShape tables[] = {TableShape{}};
    one = *database.connect(0, tables, names);
    two = *database.connect(1, tables, names);
    key = names.key(1);
  }
  Request write(std::int64_t value) {
    return {.kind = OperationKind::write, .key = key, .value = names.values().integer(value)};
  }
  std::string read_by(Connection& connection) {
    Reply reply;
    const Completion done = connection.execute({.kind = OperationKind::read, .key = key}, reply);
    return done ? text_of(names, reply.value) : std::string(name_of(done.trouble));
  }

  HistoryBuilder names;
  std::unique_ptr<Connection> one;
  std::unique_ptr<Connection> two;
  KeyId key;
};

TEST(Sqlite, WithSharedCacheReadUncommittedIsDirty) {
  const Folder folder;
  auto database =
      opened("sqlite:" + folder.file("dirty.db") + "?synchronous=off", "read-uncommitted");
  ASSERT_NE(database, nullptr);
  TwoClients clients(*database);
  Reply reply;
  ASSERT_TRUE(clients.one->begin());
  ASSERT_TRUE(clients.one->execute(clients.write(7), reply));
  ASSERT_TRUE(clients.two->begin());
  EXPECT_EQ(clients.read_by(*clients.two), "7");
  ASSERT_TRUE(clients.one->rollback());
  EXPECT_EQ(clients.read_by(*clients.two), "nil");
  ASSERT_TRUE(clients.two->commit());
}

TEST(Sqlite, SerializableRefusesAWriteAfterAnOldRead) {
  const Folder folder;
  auto database = opened("sqlite:" + folder.file("old.db") + "?synchronous=off", "SERIALIZABLE");
  ASSERT_NE(database, nullptr);
  TwoClients clients(*database);
  Reply reply;
  ASSERT_TRUE(clients.one->begin());
  EXPECT_EQ(clients.read_by(*clients.one), "nil");
  ASSERT_TRUE(clients.two->begin());
  ASSERT_TRUE(clients.two->execute(clients.write(7), reply));
  EXPECT_EQ(clients.read_by(*clients.one), "nil");
  ASSERT_TRUE(clients.two->commit());
  const Completion done = clients.one->execute(clients.write(8), reply);
  EXPECT_EQ(done.trouble, Trouble::serialization) << done.message;
  ASSERT_TRUE(clients.one->rollback());
}

TEST(Sqlite, TroubleHasItsName) {
  const Folder folder;
  auto database = opened("sqlite:" + folder.file("busy.db") + "?synchronous=off&busy_timeout=1");
  ASSERT_NE(database, nullptr);
  TwoClients clients(*database);
  Reply reply;
  ASSERT_TRUE(clients.one->begin());
  ASSERT_TRUE(clients.one->execute(clients.write(7), reply));
  ASSERT_TRUE(clients.two->begin());
  EXPECT_EQ(clients.two->execute(clients.write(8), reply).trouble, Trouble::lock_timeout);
  ASSERT_TRUE(clients.two->rollback());
  Request insert = clients.write(9);
  insert.kind = OperationKind::insert;
  EXPECT_EQ(clients.one->execute(insert, reply).trouble, Trouble::constraint);
  ASSERT_TRUE(clients.one->rollback());
}

}  // namespace
}  // namespace isoscope::record
