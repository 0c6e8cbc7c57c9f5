#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_set>
#include <vector>

#include "history/format/format_table.h"
#include "history/format/integer_registers.h"
#include "isoscope/base/utf8.h"
#include "isoscope/history/history_builder.h"

/// The logs of Cobra's clients, one file a client, big-endian records of fixed sizes:
///
///   'S' transaction                          it starts
///   'W' write, key, value                    hashes of key and value
///   'R' transaction, write, key, value       who wrote what was read
///   'C' transaction                          it committed; 'A' it aborted
///
/// The logs are read twice: a read may name a writer that is in no log, and only all the logs
/// together tell. docs/formats/cobra.md
namespace isoscope::format {

namespace {

// Numbers that stand for something else than a write or its transaction.
constexpr std::uint64_t initial_write =
    0xbebeebee;                                   // the value was there before the clients started
constexpr std::uint64_t null_write = 0xdeadbeef;  // there was no row
constexpr std::uint64_t delete_write = 0xabcdefab;  // the row was deleted
constexpr std::uint64_t untracked_write =
    0xabddefee;  // logs of duplicate values: writers are not told apart
constexpr std::uint64_t collector_idle =
    0x66666666;  // what Cobra's garbage collector, which has no log, writes
constexpr std::uint64_t collector_busy = 0x23332333;

struct Record {
  char kind = 0;
  std::uint64_t byte = 0;
  std::uint64_t transaction = 0;  // started, committed or aborted; of a read: the writer
  std::uint64_t write = 0;
  std::uint64_t key = 0;
  std::uint64_t value = 0;
};

/// The record's size with its letter; 0 for what is none.
std::size_t size_of_record(char kind) {
  switch (kind) {
    case 'S':
    case 'C':
    case 'A':
      return 9;
    case 'W':
      return 25;
    case 'R':
      return 33;
    default:
      return 0;
  }
}

std::uint64_t u64_at(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string hex(std::uint64_t number) {
  char digits[16];
  const auto written = std::to_chars(digits, digits + sizeof digits, number, 16);
  return std::string(digits, written.ptr);
}

Error expected(const ByteReader& input, std::uint64_t byte, std::string_view what,
               const std::string& found) {
  return input.error_at_byte(byte, "expected " + std::string(what) + ", found " + found);
}

/// The next record; false at the end of the log.
Result<bool> next_record(ByteReader& input, Record& record) {
  record.byte = input.offset();
  if (input.at_end()) {
    ISOSCOPE_TRY_STATUS(input.stream_status());
    return false;
  }
  record.kind = static_cast<char>(input.peek());
  const std::size_t size = size_of_record(record.kind);
  if (size == 0)
    return expected(input, record.byte, "a record: S, C, A, W or R",
                    "byte " + std::to_string(input.peek()));
  const std::string_view bytes = input.window(size);
  if (bytes.size() < size) {
    return expected(input, record.byte, "a record of " + std::to_string(size) + " bytes",
                    "the end of the file after " + std::to_string(bytes.size()));
  }
  if (record.kind == 'W') {
    record.write = u64_at(bytes, 1);
  } else {
    record.transaction = u64_at(bytes, 1);
    if (record.kind == 'R') record.write = u64_at(bytes, 9);
  }
  if (record.kind == 'W' || record.kind == 'R') {
    record.key = u64_at(bytes, size - 16);
    record.value = u64_at(bytes, size - 8);
  }
  input.skip(size);
  return true;
}

std::vector<std::size_t> log_files(const Source& source) {
  std::vector<std::size_t> files;
  for (std::size_t file = 0; file < source.file_count(); ++file) {
    if (!source.is_folder() || std::string_view(source.file_name(file)).ends_with(".log"))
      files.push_back(file);
  }
  return files;
}

std::string session_name(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  if (path.ends_with(".log")) path.remove_suffix(4);
  // File systems allow any bytes, and names here are text.
  std::string name;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t length = utf8_length(path, at);
    name.append(length == 0 ? std::string_view("?") : path.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return name;
}

class Reader {
 public:
  Reader(const Source& source, const ReadOptions& options) : source_(source), options_(options) {}

  Result<History> history();

 private:
  Status find_transactions(std::size_t file);
  Status read_log(std::size_t file);
  Status start(const ByteReader& input, const Record& record);
  Status finish(const ByteReader& input, const Record& record);
  Status write(const ByteReader& input, const Record& record);
  void read(const Record& record);
  ValueId written_value(std::uint64_t write, std::uint64_t value);

  const Source& source_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  std::unordered_set<std::uint64_t> transactions_;  // of all logs
  std::unordered_set<std::uint64_t> writes_;        // seen so far, when they must be unique
  std::unordered_set<std::string> sessions_;
  std::vector<bool> has_initial_;  // by key
  SessionId session_;
  std::optional<std::uint64_t> open_;  // the transaction that has started and not ended
};

Status Reader::find_transactions(std::size_t file) {
  ISOSCOPE_TRY(input, source_.open_file(file));
  Record record;
  for (;;) {
    ISOSCOPE_TRY(more, next_record(input, record));
    if (!more) return Done{};
    if (record.kind != 'S') continue;
    ISOSCOPE_TRY_STATUS(keep_going(options_, input));
    if (!transactions_.insert(record.transaction).second) {
      return expected(input, record.byte, "a transaction that no log has started before",
                      "0x" + hex(record.transaction) + " again");
    }
  }
}

Status Reader::start(const ByteReader& input, const Record& record) {
  if (open_) {
    return expected(input, record.byte, "the end of transaction 0x" + hex(*open_),
                    "the start of 0x" + hex(record.transaction));
  }
  ISOSCOPE_TRY_STATUS(keep_going(options_, input));
  open_ = record.transaction;
  builder_.begin_transaction(session_, builder_.values().integer(signed_of(record.transaction)));
  return Done{};
}

Status Reader::finish(const ByteReader& input, const Record& record) {
  if (record.transaction != *open_) {
    return expected(input, record.byte, "the end of transaction 0x" + hex(*open_),
                    "the end of 0x" + hex(record.transaction));
  }
  if (record.kind == 'A') builder_.set_outcome(Outcome::aborted);
  open_.reset();
  return Done{};
}

ValueId Reader::written_value(std::uint64_t write, std::uint64_t value) {
  if (options_.cobra_unique_values) return builder_.values().integer(signed_of(write));
  return builder_.values().string(hex(write) + ":" + hex(value));
}

Status Reader::write(const ByteReader& input, const Record& record) {
  const KeyId key = builder_.key(signed_of(record.key));
  if (record.write == delete_write || record.write == null_write) {
    builder_.remove(key);
    return Done{};
  }
  if (record.write == initial_write) {
    return expected(input, record.byte, "the number of a write",
                    "0x" + hex(initial_write) + ", the initial state's");
  }
  if (options_.cobra_unique_values && !writes_.insert(record.write).second) {
    return expected(
        input, record.byte, "a write number that no other write has",
        "0x" + hex(record.write) + " again: these logs cannot be read with unique values");
  }
  builder_.write(key, written_value(record.write, record.value));
  return Done{};
}

void Reader::read(const Record& record) {
  ValuePool& values = builder_.values();
  const KeyId key = builder_.key(signed_of(record.key));
  switch (record.write) {
    case null_write:
    case delete_write:
      builder_.read(key, ValuePool::nil);
      return;
    case collector_idle:
    case collector_busy:
      builder_.read(key, ValuePool::unreported);
      return;
    case initial_write: {
      const ValueId value =
          values.string(options_.cobra_unique_values ? "initial" : "initial:" + hex(record.value));
      if (key.index() >= has_initial_.size()) has_initial_.resize(key.index() + 1);
      // A key has one initial value; another one that claims to be it was written by nobody.
      if (!has_initial_[key.index()]) builder_.set_initial(key, value);
      has_initial_[key.index()] = true;
      builder_.read(key, value);
      return;
    }
    default:
      break;
  }
  const bool known =
      record.transaction == untracked_write || transactions_.contains(record.transaction);
  if (known) {
    builder_.read(key, written_value(record.write, record.value));
  } else {
    // No log has the writer, so nobody in this history wrote it, even if another write has the same
    // number.
    builder_.read(key, values.string(hex(record.write) + ":" + hex(record.value) +
                                     " of unknown transaction " + hex(record.transaction)));
  }
}

Status Reader::read_log(std::size_t file) {
  ISOSCOPE_TRY(input, source_.open_file(file));
  const std::string name = session_name(source_.file_name(file));
  if (!sessions_.insert(name).second) {
    return Error{
        "expected logs of different names, found another one of session " + name, input.name(), {}};
  }
  session_ = builder_.session(builder_.values().string(name));
  open_.reset();
  Record record;
  for (;;) {
    ISOSCOPE_TRY(more, next_record(input, record));
    if (!more) break;
    if (record.kind == 'S') {
      ISOSCOPE_TRY_STATUS(start(input, record));
      continue;
    }
    if (!open_)
      return expected(input, record.byte, "the start of a transaction",
                      std::string("'") + record.kind + "'");
    if (record.kind == 'W') {
      ISOSCOPE_TRY_STATUS(write(input, record));
    } else if (record.kind == 'R') {
      read(record);
    } else {
      ISOSCOPE_TRY_STATUS(finish(input, record));
    }
  }
  // The client stopped before it learned how its last transaction ended.
  if (open_) builder_.set_outcome(Outcome::indeterminate);
  return Done{};
}

Result<History> Reader::history() {
  const std::vector<std::size_t> files = log_files(source_);
  if (files.empty()) return Error{"expected a folder with *.log files: " + source_.name()};
  for (const std::size_t file : files) ISOSCOPE_TRY_STATUS(find_transactions(file));
  for (const std::size_t file : files) ISOSCOPE_TRY_STATUS(read_log(file));
  return std::move(builder_).finish();
}

/// Does the beginning of the log consist of records, the first one starting a transaction? The last
/// may be cut.
bool is_log(std::string_view bytes) {
  if (!bytes.starts_with('S') || bytes.size() < size_of_record('S')) return false;
  while (!bytes.empty()) {
    const std::size_t size = size_of_record(bytes[0]);
    if (size == 0) return false;
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
  return true;
}

}  // namespace

bool looks_like_cobra(const Head& head) {
  if (!head.source.is_folder()) return is_log(head.bytes);
  constexpr std::size_t enough = 4096;
  for (const std::size_t file : log_files(head.source)) {
    const Result<std::string> bytes = head.source.head(file, enough);
    if (!bytes) return false;
    if (!bytes->empty()) return is_log(*bytes);
  }
  return false;
}

Result<History> read_cobra(const Source& source, const ReadOptions& options) {
  return Reader(source, options).history();
}

}  // namespace isoscope::format
