// The embedded stores. A store is made for one thread, so that runs can be repeated; here one lock
// makes it a database for many, and what their clients ask is no longer repeatable.
//
// Each client has names of its own, and so has the store: what goes in and comes out is translated
// under the lock.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "isoscope/store/store.h"
#include "record/database/kinds.h"
#include "record/database/translator.h"

namespace isoscope::record {

namespace {

class StoreDatabase final : public Database {
 public:
  explicit StoreDatabase(const StorePlan& plan) : plan_(plan) {}

  std::string_view isolation() const override { return name_of(promised()); }
  std::optional<Level> promise() const override {
    if (plan_.bug != Bug::none) return std::nullopt;
    return Level{promised(), true};
  }
  DatabaseDescription description() const override;
  Status set_up(const SetUp& wanted, HistoryBuilder& names) override;
  Result<std::unique_ptr<Connection>> connect(std::size_t client,
                                              std::span<const TableShape> tables,
                                              HistoryBuilder& names) override;

 private:
  friend class StoreConnection;

  LevelId promised() const { return entry_of(plan_.kind).promise; }
  std::vector<TableId> tables_of(std::span<const TableShape> tables);

  const StorePlan plan_;
  std::mutex mutex_;  // of all that follows
  std::condition_variable lock_was_given_back_;
  HistoryBuilder names_;
  std::optional<Store> store_;
};

class StoreConnection final : public Connection {
 public:
  StoreConnection(StoreDatabase& database, std::size_t client, std::vector<TableId> tables,
                  HistoryBuilder& names)
      : database_(database),
        client_(client),
        in_(names, database.names_, tables),
        out_(database.names_, names, back(tables)) {}

  Completion begin() override {
    const std::lock_guard lock(database_.mutex_);
    database_.store_->begin(client_);
    has_yielded_ = false;
    return {};
  }
  Completion execute(const Request& request, Reply& reply) override;
  Completion commit() override {
    const std::lock_guard lock(database_.mutex_);
    const auto status = database_.store_->commit(client_);
    is_over_ = status == Store::Status::aborted;
    database_.lock_was_given_back_.notify_all();
    return is_over_ ? refused() : Completion{};
  }
  Completion rollback() override {
    const std::lock_guard lock(database_.mutex_);
    // What the store has aborted must not be aborted again.
    if (!is_over_) database_.store_->abort(client_);
    is_over_ = false;
    database_.lock_was_given_back_.notify_all();
    return {};
  }

 private:
  static Completion refused() {
    return Completion::certainly(Trouble::serialization, "the store aborted the transaction");
  }
  /// The other way round.
  static std::vector<TableId> back(const std::vector<TableId>& tables) {
    std::vector<TableId> result;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (tables[i].index() >= result.size()) result.resize(tables[i].index() + 1, TableId(0));
      result[tables[i].index()] = TableId(static_cast<std::uint32_t>(i));
    }
    return result;
  }
  Request translated(const Request& request);

  StoreDatabase& database_;
  const std::size_t client_;
  Translator in_;
  Translator out_;
  bool is_over_ = false;
  bool has_yielded_ = false;
  std::vector<RowVersion> rows_;
};

Request StoreConnection::translated(const Request& request) {
  Request result{.kind = request.kind, .value = in_.value(request.value)};
  if (request.kind == OperationKind::predicate_read ||
      request.kind == OperationKind::predicate_write) {
    result.table = in_.table(request.table);
    result.predicate = in_.predicate(request.predicate);
  } else {
    result.key = in_.key(request.key);
  }
  return result;
}

Completion StoreConnection::execute(const Request& request, Reply& reply) {
  std::unique_lock lock(database_.mutex_);
  const Request there = translated(request);
  Reply answer;
  Store::Status status;
  while ((status = database_.store_->execute(client_, there, answer)) == Store::Status::wait) {
    // Locks are given back at the end of transactions; a store with a bug may do so earlier.
    database_.lock_was_given_back_.wait_for(lock, std::chrono::milliseconds(1));
  }
  if (status == Store::Status::aborted) {
    is_over_ = true;
    database_.lock_was_given_back_.notify_all();
    return refused();
  }
  reply.value = out_.value(answer.value);
  rows_.clear();
  for (const RowVersion& row : answer.rows)
    rows_.push_back({out_.key(row.key), out_.value(row.value)});
  reply.rows = rows_;
  lock.unlock();
  // A client of a server would wait for its answer, and others would go on. Once in a transaction
  // is enough for transactions to meet, and where a machine is busy each time costs milliseconds.
  if (!std::exchange(has_yielded_, true)) std::this_thread::yield();
  return {};
}

DatabaseDescription StoreDatabase::description() const {
  DatabaseDescription description{.server = "embedded store " + std::string(name_of(plan_.kind)),
                                  .driver = "isoscope",
                                  .settings = {}};
  if (plan_.bug != Bug::none) {
    description.settings = {{"bug", std::string(name_of(plan_.bug))},
                            {"bug-share", std::to_string(plan_.bug_percent)}};
  }
  return description;
}

std::vector<TableId> StoreDatabase::tables_of(std::span<const TableShape> tables) {
  std::vector<TableId> ids;
  for (const TableShape& shape : tables) {
    if (shape.table.index() >= ids.size()) ids.resize(shape.table.index() + 1, TableId(0));
    ids[shape.table.index()] = names_.table(shape.name);
  }
  return ids;
}

Status StoreDatabase::set_up(const SetUp& wanted, HistoryBuilder& names) {
  Translator in(names, names_, tables_of(wanted.tables));
  std::vector<RowVersion> rows;
  for (const RowVersion& row : wanted.rows) rows.push_back({in.key(row.key), in.value(row.value)});
  store_.emplace(plan_, names_, rows);
  return Done{};
}

Result<std::unique_ptr<Connection>> StoreDatabase::connect(std::size_t client,
                                                           std::span<const TableShape> tables,
                                                           HistoryBuilder& names) {
  const std::lock_guard lock(mutex_);
  return std::unique_ptr<Connection>(
      std::make_unique<StoreConnection>(*this, client, tables_of(tables), names));
}

}  // namespace

OpenedKind open_store(StoreKind kind, const OpenOptions& options) {
  const StoreEntry& entry = entry_of(kind);
  const std::string asked = plain_level_name(options.isolation);
  if (!asked.empty() && asked != entry.name && asked != name_of(entry.promise))
    return no_such_level("the store '" + std::string(entry.name) + "'", options.isolation,
                         {name_of(entry.promise)});
  return std::unique_ptr<Database>(
      std::make_unique<StoreDatabase>(StorePlan{.kind = kind,
                                                .bug = options.bug,
                                                .bug_percent = options.bug_percent,
                                                .sessions = options.clients,
                                                .lag = options.lag,
                                                .seed = options.seed}));
}

}  // namespace isoscope::record
