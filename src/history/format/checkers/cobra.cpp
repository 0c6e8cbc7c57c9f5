#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "history/format/checkers/cobra_log.h"
#include "history/format/checkers/formats.h"
#include "history/format/checkers/hex_text.h"
#include "history/format/shared/integer_registers.h"
#include "isoscope/base/integer_set.h"
#include "isoscope/base/utf8.h"
#include "isoscope/history/history_builder.h"

/// The logs of Cobra's clients, one file a client, big-endian records of fixed sizes:
///
///   'S' transaction                          it starts
///   'W' write, key, value                    hashes of key and value
///   'R' transaction, write, key, value       the writer of what was read
///   'C' transaction                          it committed; 'A' it aborted
///
/// A read may name a writer that is in no log, and only all the logs together tell. As this is
/// rare, the logs are first read as if it never happened, and again if it did. They are also read
/// again if anything is wrong, after a pass that only collects the transactions: what that pass
/// complains about, in any log, comes first.
///
/// Keys and values are hashes, so that looking them up is mostly waiting for memory. So a few
/// records are taken at a time, and the memory for all of them is asked for before the first is
/// looked up. This halves the time for 12,800,000 operations. Asking in a second step for what the
/// index refers to brought nothing.
///
/// Several threads, each reading a log into a part (HistoryBuilder::part()), were tried, too: to
/// append the parts of 16 logs of 800,000 operations takes longer, 510 ms and more, than to read
/// them here, 420 ms.
///
/// docs/formats/cobra.md
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

/// What a read that names such a write has seen; nothing if the number is that of a write with a
/// value.
std::optional<ValueId> no_value(std::uint64_t write) {
  switch (write) {
    case null_write:
    case delete_write:
      return ValuePool::nil;
    case collector_idle:
    case collector_busy:
      return ValuePool::unreported;
    default:
      return std::nullopt;
  }
}

Error expected(const ByteReader& input, std::uint64_t byte, std::string_view what,
               const std::string& found) {
  return input.error_at_byte(byte, "expected " + std::string(what) + ", found " + found);
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

/// A record, and its value before it is looked up.
struct Step {
  CobraRecord record;
  HexText value;           // empty: not a string
  std::uint64_t hash = 0;  // of the string
};

class Reader {
 public:
  /// `transactions` are those of all logs. It is null if they are not known; then every transaction
  /// that is named as a writer counts as one of them.
  Reader(const Source& source, const ReadOptions& options, const IntegerSet* transactions)
      : source_(source), options_(options), transactions_(transactions) {}

  /// To be called once.
  Result<History> read(std::span<const std::size_t> files);
  /// The transactions that were named as writers while the transactions were not known.
  const IntegerSet& writers() const { return writers_; }

 private:
  Status read_log(std::size_t file);
  void look_ahead(std::span<Step> steps);
  void spell_value(Step& step);
  bool is_known(std::uint64_t writer);
  Status take(const ByteReader& input, const Step& step);
  Status start(const ByteReader& input, const CobraRecord& record);
  Status finish(const ByteReader& input, const CobraRecord& record);
  Status write(const ByteReader& input, const Step& step);
  void read(const Step& step);
  ValueId value_of(const Step& step);

  const Source& source_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  const IntegerSet* transactions_;
  IntegerSet writers_;
  std::vector<bool> is_written_;  // by value, when they must be unique
  std::unordered_set<std::string> sessions_;
  std::vector<bool> has_initial_;  // by key
  SessionId session_;
  std::optional<std::uint64_t> open_;  // the transaction that has started and not ended
};

Error started_again(const ByteReader& input, const CobraRecord& record) {
  return expected(input, record.byte, "a transaction that no log has started before",
                  "0x" + hex(record.transaction) + " again");
}

Status Reader::start(const ByteReader& input, const CobraRecord& record) {
  if (open_) {
    return expected(input, record.byte, "the end of transaction 0x" + hex(*open_),
                    "the start of 0x" + hex(record.transaction));
  }
  ISOSCOPE_TRY_STATUS(keep_going(options_, input));
  open_ = record.transaction;
  const ValueId name = builder_.values().integer(signed_of(record.transaction));
  if (builder_.has_transaction(name)) return started_again(input, record);
  builder_.begin_transaction(session_, name);
  return Done{};
}

Status Reader::finish(const ByteReader& input, const CobraRecord& record) {
  if (record.transaction != *open_) {
    return expected(input, record.byte, "the end of transaction 0x" + hex(*open_),
                    "the end of 0x" + hex(record.transaction));
  }
  if (record.kind == 'A') builder_.set_outcome(Outcome::aborted);
  open_.reset();
  return Done{};
}

bool Reader::is_known(std::uint64_t writer) {
  if (writer == untracked_write) return true;
  if (transactions_ != nullptr) return transactions_->contains(writer);
  writers_.insert(writer);
  return true;
}

void Reader::spell_value(Step& step) {
  const auto& [kind, byte, transaction, write, key, value] = step.record;
  step.value.clear();
  if (kind == 'R' && no_value(write)) return;
  if (kind == 'R' && write == initial_write) {
    step.value.add("initial");
    if (options_.cobra_unique_values) return;
    step.value.add(':');
    step.value.add_hex(value);
    return;
  }
  const bool is_unknown = kind == 'R' && !is_known(transaction);
  if (options_.cobra_unique_values && !is_unknown) return;
  step.value.add_hex(write);
  step.value.add(':');
  step.value.add_hex(value);
  if (!is_unknown) return;
  // No log has the writer, so nobody in this history wrote it, even if another write has the same
  // number.
  step.value.add(" of unknown transaction ");
  step.value.add_hex(transaction);
}

/// Spells the values of records that will be taken next, and asks for the memory.
void Reader::look_ahead(std::span<Step> steps) {
  const ValuePool& values = builder_.values();
  for (Step& step : steps) {
    const CobraRecord& record = step.record;
    if (record.kind == 'S') values.prefetch_integer(signed_of(record.transaction));
    if (!record.is_operation()) continue;
    values.prefetch_integer(signed_of(record.key));
    spell_value(step);
  }
  for (Step& step : steps) {
    if (!step.record.is_operation()) continue;
    if (step.value.view().empty()) {
      values.prefetch_integer(signed_of(step.record.write));
    } else {
      step.hash = ValuePool::string_hash(step.value.view());
      values.prefetch_string(step.hash);
    }
  }
}

ValueId Reader::value_of(const Step& step) {
  ValuePool& values = builder_.values();
  const std::string_view text = step.value.view();
  return text.empty() ? values.integer(signed_of(step.record.write))
                      : values.string(text, step.hash);
}

Status Reader::write(const ByteReader& input, const Step& step) {
  const std::uint64_t write = step.record.write;
  const KeyId key = builder_.key(signed_of(step.record.key));
  if (write == delete_write || write == null_write) {
    builder_.remove(key);
    return Done{};
  }
  if (write == initial_write) {
    return expected(input, step.record.byte, "the number of a write",
                    "0x" + hex(initial_write) + ", the initial state's");
  }
  const ValueId value = value_of(step);
  builder_.write(key, value);
  if (!options_.cobra_unique_values) return Done{};
  if (value.index() >= is_written_.size()) is_written_.resize(2 * value.index() + 1);
  if (is_written_[value.index()]) {
    return expected(input, step.record.byte, "a write number that no other write has",
                    "0x" + hex(write) + " again: these logs cannot be read with unique values");
  }
  is_written_[value.index()] = true;
  return Done{};
}

void Reader::read(const Step& step) {
  const KeyId key = builder_.key(signed_of(step.record.key));
  if (const auto none = no_value(step.record.write)) return builder_.read(key, *none);
  const ValueId value = value_of(step);
  builder_.read(key, value);
  if (step.record.write != initial_write) return;
  // A key has one initial value; another one that claims to be it was written by nobody.
  if (key.index() >= has_initial_.size()) has_initial_.resize(2 * key.index() + 1);
  if (!has_initial_[key.index()]) builder_.set_initial(key, value);
  has_initial_[key.index()] = true;
}

Status Reader::take(const ByteReader& input, const Step& step) {
  const CobraRecord& record = step.record;
  if (record.kind == 'S') return start(input, record);
  if (!open_) {
    return expected(input, record.byte, "the start of a transaction",
                    std::string("'") + record.kind + "'");
  }
  if (record.kind == 'W') return write(input, step);
  if (record.kind != 'R') return finish(input, record);
  read(step);
  return Done{};
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
  std::array<Step, 16> steps;
  for (std::size_t count = steps.size(); count == steps.size();) {
    for (count = 0; count < steps.size() && next_record(input, steps[count].record);) ++count;
    const std::span taken(steps.data(), count);
    look_ahead(taken);
    for (const Step& step : taken) ISOSCOPE_TRY_STATUS(take(input, step));
  }
  ISOSCOPE_TRY_STATUS(end_of_cobra_log(input));
  // The client stopped before it learned how its last transaction ended.
  if (open_) builder_.set_outcome(Outcome::indeterminate);
  return Done{};
}

Result<History> Reader::read(std::span<const std::size_t> files) {
  // Reserves what the recorded logs need, where growing took a sixth of the time. Too much room
  // costs only the part that is touched, but the index of the values is touched as a whole: it gets
  // no more than 8 MiB this way.
  std::size_t bytes = 0;
  for (const std::size_t file : files) bytes += source_.file_size(file);
  const std::size_t values = std::min<std::size_t>(bytes / 24, 500'000);
  builder_.reserve(values, values, 16 * values);
  for (const std::size_t file : files) ISOSCOPE_TRY_STATUS(read_log(file));
  return std::move(builder_).finish();
}

Status find_transactions(ByteReader& input, const ReadOptions& options, IntegerSet& transactions) {
  CobraRecord record;
  while (next_record(input, record)) {
    if (record.kind != 'S') continue;
    ISOSCOPE_TRY_STATUS(keep_going(options, input));
    if (!transactions.insert(record.transaction)) return started_again(input, record);
  }
  return end_of_cobra_log(input);
}

IntegerSet transactions_of(const History& history) {
  IntegerSet transactions;
  for (const TransactionId t : history.transactions()) {
    transactions.insert(unsigned_of(history.values().integer_of(history.name(t))));
  }
  return transactions;
}

}  // namespace

bool looks_like_cobra(const Head& head) {
  if (!head.source.is_folder()) return looks_like_cobra_log(head.bytes);
  const std::vector<std::size_t> files = log_files(head.source);
  if (!stand_in(head.source, files)) return false;
  constexpr std::size_t enough = 4096;
  for (const std::size_t file : files) {
    const Result<std::string> bytes = head.source.head(file, enough);
    if (!bytes) return false;
    if (!bytes->empty()) return looks_like_cobra_log(*bytes);
  }
  return false;
}

Result<History> read_cobra(const Source& source, const ReadOptions& options) {
  const std::vector<std::size_t> files = log_files(source);
  if (files.empty()) return Error{"expected a folder with *.log files: " + source.name()};
  std::optional<IntegerSet> transactions;
  {
    Reader reader(source, options, nullptr);
    if (Result<History> history = reader.read(files)) {
      if (reader.writers().size() == 0) return history;
      transactions = transactions_of(*history);
      if (transactions->includes(reader.writers())) return history;
    }
  }
  if (!transactions) {
    transactions.emplace();
    for (const std::size_t file : files) {
      ISOSCOPE_TRY(input, source.open_file(file));
      ISOSCOPE_TRY_STATUS(find_transactions(input, options, *transactions));
    }
  }
  return Reader(source, options, &*transactions).read(files);
}

}  // namespace isoscope::format
