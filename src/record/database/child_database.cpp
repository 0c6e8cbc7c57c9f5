// A database behind a program of the user's: one process for each connection, which is sent one
// JSON object a line and answers each with one. docs/recording.md describes what they say.
#include <array>

#include "isoscope/base/byte_reader.h"
#include "isoscope/base/json_reader.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/native_text.h"
#include "isoscope/history/predicate_json.h"
#include "record/database/child_process.h"
#include "record/database/kinds.h"

namespace isoscope::record {

namespace {

class LineStream final : public ByteStream {
 public:
  explicit LineStream(std::string_view line) : left_(line) {}
  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = left_.copy(into, size);
    left_.remove_prefix(got);
    return got;
  }

 private:
  std::string_view left_;
};

struct TroubleWord {
  std::string_view word;
  Trouble trouble;
};
constexpr std::array<TroubleWord, 6> trouble_words = {{{"serialization", Trouble::serialization},
                                                       {"deadlock", Trouble::deadlock},
                                                       {"lock-timeout", Trouble::lock_timeout},
                                                       {"constraint", Trouble::constraint},
                                                       {"refused", Trouble::refused},
                                                       {"disconnected", Trouble::disconnected}}};

/// What a program answered.
struct ChildAnswer {
  Completion done;
  ValueId value = ValuePool::nil;
  std::vector<RowVersion> rows;
  DatabaseDescription description;
  std::string isolation;
  std::string promise;
};

/// Reads one answer.
class AnswerReader {
 public:
  AnswerReader(std::string_view line, HistoryBuilder& names, TableId table)
      : input_("the program's answer", std::make_unique<LineStream>(line)),
        names_(names),
        table_(table) {}

  Result<ChildAnswer> read() {
    json_.begin_object("an object");
    while (const auto member = json_.next_member()) read_member(std::string(*member));
    json_.expect_end();
    if (json_.failed()) return json_.error();
    return std::move(answer_);
  }

 private:
  void read_member(const std::string& name) {
    if (name == "value") {
      answer_.value = value();
    } else if (name == "rows") {
      read_rows();
    } else if (name == "trouble") {
      read_trouble();
    } else if (name == "certain") {
      answer_.done.is_certain = json_.boolean().value_or(true);
    } else if (name == "message") {
      read_text(answer_.done.message);
    } else if (name == "server") {
      read_text(answer_.description.server);
    } else if (name == "isolation") {
      read_text(answer_.isolation);
    } else if (name == "promise") {
      read_text(answer_.promise);
    } else if (name == "settings") {
      json_.begin_object();
      while (const auto setting = json_.next_member()) {
        auto& [key, text] = answer_.description.settings.emplace_back(std::string(*setting), "");
        read_text(text);
      }
    } else {
      json_.fail_found(
          "value, rows, trouble, certain, message, server, isolation, promise or "
          "settings",
          name);
    }
  }

  void read_text(std::string& to) {
    if (const auto text = json_.string()) to = std::string(*text);
  }
  void read_trouble() {
    const auto word = json_.string();
    if (!word) return;
    for (const TroubleWord& row : trouble_words) {
      if (row.word == *word) answer_.done.trouble = row.trouble;
    }
    if (answer_.done.trouble == Trouble::none)
      json_.fail_found("serialization, deadlock, lock-timeout, constraint, refused or disconnected",
                       *word);
  }
  ValueId scalar() {
    if (json_.peek() == JsonReader::Kind::null) {
      json_.null();
      return ValuePool::nil;
    }
    if (json_.peek() == JsonReader::Kind::string) {
      const auto text = json_.string();
      return text ? names_.values().string(*text) : ValuePool::nil;
    }
    return names_.values().integer(json_.integer("null, an integer or a string").value_or(0));
  }
  ValueId value() {
    if (json_.peek() == JsonReader::Kind::array) {
      ValueId list = ValuePool::empty_list;
      json_.begin_array();
      while (json_.next_element()) list = names_.values().list_with(list, scalar());
      return list;
    }
    if (json_.peek() != JsonReader::Kind::object) return scalar();
    std::vector<Column> columns;
    json_.begin_object();
    while (const auto name = json_.next_member()) {
      const ValueId column = names_.values().string(*name);
      for (const Column& other : columns) {
        if (other.name == column) json_.fail("expected each column once");
      }
      columns.push_back({column, scalar()});
    }
    return json_.failed() ? ValuePool::nil : names_.values().row(columns);
  }
  void read_rows() {
    json_.begin_array("an array of [KEY,VALUE]");
    while (json_.next_element()) {
      json_.begin_array("[KEY,VALUE]");
      if (!json_.next_element()) break;
      const ValueId key = scalar();
      if (!json_.next_element()) break;
      answer_.rows.push_back({names_.key(key, table_), value()});
      if (json_.next_element()) json_.fail("expected [KEY,VALUE]");
    }
  }

  ByteReader input_;
  JsonReader json_{input_};
  HistoryBuilder& names_;
  TableId table_;
  ChildAnswer answer_;
};

class ChildConnection final : public Connection {
 public:
  ChildConnection(ChildProcess process, std::span<const TableShape> tables, HistoryBuilder& names)
      : process_(std::move(process)), names_(names), tables_(1) {
    for (const TableShape& shape : tables) {
      if (shape.table.index() >= tables_.size()) tables_.resize(shape.table.index() + 1);
      tables_[shape.table.index()] = shape.name;
    }
  }

  Completion begin() override { return ask("{\"do\":\"begin\"}\n").done; }
  Completion commit() override {
    Completion done = ask("{\"do\":\"commit\"}\n").done;
    if (done.trouble == Trouble::disconnected) done.is_certain = false;
    return done;
  }
  Completion rollback() override { return ask("{\"do\":\"rollback\"}\n").done; }

  Completion execute(const Request& request, Reply& reply) override {
    ask(line_of(request), request.table);
    reply.value = answer_.value;
    reply.rows = answer_.rows;
    return answer_.done;
  }

  /// Sends a line; the answer is good until the next one.
  const ChildAnswer& ask(std::string_view line, TableId table = HistoryBuilder::default_table) {
    answer_ = {};
    std::string text;
    if (!process_.ask(line, text)) {
      answer_.done =
          Completion::certainly(Trouble::disconnected, "the program has come to its end");
      return answer_;
    }
    auto read = AnswerReader(text, names_, table).read();
    if (read) {
      answer_ = *std::move(read);
    } else {
      // What it does is not known any more, so this is not a transaction's end but everything's.
      answer_.done = Completion::certainly(Trouble::disconnected, read.error().text());
    }
    return answer_;
  }

  void add_key(std::string& line, KeyId key) const {
    NativeText(names_.values(), line)
        .key(tables_[names_.key_table(key).index()], names_.key_name(key));
  }

 private:
  std::string line_of(const Request& request) const {
    std::string line = "{\"do\":\"operation\",\"operation\":";
    line += NativeText::start_of(request.kind);
    NativeText text(names_.values(), line);
    switch (request.kind) {
      case OperationKind::predicate_read:
      case OperationKind::predicate_write:
        append_predicate_json(line, names_.predicate(request.predicate));
        line += ',';
        if (request.kind == OperationKind::predicate_write) {
          text.value(request.value);
          line += ',';
        }
        append_json_string(line, tables_[request.table.index()]);
        break;
      case OperationKind::write:
      case OperationKind::insert:
      case OperationKind::append:
        add_key(line, request.key);
        line += ',';
        text.value(request.value);
        break;
      default:
        add_key(line, request.key);
    }
    return line + "]}\n";
  }

  ChildProcess process_;
  HistoryBuilder& names_;
  std::vector<std::string> tables_;
  ChildAnswer answer_;
};

class ChildDatabase final : public Database {
 public:
  ChildDatabase(ConnectionString name, std::string isolation)
      : name_(std::move(name)), isolation_(std::move(isolation)) {}

  /// Starts the program once, to hear what it is.
  Status open() {
    HistoryBuilder names;
    ISOSCOPE_TRY(process, ChildProcess::start(name_.rest));
    ChildConnection connection(std::move(process), {}, names);
    const ChildAnswer& answer = connection.ask(hello(0));
    if (!answer.done) return complaint(answer.done);
    description_ = answer.description;
    description_.driver = name_.shown;
    if (description_.server.empty()) description_.server = name_.shown;
    if (isolation_.empty()) isolation_ = answer.isolation.empty() ? "unknown" : answer.isolation;
    if (const auto level = find_level(answer.promise)) promise_ = *level;
    return Done{};
  }

  std::string_view isolation() const override { return isolation_; }
  std::optional<Level> promise() const override { return promise_; }
  DatabaseDescription description() const override { return description_; }
  Status set_up(const SetUp& wanted, HistoryBuilder& names) override;
  Result<std::unique_ptr<Connection>> connect(std::size_t client,
                                              std::span<const TableShape> tables,
                                              HistoryBuilder& names) override {
    ISOSCOPE_TRY(connection, connected(client + 1, tables, names));
    return std::unique_ptr<Connection>(std::move(connection));
  }

 private:
  Result<std::unique_ptr<ChildConnection>> connected(std::size_t number,
                                                     std::span<const TableShape> tables,
                                                     HistoryBuilder& names) {
    ISOSCOPE_TRY(process, ChildProcess::start(name_.rest));
    auto connection = std::make_unique<ChildConnection>(std::move(process), tables, names);
    const ChildAnswer& answer = connection->ask(hello(number));
    if (!answer.done) return complaint(answer.done);
    return connection;
  }
  std::string hello(std::size_t number) const {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object().member("do").string("hello").member("protocol").integer(1);
    json.member("client").integer(static_cast<std::int64_t>(number));
    json.member("isolation");
    if (isolation_.empty()) {
      json.null();
    } else {
      json.string(isolation_);
    }
    return json.end_object().text() + "\n";
  }
  Error complaint(const Completion& done) const { return Error{name_.shown + ": " + done.message}; }

  const ConnectionString name_;
  std::string isolation_;
  std::optional<Level> promise_;
  DatabaseDescription description_;
};

std::string_view word_of(TableShape::Holds holds) {
  switch (holds) {
    case TableShape::Holds::rows:
      return "rows";
    case TableShape::Holds::lists:
      return "lists";
    case TableShape::Holds::values:
      break;
  }
  return "values";
}

Status ChildDatabase::set_up(const SetUp& wanted, HistoryBuilder& names) {
  ISOSCOPE_TRY(connection, connected(0, wanted.tables, names));
  JsonWriter tables(JsonWriter::Style::compact);
  tables.begin_array();
  for (const TableShape& shape : wanted.tables) {
    tables.begin_object().member("name").string(shape.name).member("holds");
    tables.string(word_of(shape.holds)).member("columns").begin_array();
    for (const ValueId column : shape.columns) tables.string(names.values().string_of(column));
    tables.end_array().end_object();
  }
  tables.end_array();
  std::string line = "{\"do\":\"set-up\",\"tables\":" + tables.text() + ",\"rows\":[";
  NativeText text(names.values(), line);
  for (std::size_t i = 0; i < wanted.rows.size(); ++i) {
    line += i == 0 ? "[" : ",[";
    connection->add_key(line, wanted.rows[i].key);
    line += ',';
    text.value(wanted.rows[i].value);
    line += ']';
  }
  line += "]}\n";
  const ChildAnswer& answer = connection->ask(line);
  if (!answer.done) return complaint(answer.done);
  return Done{};
}

}  // namespace

OpenedKind open_child(const ConnectionString& name, const OpenOptions& options) {
  if (name.rest.empty())
    return Error{"exec: expected a command, as in exec:python3 serve.py", {}, {}, ErrorKind::usage};
  auto database = std::make_unique<ChildDatabase>(name, options.isolation);
  ISOSCOPE_TRY_STATUS(database->open());
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace isoscope::record
