// A database that is asked in SQL, through a driver that was loaded for it.
#include <algorithm>

#include "record/database/kinds.h"
#include "record/sql/plug_in_loader.h"
#include "record/sql/sql_connection.h"

namespace isoscope::record {

namespace {

class SqlDatabase final : public Database {
 public:
  SqlDatabase(SqlDriver& driver, ConnectionString name, std::size_t level)
      : driver_(driver), name_(std::move(name)), level_(level), dialect_(driver.dialect()) {}

  /// Connects, to see whether it can be done, and for the set-up.
  Status open() {
    ISOSCOPE_TRY(client, new_client());
    description_ = client->describe();
    first_ = std::move(client);
    return Done{};
  }

  std::string_view isolation() const override { return driver_.levels(name_)[level_].name; }
  std::optional<Level> promise() const override {
    const auto level = find_level(description_.promise);
    return level ? std::optional(*level) : std::nullopt;
  }
  DatabaseDescription description() const override {
    return {description_.server, description_.driver, description_.settings};
  }
  Status set_up(const SetUp& wanted, HistoryBuilder& names) override;
  Result<std::unique_ptr<Connection>> connect(std::size_t, std::span<const TableShape> tables,
                                              HistoryBuilder& names) override {
    ISOSCOPE_TRY(client, new_client());
    return std::unique_ptr<Connection>(
        std::make_unique<SqlConnection>(std::move(client), dialect_, tables, names));
  }

 private:
  Result<std::unique_ptr<SqlClient>> new_client() {
    std::unique_ptr<SqlClient> client;
    const Completion done = driver_.connect(name_, level_, client);
    if (!done) return complaint(done);
    return client;
  }
  Error complaint(const Completion& done) const { return Error{name_.shown + ": " + done.message}; }
  Status run(std::string_view sql) {
    const Completion done = first_->run(sql);
    if (!done) return complaint(done);
    return Done{};
  }
  Status insert(const TableSql& table, std::span<const RowVersion> rows, HistoryBuilder& names);

  SqlDriver& driver_;
  const ConnectionString name_;
  const std::size_t level_;
  const SqlDialect dialect_;
  SqlDescription description_;
  std::unique_ptr<SqlClient> first_;
};

/// A value as it stands in a statement; the set-up has only integers.
std::string literal(const ValuePool& values, ValueId value) {
  return values.kind(value) == ValueKind::integer ? std::to_string(values.integer_of(value))
                                                  : "NULL";
}

std::string row_literal(const TableSql& table, const RowVersion& row, const HistoryBuilder& names) {
  const ValuePool& values = names.values();
  std::string text = "(" + literal(values, names.key_name(row.key));
  if (values.kind(row.value) != ValueKind::row)
    return text + ", " + literal(values, row.value) + ")";
  for (const ValueId name : table.column_names()) {
    ValueId found = ValuePool::nil;
    for (const Column& column : values.row_of(row.value)) {
      if (column.name == name) found = column.value;
    }
    text += ", " + literal(values, found);
  }
  return text + ")";
}

Status SqlDatabase::insert(const TableSql& table, std::span<const RowVersion> rows,
                           HistoryBuilder& names) {
  for (std::size_t first = 0; first < rows.size(); first += dialect_.rows_per_insert) {
    const auto some = rows.subspan(first, std::min(dialect_.rows_per_insert, rows.size() - first));
    std::string text = table.insert_into();
    for (std::size_t i = 0; i < some.size(); ++i)
      text += (i == 0 ? "" : ", ") + row_literal(table, some[i], names);
    ISOSCOPE_TRY_STATUS(run(text));
  }
  return Done{};
}

Status SqlDatabase::set_up(const SetUp& wanted, HistoryBuilder& names) {
  for (const TableShape& shape : wanted.tables) {
    const TableSql table(shape, names, dialect_);
    ISOSCOPE_TRY_STATUS(run(table.drop()));
    ISOSCOPE_TRY_STATUS(run(table.create()));
    std::vector<RowVersion> rows;
    std::ranges::copy_if(wanted.rows, std::back_inserter(rows), [&](const RowVersion& row) {
      return names.key_table(row.key) == shape.table;
    });
    // All at once, where the database would otherwise wait for its disk after each statement.
    const Completion begun = first_->begin();
    if (!begun) return complaint(begun);
    ISOSCOPE_TRY_STATUS(insert(table, rows, names));
    const Completion done = first_->commit();
    if (!done) return complaint(done);
  }
  first_.reset();
  return Done{};
}

Result<std::size_t> level_named(const SqlDriver& driver, const ConnectionString& name,
                                const std::string& asked) {
  if (asked.empty()) return driver.usual_level(name);
  const auto levels = driver.levels(name);
  const auto found = std::ranges::find(levels, plain_level_name(asked), &SqlLevel::name);
  if (found != levels.end()) return static_cast<std::size_t>(found - levels.begin());
  std::vector<std::string_view> names;
  for (const SqlLevel& level : levels) names.push_back(level.name);
  return no_such_level(name.scheme, asked, names);
}

}  // namespace

OpenedKind open_sql(const DatabaseEntry& entry, const ConnectionString& name,
                    const OpenOptions& options) {
  ISOSCOPE_TRY(driver, load_driver(entry));
  const std::string problem = driver->problem_with(name);
  if (!problem.empty()) return Error{name.shown + ": " + problem, {}, {}, ErrorKind::usage};
  ISOSCOPE_TRY(level, level_named(*driver, name, options.isolation));
  auto database = std::make_unique<SqlDatabase>(*driver, name, level);
  ISOSCOPE_TRY_STATUS(database->open());
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace isoscope::record
