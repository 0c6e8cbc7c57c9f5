#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "history/format/checkers/formats.h"
#include "history/format/shared/json_value.h"
#include "isoscope/base/utf8.h"
#include "isoscope/history/history_builder.h"

/// Viper's JSON logs (docs/formats/viper.md): a folder with a file J<number>.log for each session,
/// of one JSON object per committed transaction, or one array of them.
///
///   {"value":[["w",7,1,true],["r",8,0,false],["range",1,9,[{"id":7,"val":1}],[]]]}
///
/// A deletion leaves a tombstone, a value like any other, and readers log which tombstone they saw.
/// So tombstones are values here, too: that a row is dead matters to the application only, and a
/// transaction that reads a tombstone is known to have read that very deletion. Written and read
/// values are kept until the end, to find out what was there before the first transaction: 8 bytes
/// each.

namespace isoscope::format {

namespace {

/// An operation that waits for the end of its transaction, where the log says what it was.
struct Pending {
  OperationKind kind;
  KeyId key;
  ValueId value;
  bool failed = false;         // a write that did not happen
  PredicateId predicate = {};  // of a range read
  std::size_t first_row = 0;   // in the reader's rows
  std::size_t row_count = 0;
};

bool is_write(OperationKind kind) {
  return kind == OperationKind::write || kind == OperationKind::insert ||
         kind == OperationKind::remove;
}

/// The name without folders and what follows the first dot.
std::string_view stem(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);
  return path.substr(0, path.find('.'));
}

/// Sessions are in files J*; a folder of other names has nothing but sessions.
std::vector<std::size_t> session_files(const Source& source) {
  std::vector<std::size_t> chosen;
  for (std::size_t file = 0; file < source.file_count(); ++file) {
    if (stem(source.file_name(file)).starts_with('J')) chosen.push_back(file);
  }
  if (!chosen.empty()) return chosen;
  for (std::size_t file = 0; file < source.file_count(); ++file) chosen.push_back(file);
  return chosen;
}

class ViperReader {
 public:
  explicit ViperReader(const ReadOptions& options) : options_(options) {}

  Status read_file(ByteReader& input) {
    JsonReader json(input);
    json_ = &json;
    if (input.window(3).starts_with("\xEF\xBB\xBF")) input.skip(3);
    session_.reset();
    if (json.peek() == JsonReader::Kind::array) {
      json.begin_array();
      while (json.next_element()) ISOSCOPE_TRY_STATUS(read_transaction());
    } else {
      while (!json.failed() && json.peek() != JsonReader::Kind::end) {
        ISOSCOPE_TRY_STATUS(read_transaction());
      }
    }
    if (!json.expect_end()) return json.error();
    return Done{};
  }

  Result<History> finish() && {
    if (!has_initial_) infer_initial_values();
    return std::move(builder_).finish();
  }

 private:
  ValuePool& values() { return builder_.values(); }

  /// One session per file, made when its first transaction comes: the file of the initial
  /// transaction has no other.
  SessionId session() {
    if (!session_) {
      const std::string& file = json_->input().name();
      if (find_invalid_utf8(file) != std::string_view::npos) {
        session_ = builder_.add_session();
      } else {
        const ValueId name = values().string(stem(file));
        const bool is_new = session_names_.insert(name).second;
        session_ = builder_.session(is_new ? name : values().string(file));
      }
    }
    return *session_;
  }

  Status read_transaction() {
    ISOSCOPE_TRY_STATUS(keep_going(options_, json_->input()));
    pending_.clear();
    rows_.clear();
    bool has_value = false;
    bool initial = false;
    std::optional<std::int64_t> begin;
    std::optional<std::int64_t> end;
    json_->begin_object("a transaction such as {\"value\":[...]}");
    while (const auto name = json_->next_member()) {
      if (*name == "value") {
        has_value = true;
        json_->begin_array("an array of operations");
        while (json_->next_element()) read_operation();
      } else if (*name == "isInitial") {
        initial = json_->boolean().value_or(false);
      } else if (*name == "preBeginTS") {
        begin = read_time(0);
      } else if (*name == "postCommitTS") {
        // The clock shows whole milliseconds: the answer came at any time within the last one.
        end = read_time(999'999);
      } else {
        json_->skip_value();
      }
      if (begin && end && *end < *begin) {
        json_->fail("expected \"postCommitTS\" not before \"preBeginTS\", found it before");
      }
    }
    if (!has_value && !json_->failed()) {
      json_->fail_at(json_->input().offset() - 1,
                     "expected a member \"value\" before the end of the transaction, found none");
    }
    if (json_->failed()) return json_->error();
    if (initial) {
      add_initial();
    } else {
      add_transaction(begin, end);
    }
    return Done{};
  }

  std::optional<std::int64_t> read_time(std::int64_t within) {
    const auto milliseconds = json_->integer("a time in milliseconds");
    if (!milliseconds || *milliseconds == -1) return std::nullopt;
    std::int64_t time = 0;
    if (*milliseconds < 0 ||
        __builtin_mul_overflow(*milliseconds, std::int64_t{1'000'000}, &time) ||
        __builtin_add_overflow(time, within, &time)) {
      json_->fail("expected a time in milliseconds, found one out of range");
      return std::nullopt;
    }
    return time;
  }

  void read_operation() {
    static constexpr std::string_view expected =
        "an operation: an array that starts with \"r\", \"w\", \"i\", \"d\" or \"range\"";
    ended_ = false;
    if (!json_->begin_array(expected) || !expect_element(expected)) return;
    const auto type = json_->string(expected);
    if (!type) return;
    if (*type == "r") {
      read_read();
    } else if (*type == "w") {
      read_write();
    } else if (*type == "i") {
      read_replacement(OperationKind::insert);
    } else if (*type == "d") {
      read_replacement(OperationKind::remove);
    } else if (*type == "range") {
      read_range();
    } else {
      json_->fail_found(expected, *type);
    }
    // The tools add things at the end.
    while (more()) json_->skip_value();
  }

  /// Has the operation one more element? May be asked again after its last one.
  bool more() {
    ended_ = ended_ || !json_->next_element();
    return !ended_;
  }

  bool expect_element(std::string_view expected) {
    if (more()) return true;
    return json_->fail_at(json_->input().offset() - 1,
                          "expected " + std::string(expected) + ", found ]");
  }

  std::optional<KeyId> read_key() {
    if (!expect_element("a key")) return std::nullopt;
    const auto name = read_json_name(*json_, values(), "a key: an integer or a string");
    return name ? std::optional(builder_.key(*name)) : std::nullopt;
  }

  /// Viper logs hashes of values, and 0, "nil" or null where there is none.
  std::optional<ValueId> read_value() {
    const auto value = read_json_scalar(*json_, values());
    if (!value) return std::nullopt;
    const ValueKind kind = values().kind(*value);
    const bool none = kind == ValueKind::integer  ? values().integer_of(*value) == 0
                      : kind == ValueKind::string ? values().string_of(*value) == "nil"
                                                  : true;
    return none ? ValuePool::nil : *value;
  }

  /// ["r", key, value, flag]. The flag is "dead" in Viper's own logs and "committed" in IsoVista's:
  /// the value says all that counts.
  void read_read() {
    const auto key = read_key();
    if (!key || !expect_element("a value")) return;
    if (const auto value = read_value()) pending_.push_back({OperationKind::read, *key, *value});
  }

  /// ["w", key, value, success]
  void read_write() {
    const auto key = read_key();
    if (!key || !expect_element("a value")) return;
    const auto value = read_value();
    if (!value) return;
    pending_.push_back({OperationKind::write, *key, *value});
    if (more()) read_success();
  }

  void read_success() {
    if (const auto success = json_->boolean()) pending_.back().failed = !*success;
  }

  /// ["i" or "d", key, value, value read before, dead, success]; what comes after the key may be
  /// missing, or only the success is there. A deletion that has a value leaves it as its tombstone.
  void read_replacement(OperationKind kind) {
    const auto key = read_key();
    if (!key) return;
    Pending write{kind, *key, ValuePool::nil};
    if (more()) {
      const auto value = read_value();
      if (!value) return;
      write.value = *value;
    }
    if (kind == OperationKind::remove && write.value != ValuePool::nil)
      write.kind = OperationKind::write;
    if (json_->failed() || !more()) {
      pending_.push_back(write);
      return;
    }
    if (json_->peek() == JsonReader::Kind::boolean) {
      pending_.push_back(write);
      read_success();
      return;
    }
    const auto before = read_value();
    if (!before) return;
    const bool recorded =
        values().kind(*before) != ValueKind::integer || values().integer_of(*before) != -1;
    if (recorded) pending_.push_back({OperationKind::read, *key, *before});
    bool dead = false;
    if (more()) dead = json_->boolean("true or false: was it dead").value_or(false);
    // An insert over a tombstone finds a row, as far as the database is concerned.
    if (dead && write.kind == OperationKind::insert) write.kind = OperationKind::write;
    pending_.push_back(write);
    if (more()) read_success();
  }

  /// ["range", from, to, live rows, dead rows]. The database returned both.
  void read_range() {
    Constant from;
    Constant to;
    if (!expect_element("the least key of the range, or \"nil\"") || !read_bound(from)) return;
    if (!expect_element("the greatest key of the range, or \"nil\"") || !read_bound(to)) return;
    Pending range{OperationKind::predicate_read, KeyId(), ValuePool::nil};
    range.first_row = rows_.size();
    range.predicate = builder_.predicate(keys_between(from, to));
    if (!expect_element("the live rows")) return;
    read_rows();
    if (more()) read_rows();
    range.row_count = rows_.size() - range.first_row;
    if (!json_->failed()) pending_.push_back(range);
  }

  /// Leaves nil where the range is open.
  bool read_bound(Constant& bound) {
    if (json_->peek() == JsonReader::Kind::null) return json_->null();
    const auto name = read_json_name(*json_, values());
    if (!name) return false;
    if (values().kind(*name) == ValueKind::integer) {
      bound = values().integer_of(*name);
    } else if (values().string_of(*name) != "nil") {
      bound = std::string(values().string_of(*name));
    }
    return true;
  }

  static Predicate keys_between(const Constant& from, const Constant& to) {
    const bool open_below = std::holds_alternative<std::monostate>(from);
    const bool open_above = std::holds_alternative<std::monostate>(to);
    Predicate predicate;
    if (open_below && open_above) return predicate;
    predicate.operand = Predicate::key_operand;
    if (open_below) {
      predicate.kind = Predicate::Kind::less_equal;
      predicate.constants = {to};
    } else if (open_above) {
      predicate.kind = Predicate::Kind::greater_equal;
      predicate.constants = {from};
    } else {
      predicate.kind = Predicate::Kind::between;
      predicate.constants = {from, to};
    }
    return predicate;
  }

  void read_rows() {
    json_->begin_array("an array of rows {\"id\":KEY,\"val\":VALUE}");
    while (json_->next_element()) {
      std::optional<KeyId> key;
      std::optional<ValueId> value;
      json_->begin_object("a row {\"id\":KEY,\"val\":VALUE}");
      while (const auto name = json_->next_member()) {
        if (*name == "id") {
          const auto id = read_json_name(*json_, values(), "a key: an integer or a string");
          if (id) key = builder_.key(*id);
        } else if (*name == "val") {
          value = read_value();
        } else {
          json_->skip_value();
        }
      }
      if (json_->failed()) return;
      if (!key || !value) {
        json_->fail_at(json_->input().offset() - 1,
                       "expected a row with \"id\" and \"val\", found one without");
        return;
      }
      if (*value != ValuePool::nil) rows_.push_back({*key, *value});
    }
  }

  /// The state before all transactions.
  void add_initial() {
    has_initial_ = true;
    for (const Pending& operation : pending_) {
      if (is_write(operation.kind) && !operation.failed)
        builder_.set_initial(operation.key, operation.value);
    }
  }

  void add_transaction(std::optional<std::int64_t> begin, std::optional<std::int64_t> end) {
    // IsoVista marks every operation of an aborted transaction as failed. A single failed write
    // among others is an update that met no row: nothing was written.
    bool any_written = false;
    bool any_failed = false;
    for (const Pending& operation : pending_) {
      if (is_write(operation.kind)) (operation.failed ? any_failed : any_written) = true;
    }
    const bool aborted = any_failed && !any_written;
    builder_.begin_transaction(session());
    builder_.set_times(begin, end);
    if (aborted) builder_.set_outcome(Outcome::aborted);
    for (const Pending& operation : pending_) {
      if (operation.kind == OperationKind::predicate_read) {
        const auto rows = std::span(rows_).subspan(operation.first_row, operation.row_count);
        builder_.add_predicate(operation.kind, HistoryBuilder::default_table, operation.predicate,
                               rows);
        for (const RowVersion& row : rows) {
          if (!aborted) reads_.push_back(pair(row.key, row.value));
        }
        continue;
      }
      if (operation.failed && !aborted) continue;
      builder_.add(operation.kind, operation.key, operation.value);
      if (is_write(operation.kind)) {
        writes_.push_back(pair(operation.key, operation.value));
      } else if (!aborted) {
        reads_.push_back(pair(operation.key, operation.value));
      }
    }
  }

  static std::uint64_t pair(KeyId key, ValueId value) {
    return std::uint64_t{key.value} << 32 | value.value;
  }

  /// Without an initial transaction nobody logged what was there at the start. Some readers of a
  /// key may have seen a value that nobody wrote. If all of these saw the same value, that was the
  /// initial one. If they differ, or some saw nothing, then something was read that never was
  /// written, and it stays so.
  void infer_initial_values() {
    const auto tidy = [](std::vector<std::uint64_t>& pairs) {
      std::ranges::sort(pairs);
      pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    };
    tidy(reads_);
    tidy(writes_);
    std::vector<std::uint64_t> unwritten;
    std::ranges::set_difference(reads_, writes_, std::back_inserter(unwritten));
    for (std::size_t i = 0; i < unwritten.size(); ++i) {
      const std::uint64_t key = unwritten[i] >> 32;
      const bool alone = (i == 0 || unwritten[i - 1] >> 32 != key) &&
                         (i + 1 == unwritten.size() || unwritten[i + 1] >> 32 != key);
      const ValueId value(unwritten[i] & 0xFFFFFFFF);
      if (alone && value != ValuePool::nil) builder_.set_initial(KeyId(key), value);
    }
  }

  const ReadOptions& options_;
  HistoryBuilder builder_;
  JsonReader* json_ = nullptr;  // of the file being read
  std::optional<SessionId> session_;
  std::unordered_set<ValueId> session_names_;
  bool ended_ = false;  // the operation being read has no more elements
  std::vector<Pending> pending_;
  std::vector<RowVersion> rows_;
  bool has_initial_ = false;
  std::vector<std::uint64_t> reads_;  // by committed transactions: key << 32 | value
  std::vector<std::uint64_t> writes_;
};

/// A transaction is an object with "value" and none of what elle-cli's have; its operations have
/// flags.
bool starts_like_viper(JsonReader& json) {
  if (json.peek() == JsonReader::Kind::array && (!json.begin_array() || !json.next_element()))
    return false;
  if (!json.begin_object()) return false;
  bool has_value = false;
  while (const auto name = json.next_member()) {
    if (*name == "type" || *name == "process" || *name == "f" || *name == "index") return false;
    if (*name != "value") {
      json.skip_value();
      continue;
    }
    has_value = true;
    if (!json.begin_array()) return false;
    while (json.next_element()) {
      if (!json.begin_array() || !json.next_element()) return false;
      const auto type = json.string();
      if (!type) return false;
      if (*type == "range") return true;
      if (*type != "r" && *type != "w" && *type != "i" && *type != "d") return false;
      for (int i = 0; i < 2; ++i) {
        if (!json.next_element() || !json.skip_value()) return false;
      }
      // Elle's operations end here.
      return json.next_element();
    }
  }
  return has_value && !json.failed();
}

}  // namespace

bool looks_like_viper(const Head& head) {
  std::string bytes(head.bytes);
  if (head.source.is_folder()) {
    const std::vector<std::size_t> files = session_files(head.source);
    if (!stand_in(head.source, files) && !stand_in(head.source, files, "json")) return false;
    auto of_session = head.source.head(files.front(), head_size);
    if (!of_session) return false;
    bytes = *std::move(of_session);
  }
  const Head first{bytes, head.source};
  if (!first.text().starts_with('{') && !first.text().starts_with('[')) return false;
  const Source copy = Source::from_memory(head.source.name(), std::string(first.text()));
  auto input = copy.open_file(0);
  if (!input) return false;
  JsonReader json(*input);
  return starts_like_viper(json);
}

Result<History> read_viper(const Source& source, const ReadOptions& options) {
  ViperReader reader(options);
  for (const std::size_t file : session_files(source)) {
    ISOSCOPE_TRY(input, source.open_file(file));
    ISOSCOPE_TRY_STATUS(reader.read_file(input));
  }
  return std::move(reader).finish();
}

}  // namespace isoscope::format
