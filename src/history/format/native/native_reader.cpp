#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "history/format/native/formats.h"
#include "history/format/native/json_array.h"
#include "history/format/native/known_members.h"
#include "history/format/native/level_names.h"
#include "history/format/native/plain_operation.h"
#include "history/format/native/read_in_parts.h"
#include "history/format/native/shaped_operations.h"
#include "history/format/shared/json_value.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/predicate_json.h"

/// The native format (docs/formats/native.md): a header, then transactions, each a JSON value.
///
///   {"isoscope-history":1,"initial":"nil"}
///   {"session":"a","id":1,"ops":[["w","x",1],["r","x",1]]}
///
/// Everything goes into the builder as it is read, so the file is never held and neither is a line:
/// members may come in any order because the builder takes a transaction's session and name last,
/// too. Costs one pass; memory is the history and the longest string, and with several threads a
/// few parts of the file (read_in_parts.h).

namespace isoscope::format {

namespace {

constexpr std::int64_t known_version = 1;
constexpr std::string_view version_member = "isoscope-history";

enum HeaderMember : std::size_t {
  header_origin,
  header_initial,
  header_cuts,
  header_cut_line,
  header_sessions,
  header_levels,
};
constexpr std::array<std::string_view, 6> header_members = {
    "origin", "initial", "indeterminate-cuts", "cut-line", "sessions", "levels"};

enum InitialMember : std::size_t { initial_default, initial_values };
constexpr std::array<std::string_view, 2> initial_members = {"default", "values"};

enum TransactionMember : std::size_t {
  transaction_session,
  transaction_id,
  transaction_outcome,
  transaction_begin,
  transaction_end,
  transaction_stamp,
  transaction_level,
  transaction_ops,
};
constexpr std::array<std::string_view, 8> transaction_members = {
    "session", "id", "outcome", "begin", "end", "stamp", "level", "ops"};

constexpr std::string_view expected_key = "a key: an integer, a string or [table, key]";
constexpr std::string_view expected_operation =
    "an operation: an array that starts with r, w, insert, delete, append, add, cas, swap, rp or "
    "wp";
constexpr std::string_view expected_initial =
    "an initial state: \"nil\", \"none\" or {\"default\":VALUE,\"values\":[[KEY,VALUE],...]}";

struct Word {
  std::string_view text;
  OperationKind kind;
};
constexpr std::array words = {
    Word{"r", OperationKind::read},
    Word{"w", OperationKind::write},
    Word{"insert", OperationKind::insert},
    Word{"delete", OperationKind::remove},
    Word{"append", OperationKind::append},
    Word{"rp", OperationKind::predicate_read},
    Word{"wp", OperationKind::predicate_write},
};

class NativeReader {
 public:
  NativeReader(ByteReader& input, const ReadOptions& options, HistoryBuilder builder = {})
      : json_(input), options_(options), builder_(std::move(builder)) {}

  Result<History> read() && {
    if (!read_text(true)) return json_.error();
    return std::move(builder_).finish();
  }
  /// A part of the file, the first of which has the header; nothing if something is wrong.
  std::optional<HistoryBuilder> read_part(bool is_first) && {
    if (!read_text(is_first)) return std::nullopt;
    return std::move(builder_);
  }

 private:
  // Each of these leaves an error in json_ when something is wrong.
  bool read_text(bool has_header);
  void read_header();
  std::optional<bool> read_one_of(std::string_view first, std::string_view second);
  bool is_at_cut_line();
  void read_initial();
  void read_initial_values();
  void read_sessions();
  void read_transaction();
  void read_id();
  void read_outcome();
  void read_time(std::optional<std::int64_t>& time);
  void set_commit_stamp(std::int64_t stamp);
  void read_operations();
  void read_item_operation(OperationKind kind);
  void read_update(Update::Function function);
  bool read_compare_and_set(Update& update);
  void read_predicate_operation(OperationKind kind);
  bool read_rows(OperationKind kind);
  std::optional<KeyId> read_key();
  std::optional<KeyId> read_key_in(TableId table, std::string_view expected);

  ValuePool& values() { return builder_.values(); }

  bool keep_reading() {
    Status status = keep_going(options_, json_.input());
    return status || json_.fail_with(std::move(status).error());
  }
  bool expect_element(std::string_view expected) { return format::expect_element(json_, expected); }
  bool expect_no_element(std::string_view array) { return format::expect_no_element(json_, array); }

  struct Row {
    ValueId key;
    ValueId value;
  };

  JsonReader json_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  ShapedOperations shaped_{builder_};
  std::vector<Row> rows_;  // of the predicate operation being read
  bool ignores_cut_line_ = false;
  LevelNames levels_{json_, builder_};
};

bool NativeReader::read_text(bool has_header) {
  if (has_header) {
    if (json_.input().window(3).starts_with("\xEF\xBB\xBF")) json_.input().skip(3);
    read_header();
  }
  while (!json_.failed() && json_.peek() != JsonReader::Kind::end) {
    if (ignores_cut_line_ && is_at_cut_line()) {
      Status status = json_.input().stream_status();
      return status || json_.fail_with(std::move(status).error());
    }
    read_transaction();
    keep_reading();
  }
  return json_.expect_end();
}

void NativeReader::read_header() {
  if (!json_.begin_object("a header such as {\"isoscope-history\":1}")) return;
  // The version comes first: it says what the rest means.
  constexpr std::string_view expected = "\"isoscope-history\" as the header's first member";
  const auto first = json_.next_member();
  if (!first) {
    json_.fail_at(json_.input().offset() - 1, "expected " + std::string(expected) + ", found }");
    return;
  }
  if (*first != version_member) {
    json_.fail_found(expected, *first);
    return;
  }
  const auto version = json_.integer("a format version: 1");
  if (version && *version != known_version) {
    json_.fail("expected format version 1, the only one known here, found " +
               std::to_string(*version));
  }
  KnownMembers members(json_, header_members);
  while (const auto member = members.next()) {
    switch (*member) {
      case header_origin:
        if (const auto text = json_.string()) builder_.set_origin(std::string(*text));
        break;
      case header_initial:
        read_initial();
        break;
      case header_cuts:
        if (const auto cuts = read_one_of("on", "off")) builder_.set_indeterminate_cuts(*cuts);
        break;
      case header_cut_line:
        ignores_cut_line_ = !read_one_of("error", "ignore").value_or(true);
        break;
      case header_levels:
        levels_.read_of_header();
        break;
      default:
        read_sessions();
    }
  }
  levels_.apply_to_sessions();
}

/// True if it is the first of the two words.
std::optional<bool> NativeReader::read_one_of(std::string_view first, std::string_view second) {
  const std::string expected = "\"" + std::string(first) + "\" or \"" + std::string(second) + "\"";
  const auto word = json_.string(expected);
  if (!word) return std::nullopt;
  if (*word == first || *word == second) return *word == first;
  json_.fail_found(expected, *word);
  return std::nullopt;
}

/// Does the text end inside the value that it begins with?
bool is_cut_off(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return false;
    }
  }
  return true;
}

/// Is the last line next, and does the file end inside it? A line that is whole is read, or
/// complained about, whatever the header says.
bool NativeReader::is_at_cut_line() {
  std::string_view text = json_.input().window(1);
  while (text.find('\n') == std::string_view::npos) {
    if (text.size() == ByteReader::max_window) return false;
    const std::size_t seen = text.size();
    text = json_.input().window(std::min(ByteReader::max_window, seen + seen / 2 + 1));
    if (text.size() == seen) return text.starts_with('{') && is_cut_off(text);
  }
  return false;
}

void NativeReader::read_initial() {
  if (json_.peek() == JsonReader::Kind::string) {
    const auto word = json_.string();
    if (word == "nil") return builder_.set_initial_default(ValuePool::nil);
    if (word == "none") return builder_.set_initial_default(std::nullopt);
    if (word) json_.fail_found(expected_initial, *word);
    return;
  }
  if (!json_.begin_object(expected_initial)) return;
  builder_.set_initial_default(std::nullopt);
  KnownMembers members(json_, initial_members);
  while (const auto member = members.next()) {
    if (*member == initial_values) {
      read_initial_values();
    } else if (const auto value = read_json_value_or_list(json_, values())) {
      builder_.set_initial_default(*value);
    }
  }
}

void NativeReader::read_initial_values() {
  std::vector<bool> listed_before;  // by key
  json_.begin_array("an array of [KEY,VALUE]");
  while (json_.next_element()) {
    if (!json_.begin_array("[KEY,VALUE]") || !expect_element("a key")) return;
    const std::uint64_t start = json_.next_offset();
    const auto key = read_key();
    if (!key) return;
    if (key->index() >= listed_before.size()) listed_before.resize(2 * key->index() + 1);
    if (listed_before[key->index()]) {
      json_.fail_at(start, "expected each key once, found " +
                               name_for_message(values(), builder_.key_name(*key)) + " again");
      return;
    }
    listed_before[key->index()] = true;
    if (!expect_element("a value")) return;
    const auto value = read_json_value_or_list(json_, values());
    if (!value || !expect_no_element("[KEY,VALUE]")) return;
    builder_.set_initial(*key, *value);
  }
}

void NativeReader::read_sessions() {
  json_.begin_array("an array of session names");
  for (std::size_t count = 0; json_.next_element(); ++count) {
    const auto name = read_json_name(json_, values());
    if (!name) return;
    if (builder_.session(*name).index() != count) {
      json_.fail("expected each session once, found " + name_for_message(values(), *name) +
                 " again");
    }
  }
}

void NativeReader::read_transaction() {
  if (!json_.begin_object("a transaction")) return;
  builder_.begin_transaction();
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
  std::optional<std::int64_t> stamp;
  KnownMembers members(json_, transaction_members);
  while (const auto member = members.next()) {
    switch (*member) {
      case transaction_session:
        if (const auto name = read_json_name(json_, values()))
          builder_.set_session(builder_.session(*name));
        break;
      case transaction_id:
        read_id();
        break;
      case transaction_outcome:
        read_outcome();
        break;
      case transaction_begin:
        read_time(begin);
        break;
      case transaction_end:
        read_time(end);
        break;
      case transaction_stamp:
        read_time(stamp);
        break;
      case transaction_level:
        if (const auto level = levels_.read()) builder_.set_level(*level);
        break;
      default:
        read_operations();
    }
    if (begin && end && *end < *begin) {
      json_.fail("expected an end that is not before the begin, found begin " +
                 std::to_string(*begin) + " and end " + std::to_string(*end));
    }
  }
  if (members.require(transaction_session) && members.require(transaction_ops)) {
    builder_.set_times(begin, end);
    if (stamp) set_commit_stamp(*stamp);
  }
}

void NativeReader::set_commit_stamp(std::int64_t stamp) {
  if (builder_.outcome() != Outcome::committed) {
    json_.fail("expected a stamp of a committed transaction only, found one that is " +
               std::string(name_of(builder_.outcome())));
    return;
  }
  builder_.set_commit_stamp(stamp);
}

void NativeReader::read_id() {
  const std::optional<ValueId> name = read_json_transaction_name(json_, builder_);
  if (!name) return;
  if (builder_.has_transaction(*name)) {
    json_.fail("expected an id that no earlier transaction has, found " +
               name_for_message(values(), *name) + " again");
    return;
  }
  builder_.set_name(*name);
}

void NativeReader::read_outcome() {
  const auto text = json_.string("\"committed\", \"aborted\" or \"indeterminate\"");
  if (!text) return;
  for (const Outcome outcome : {Outcome::committed, Outcome::aborted, Outcome::indeterminate}) {
    if (*text == name_of(outcome)) return builder_.set_outcome(outcome);
  }
  json_.fail_found("\"committed\", \"aborted\" or \"indeterminate\"", *text);
}

void NativeReader::read_time(std::optional<std::int64_t>& time) {
  time = json_.integer("a time in nanoseconds");
  if (time == INT64_MIN) json_.fail("expected a time in nanoseconds, found the smallest integer");
}

void NativeReader::read_operations() {
  json_.begin_array("an array of operations");
  while (json_.next_element()) {
    // A transaction may be as long as the file.
    if ((builder_.operation_count() + shaped_.waiting()) % 4096 == 0 && !keep_reading()) return;
    if (const auto plain = find_plain_operation(json_.input().window(PlainOperation::max_length))) {
      shaped_.hand_in();
      json_.input().skip(plain->length);
      const KeyId key = builder_.key(plain->key);
      const ValueId value = values().integer(plain->value);
      builder_.add(plain->is_write ? OperationKind::write : OperationKind::read, key, value);
      continue;
    }
    if (shaped_.take(json_.input())) continue;
    shaped_.hand_in();
    if (!json_.begin_array(expected_operation) || !expect_element(expected_operation)) return;
    const auto text = json_.string(expected_operation);
    if (!text) return;
    const auto word = std::ranges::find(words, *text, &Word::text);
    if (word == words.end()) {
      if (const auto function = find_update_function(*text)) {
        read_update(*function);
        continue;
      }
      json_.fail_found(expected_operation, *text);
      return;
    }
    if (word->kind == OperationKind::predicate_read ||
        word->kind == OperationKind::predicate_write) {
      read_predicate_operation(word->kind);
    } else {
      read_item_operation(word->kind);
    }
  }
  shaped_.hand_in();
}

void NativeReader::read_item_operation(OperationKind kind) {
  if (!expect_element(expected_key)) return;
  const auto key = read_key();
  if (!key) return;
  if (kind == OperationKind::read) {
    if (!json_.next_element()) {
      builder_.read(*key, ValuePool::unreported);
      return;
    }
    if (json_.peek() == JsonReader::Kind::array) kind = OperationKind::list_read;
  } else if (kind == OperationKind::remove) {
    if (expect_no_element("a delete")) builder_.remove(*key);
    return;
  } else if (!expect_element("a value")) {
    return;
  }
  const auto value = kind == OperationKind::list_read ? read_json_list(json_, values())
                                                      : read_json_value(json_, values());
  if (value && expect_no_element("the operation")) builder_.add(kind, *key, *value);
}

void NativeReader::read_update(Update::Function function) {
  Update update{.function = function};
  if (!expect_element(expected_key)) return;
  const auto key = read_key();
  if (!key || !expect_element("a value")) return;
  const std::uint64_t start = json_.next_offset();
  const auto argument = read_json_value(json_, values());
  if (!argument) return;
  update.argument = *argument;
  if (function == Update::Function::compare_and_set) {
    if (!read_compare_and_set(update)) return;
  } else if (json_.next_element()) {
    const auto seen = read_json_value(json_, values());
    if (!seen || !expect_no_element("the operation")) return;
    update.learned = Update::Learned::value;
    update.seen = *seen;
  }
  if (json_.failed()) return;
  const std::string wrong = contradiction_in(update, values());
  if (wrong.empty()) {
    builder_.update(*key, update);
  } else {
    json_.fail_at(start, wrong);
  }
}

/// From the new value on.
bool NativeReader::read_compare_and_set(Update& update) {
  constexpr std::string_view expected = "\"done\" or \"refused\"";
  if (!expect_element("the new value")) return false;
  const auto replacement = read_json_value(json_, values());
  if (!replacement) return false;
  update.replacement = *replacement;
  if (!json_.next_element()) return !json_.failed();
  const auto word = json_.string(expected);
  if (!word) return false;
  if (*word != "done" && *word != "refused") return json_.fail_found(expected, *word);
  const bool is_done = *word == "done";
  update.learned = is_done ? Update::Learned::done : Update::Learned::refused;
  if (is_done) return expect_no_element("the operation");
  if (!json_.next_element()) return !json_.failed();
  const auto seen = read_json_value(json_, values());
  if (!seen) return false;
  update.learned = Update::Learned::value;
  update.seen = *seen;
  return expect_no_element("the operation");
}

std::optional<KeyId> NativeReader::read_key() {
  if (json_.peek() != JsonReader::Kind::array) {
    return read_key_in(HistoryBuilder::default_table, expected_key);
  }
  json_.begin_array();
  if (!expect_element("a table name")) return std::nullopt;
  const auto table_name = json_.string("a table name");
  if (!table_name) return std::nullopt;
  const TableId table = builder_.table(*table_name);
  if (!expect_element("the key in the table")) return std::nullopt;
  const auto key = read_key_in(table, "an integer or a string");
  return key && expect_no_element("[table, key]") ? key : std::nullopt;
}

std::optional<KeyId> NativeReader::read_key_in(TableId table, std::string_view expected) {
  if (json_.peek() == JsonReader::Kind::string) {
    const auto name = json_.string(expected);
    return name ? std::optional(builder_.key(values().string(*name), table)) : std::nullopt;
  }
  const auto name = json_.integer(expected);
  return name ? std::optional(builder_.key(*name, table)) : std::nullopt;
}

void NativeReader::read_predicate_operation(OperationKind kind) {
  if (!expect_element("a predicate")) return;
  const auto predicate = read_predicate_json(json_);
  if (!predicate || !expect_element("the rows, or null")) return;
  rows_.clear();
  const bool reported = json_.peek() != JsonReader::Kind::null;
  if (reported ? !read_rows(kind) : !json_.null()) return;
  // The table comes last, because it is mostly left out; only now the rows' keys are known.
  TableId table = HistoryBuilder::default_table;
  if (json_.next_element()) {
    const auto name = json_.string("a table name");
    if (!name) return;
    table = builder_.table(*name);
    if (!expect_no_element("the operation")) return;
  }
  if (json_.failed()) return;
  std::vector<RowVersion> rows;
  rows.reserve(rows_.size());
  for (const Row& row : rows_) rows.push_back({builder_.key(row.key, table), row.value});
  builder_.add_predicate(
      kind, table, builder_.predicate(*predicate),
      reported ? std::optional<std::span<const RowVersion>>(rows) : std::nullopt);
}

/// Into rows_.
bool NativeReader::read_rows(OperationKind kind) {
  json_.begin_array("an array of rows [KEY,VALUE], or null");
  while (json_.next_element()) {
    if (!json_.begin_array("a row [KEY,VALUE]") || !expect_element("a key")) return false;
    const auto key = read_json_name(json_, values());
    if (!key || !expect_element("a value")) return false;
    if (kind == OperationKind::predicate_read && json_.peek() == JsonReader::Kind::null) {
      return json_.fail_expected("the value of a row that was returned");
    }
    const auto value = read_json_value(json_, values());
    if (!value || !expect_no_element("[KEY,VALUE]")) return false;
    rows_.push_back({*key, *value});
  }
  return !json_.failed();
}

/// Not worth several threads. How much comes out of a pipe is known only when it has come.
bool is_small(const Source& source, ByteReader& input, std::size_t part_size) {
  const std::uint64_t size = source.file_size(0);
  return (size == 0 ? input.window(2 * part_size).size() : size) < 2 * part_size;
}

}  // namespace

bool looks_like_native(const Head& head) {
  std::string_view text = head.text();
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.starts_with("\"isoscope-history\"");
}

Result<History> read_native(const Source& source, const ReadOptions& options) {
  return read_native(source, options, native_part_size);
}

Result<History> read_native(const Source& source, const ReadOptions& options,
                            std::size_t part_size) {
  ISOSCOPE_TRY(input, open_single_file(source));
  const Workers workers(options.threads);
  if (workers.threads() == 1 || is_small(source, input, part_size)) {
    return NativeReader(input, options).read();
  }
  ReadOptions part_options = options;
  part_options.progress = Progress::silent();  // a part does not know how far the file is read
  const auto read_part = [&](ByteReader& part, bool is_first) {
    return NativeReader(part, part_options, is_first ? HistoryBuilder() : HistoryBuilder::part())
        .read_part(is_first);
  };
  if (auto whole = read_in_parts(input, part_size, workers, options.progress, read_part)) {
    return std::move(*whole).finish();
  }
  ISOSCOPE_TRY_STATUS(keep_going(options, input));
  ISOSCOPE_TRY(again, open_single_file(source));
  return NativeReader(again, options).read();
}

}  // namespace isoscope::format
