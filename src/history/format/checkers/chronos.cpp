#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "history/format/checkers/formats.h"
#include "history/format/shared/json_value.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/history_builder.h"

/// Chronos and Aion (docs/formats/chronos.md): one JSON array of committed transactions.
///
///   [{"tid":7,"sid":1,"sts":{"p":100,"l":2},"cts":{"p":101,"l":0},"ops":[{"t":"w","k":1,"v":5}]}]
///
/// A hybrid timestamp (p,l) must become one number of the same order: p * factor + l. The factor
/// has to be larger than every l, and no larger than p leaves room for. Only the whole file tells
/// both. So the file is read with the smallest factor, and again with the next one when that proves
/// too small. In files that need a larger factor this happens within the first transactions.

namespace isoscope::format {

namespace {

constexpr std::array<std::int64_t, 7> factors = {
    1,      // every l is 0: TiDB and Dgraph, whose p is the whole timestamp
    16,     // little room beside a p of 59 bits
    1000,   // microseconds become nanoseconds
    4096,   // YugabyteDB's l has 12 bits
    65536,  // and more for those whose p is small
    std::int64_t{1} << 20,
    std::int64_t{1} << 32,
};

enum Member : std::size_t { tid, sid, sts, cts, ops };
constexpr std::array<std::string_view, 5> member_names = {"tid", "sid", "sts", "cts", "ops"};

constexpr std::string_view expected_type = "an operation type: \"r\", \"w\" or \"a\"";

/// The kind of an operation by its type's name in any case; reads of lists are told by their value.
std::optional<OperationKind> operation_kind(std::string_view type) {
  std::string lower(type.substr(0, 8));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (lower == "r" || lower == "read") return OperationKind::read;
  if (lower == "w" || lower == "write") return OperationKind::write;
  if (lower == "a" || lower == "append") return OperationKind::append;
  return std::nullopt;
}

class ChronosReader {
 public:
  ChronosReader(ByteReader& input, const ReadOptions& options, std::int64_t factor)
      : json_(input), options_(options), factor_(factor) {}

  Result<History> read() {
    if (json_.input().window(3).starts_with("\xEF\xBB\xBF")) json_.input().skip(3);
    json_.begin_array("an array of transactions");
    while (json_.next_element()) {
      read_transaction();
      if (const Status status = keep_going(options_, json_.input()); !status) return status.error();
    }
    json_.expect_end();
    if (json_.failed()) return json_.error();
    if (lists_) {
      // Chronos is told that a history is one of lists; then "v" may be null for the empty one.
      builder_.nil_reads_are_list_reads([](KeyId) { return true; });
    } else if (read_zero_ && !wrote_zero_ && !read_nil_) {
      // Chronos is told the initial value: null unless said otherwise, which is 0 in practice.
      builder_.set_initial_default(builder_.values().integer(0));
    }
    return std::move(builder_).finish();
  }

  /// Some l is not below the factor; what read() returned means nothing.
  bool factor_too_small() const { return factor_too_small_; }

 private:
  ValuePool& values() { return builder_.values(); }

  // Each of these leaves an error in json_ when something is wrong.
  void read_transaction() {
    if (!json_.begin_object("a transaction")) return;
    builder_.begin_transaction();
    std::array<bool, member_names.size()> seen{};
    std::optional<std::int64_t> begin;
    std::optional<std::int64_t> end;
    while (const auto name = json_.next_member()) {
      const auto member =
          static_cast<std::size_t>(std::ranges::find(member_names, *name) - member_names.begin());
      if (member == member_names.size()) {
        json_.skip_value();  // "rtts" and whatever else tools add
        continue;
      }
      if (seen[member]) {
        json_.fail("expected \"" + std::string(*name) + "\" once, found it again");
        return;
      }
      seen[member] = true;
      const std::uint64_t start = json_.next_offset();
      switch (member) {
        case tid:
          read_tid();
          break;
        case sid:
          if (const auto session = read_json_name(json_, values())) {
            builder_.set_session(builder_.session(*session));
          }
          break;
        case sts:
          begin = read_timestamp();
          break;
        case cts:
          end = read_timestamp();
          break;
        default:
          read_operations();
      }
      if (begin && end && *end < *begin && (member == sts || member == cts)) {
        json_.fail_at(start, "expected \"cts\" not before \"sts\", found it before");
      }
    }
    for (std::size_t member = 0; member < seen.size(); ++member) {
      if (!seen[member] && !json_.failed()) fail_missing(member_names[member], "transaction");
    }
    if (!json_.failed()) builder_.set_times(begin, end);
  }

  /// At the brace that ended the object.
  void fail_missing(std::string_view member, std::string_view object) {
    json_.fail_at(json_.input().offset() - 1, "expected a member \"" + std::string(member) +
                                                  "\" before the end of the " +
                                                  std::string(object) + ", found none");
  }

  void read_tid() {
    const std::uint64_t start = json_.next_offset();
    const std::optional<ValueId> name = read_json_transaction_name(json_, builder_);
    if (!name) return;
    if (builder_.has_transaction(*name)) {
      json_.fail_at(start, "expected a \"tid\" that no earlier transaction has, found one again");
      return;
    }
    builder_.set_name(*name);
  }

  std::optional<std::int64_t> read_timestamp() {
    const std::uint64_t start = json_.next_offset();
    std::optional<std::int64_t> physical;
    std::int64_t logical = 0;
    json_.begin_object("a timestamp such as {\"p\":100,\"l\":0}");
    while (const auto name = json_.next_member()) {
      if (*name == "p") {
        physical = read_clock();
      } else if (*name == "l") {
        logical = read_clock().value_or(0);
        if (logical < 0)
          json_.fail("expected a logical part that is not negative, found one that is");
      } else {
        json_.fail_found("\"p\" or \"l\"", *name);
      }
    }
    if (!physical && !json_.failed()) fail_missing("p", "timestamp");
    if (json_.failed()) return std::nullopt;
    if (factor_ == 1 ? logical != 0 : logical >= factor_) {
      factor_too_small_ = true;
      json_.fail_at(start, "expected a logical part below " + std::to_string(factors.back()) +
                               ", found " + std::to_string(logical));
      return std::nullopt;
    }
    std::int64_t time = 0;
    if (__builtin_mul_overflow(*physical, factor_, &time) ||
        __builtin_add_overflow(time, logical, &time) || time == INT64_MIN) {
      json_.fail_at(start, "expected a timestamp whose parts fit in 64 bits together, found p " +
                               std::to_string(*physical) + " where l needs a factor of " +
                               std::to_string(factor_));
      return std::nullopt;
    }
    return time;
  }

  /// An integer, or one in quotes, which Chronos takes as well.
  std::optional<std::int64_t> read_clock() {
    if (json_.peek() != JsonReader::Kind::string) return json_.integer();
    const auto text = json_.string();
    if (!text) return std::nullopt;
    std::int64_t value = 0;
    const auto [stop, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (problem != std::errc() || stop != text->data() + text->size()) {
      json_.fail_found("an integer", *text);
      return std::nullopt;
    }
    return value;
  }

  void read_operations() {
    json_.begin_array("an array of operations");
    while (json_.next_element()) read_operation();
  }

  void read_operation() {
    const std::uint64_t start = json_.next_offset();
    std::optional<OperationKind> kind;
    std::optional<ValueId> key;
    std::optional<ValueId> value;
    if (!json_.begin_object("an operation such as {\"t\":\"r\",\"k\":1,\"v\":2}")) return;
    while (const auto name = json_.next_member()) {
      if (*name == "t") {
        const auto type = json_.string(expected_type);
        if (!type) return;
        kind = operation_kind(*type);
        if (!kind) {
          json_.fail_found(expected_type, *type);
          return;
        }
      } else if (*name == "k") {
        key = read_json_name(json_, values());
        if (!key) return;
      } else if (*name == "v") {
        value = read_json_value_or_list(json_, values());
        if (!value) return;
      } else {
        json_.skip_value();
      }
    }
    if (json_.failed()) return;
    if (!kind) return fail_missing("t", "operation");
    if (!key) return fail_missing("k", "operation");
    add(*kind, *key, value.value_or(ValuePool::nil), start);
  }

  void add(OperationKind kind, ValueId key, ValueId value, std::uint64_t start) {
    const bool list = values().kind(value) == ValueKind::list;
    const bool zero = values().kind(value) == ValueKind::integer && values().integer_of(value) == 0;
    if (kind == OperationKind::read) {
      read_zero_ |= zero;
      read_nil_ |= value == ValuePool::nil;
      if (list) kind = OperationKind::list_read;
    } else {
      wrote_zero_ |= zero;
      if (list) {
        json_.fail_at(start, "expected one value to be written, found a list");
        return;
      }
      if (kind == OperationKind::append && value == ValuePool::nil) {
        json_.fail_at(start, "expected an element to be appended, found none");
        return;
      }
    }
    lists_ |= list || kind == OperationKind::append;
    builder_.add(kind, builder_.key(key), value);
  }

  JsonReader json_;
  const ReadOptions& options_;
  std::int64_t factor_;
  HistoryBuilder builder_;
  bool factor_too_small_ = false;
  bool lists_ = false;
  bool read_zero_ = false;
  bool wrote_zero_ = false;
  bool read_nil_ = false;
};

}  // namespace

/// An array whose first object has a timestamp or operations as Chronos writes them; the object may
/// be longer than what is seen of it.
bool looks_like_chronos(const Head& head) {
  if (!head.text().starts_with('[')) return false;
  const Source copy = Source::from_memory(head.source.name(), std::string(head.text()));
  auto input = copy.open_file(0);
  if (!input) return false;
  JsonReader json(*input);
  if (!json.begin_array() || !json.next_element() || !json.begin_object()) return false;
  while (const auto name = json.next_member()) {
    if (*name == "sts" || *name == "cts") return json.peek() == JsonReader::Kind::object;
    if (*name == "ops") {
      if (!json.begin_array()) return false;
      while (json.next_element()) {
        if (!json.begin_object()) return false;
        const auto member = json.next_member();
        return member == "t" || member == "k" || member == "v";
      }
    } else {
      json.skip_value();
    }
  }
  return false;
}

Result<History> read_chronos(const Source& source, const ReadOptions& options) {
  for (const std::int64_t factor : factors) {
    ISOSCOPE_TRY(input, open_single_file(source));
    ChronosReader reader(input, options, factor);
    auto history = reader.read();
    if (!reader.factor_too_small() || factor == factors.back()) return history;
  }
  ISOSCOPE_ENSURE(false);
  return Error{};
}

}  // namespace isoscope::format
