#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "history/format/dbcop/dbcop_header.h"
#include "history/format/dbcop/formats.h"
#include "history/format/shared/integer_registers.h"
#include "isoscope/base/utf8.h"
#include "isoscope/history/history_builder.h"

/// dbcop's histories as Rust's bincode lays them out: no marks, only lengths and fields, so every
/// length is checked against what is there, and nothing is allocated because a file says so.
/// docs/formats/dbcop.md
namespace isoscope::format {

namespace {

constexpr std::size_t event_size = 1 + 8 + 8 + 1;
constexpr std::size_t group_size = 32;  // events whose values are asked for together
constexpr std::size_t block_size = std::size_t{64} << 10;

/// The kind of things that a file gives the number of, and the minimum number of bytes of one of
/// them.
struct Counted {
  std::string_view number;
  std::string_view things;
  std::size_t size;
};
constexpr Counted sessions{"a number of sessions", "sessions", 8};
constexpr Counted transactions{"a number of transactions", "transactions", 8 + 1};
constexpr Counted events{"a number of events", "events", event_size};

std::uint64_t u64_at(const char* bytes) {
  std::uint64_t number;
  std::memcpy(&number, bytes, sizeof number);
  if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap64(number);
  return number;
}

class Reader {
 public:
  explicit Reader(ByteReader& input) : input_(input) {}

  Result<DbcopHeader> header();
  Result<History> history(const ReadOptions& options);

 private:
  Error expected(std::uint64_t byte, std::string_view what, const std::string& found) const {
    return input_.error_at_byte(byte, "expected " + std::string(what) + ", found " + found);
  }
  Result<std::uint64_t> number(std::string_view what);
  Result<std::string> text(std::string_view what);
  /// How many elements follow. An Error if the buffer shows that the file is too short for them.
  Result<std::uint64_t> count(const Counted& what);
  Result<bool> flag(std::string_view what);
  Status transaction();
  Status add_events(std::uint64_t count);

  ByteReader& input_;
  HistoryBuilder builder_;
};

Result<std::uint64_t> Reader::number(std::string_view what) {
  const std::string_view seen = input_.window(8);
  if (seen.size() < 8) return expected(input_.offset() + seen.size(), what, "the end of the file");
  const std::uint64_t value = u64_at(seen.data());
  input_.skip(8);
  return value;
}

Result<std::string> Reader::text(std::string_view what) {
  const std::uint64_t start = input_.offset();
  ISOSCOPE_TRY(length, number(what));
  if (length > ByteReader::max_window) {
    return expected(start, std::string(what) + " of at most 64 MiB",
                    std::to_string(length) + " bytes");
  }
  std::string text;
  while (text.size() < length) {
    const std::size_t wanted = std::min<std::size_t>(length - text.size(), block_size);
    const std::string_view seen = input_.window(wanted);
    if (seen.size() < wanted) {
      return expected(start, std::string(what) + " of " + std::to_string(length) + " bytes",
                      "the end of the file after " + std::to_string(text.size() + seen.size()));
    }
    text.append(seen.substr(0, wanted));
    input_.skip(wanted);
  }
  if (const std::size_t invalid = find_invalid_utf8(text); invalid != std::string_view::npos) {
    return expected(start + 8 + invalid, "valid UTF-8",
                    "byte " + std::to_string(static_cast<unsigned char>(text[invalid])));
  }
  return text;
}

Result<std::uint64_t> Reader::count(const Counted& what) {
  const std::uint64_t start = input_.offset();
  ISOSCOPE_TRY(count, number(what.number));
  // This looks only as far as the buffer reaches; a larger count that is wrong meets the end of the
  // file later.
  const std::uint64_t reachable = block_size / what.size;
  const std::size_t wanted = what.size * static_cast<std::size_t>(std::min(count, reachable));
  const std::size_t left = input_.window(wanted).size();
  if (left < wanted) {
    return expected(start, std::to_string(count) + " " + std::string(what.things),
                    "the end of the file at byte " + std::to_string(input_.offset() + left));
  }
  return count;
}

Result<bool> Reader::flag(std::string_view what) {
  const std::uint64_t at = input_.offset();
  const int byte = input_.get();
  if (byte < 0) return expected(at, std::string(what) + ", 0 or 1", "the end of the file");
  if (byte > 1) return expected(at, std::string(what) + ", 0 or 1", std::to_string(byte));
  return byte == 1;
}

Result<DbcopHeader> Reader::header() {
  ISOSCOPE_TRY(id, number("the history's number"));
  ISOSCOPE_TRY(n_node, number("its number of nodes"));
  ISOSCOPE_TRY(n_variable, number("its number of variables"));
  ISOSCOPE_TRY(n_transaction, number("its number of transactions"));
  ISOSCOPE_TRY(n_event, number("its number of events"));
  ISOSCOPE_TRY(info, text("a description"));
  ISOSCOPE_TRY(start, text("a start time"));
  ISOSCOPE_TRY(end, text("an end time"));
  return DbcopHeader{id,      n_node,          n_variable,       n_transaction,
                     n_event, std::move(info), std::move(start), std::move(end)};
}

Status Reader::add_events(std::uint64_t count) {
  ValuePool& values = builder_.values();
  while (count != 0) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, group_size));
    const std::string_view seen = input_.window(wanted * event_size);
    if (seen.size() < event_size) {
      return expected(input_.offset() + seen.size(), std::to_string(count) + " more events",
                      "the end of the file");
    }
    const std::size_t whole = std::min(wanted, seen.size() / event_size);
    const char* const end = seen.data() + whole * event_size;
    for (const char* event = seen.data(); event != end; event += event_size) {
      values.prefetch_integer(signed_of(u64_at(event + 9)));
    }
    for (const char* event = seen.data(); event != end; event += event_size) {
      const auto is_write = static_cast<unsigned char>(event[0]);
      const auto succeeded = static_cast<unsigned char>(event[17]);
      if (is_write > 1 || succeeded > 1) {
        const char* const wrong = is_write > 1 ? event : event + 17;
        return expected(input_.offset() + static_cast<std::size_t>(wrong - seen.data()),
                        is_write > 1 ? "read or write, 0 or 1" : "an event's success, 0 or 1",
                        std::to_string(static_cast<unsigned char>(*wrong)));
      }
      if (succeeded == 0) continue;
      builder_.add(is_write != 0 ? OperationKind::write : OperationKind::read,
                   builder_.key(signed_of(u64_at(event + 1))),
                   values.integer(signed_of(u64_at(event + 9))));
    }
    input_.skip(whole * event_size);
    count -= whole;
  }
  return Done{};
}

Status Reader::transaction() {
  ISOSCOPE_TRY(event_count, count(events));
  ISOSCOPE_TRY_STATUS(add_events(event_count));
  ISOSCOPE_TRY(committed, flag("a transaction's success"));
  if (!committed) builder_.set_outcome(Outcome::aborted);
  return Done{};
}

Result<History> Reader::history(const ReadOptions& options) {
  ISOSCOPE_TRY(header, this->header());
  builder_.set_origin(origin_of(header));
  builder_.set_initial_default(builder_.values().integer(0));
  ISOSCOPE_TRY(session_count, count(sessions));
  for (std::uint64_t s = 0; s < session_count; ++s) {
    const SessionId session = builder_.add_session();
    ISOSCOPE_TRY(transaction_count, count(transactions));
    for (std::uint64_t t = 0; t < transaction_count; ++t) {
      ISOSCOPE_TRY_STATUS(keep_going(options, input_));
      builder_.begin_transaction(session);
      ISOSCOPE_TRY_STATUS(transaction());
    }
  }
  if (!input_.at_end()) {
    return expected(input_.offset(), "the end of the file after the last session", "more bytes");
  }
  ISOSCOPE_TRY_STATUS(input_.stream_status());
  return std::move(builder_).finish();
}

/// The only file, or the one history.bincode of a folder, where dbcop puts it beside its results.
std::optional<std::size_t> bincode_file(const Source& source) {
  if (!source.is_folder()) return 0;
  std::optional<std::size_t> found;
  for (std::size_t file = 0; file < source.file_count(); ++file) {
    const std::string_view path = source.file_name(file);
    if (path.substr(path.rfind('/') + 1) != "history.bincode") continue;
    if (found) return std::nullopt;
    found = file;
  }
  return found;
}

}  // namespace

bool looks_like_dbcop_bincode(const Head& head) {
  const std::optional<std::size_t> file = bincode_file(head.source);
  if (!file || is_tar_archive(head.bytes)) return false;
  if (head.source.is_folder() && !stand_in(head.source, std::span(&*file, 1))) return false;
  Result<ByteReader> input = head.source.open_file(*file);
  if (!input) return false;
  // Eight bytes of text are a number far above what anybody generates.
  constexpr std::uint64_t plausible = std::uint64_t{1} << 40;
  const Result<DbcopHeader> header = Reader(*input).header();
  return header && header->n_node < plausible && header->n_variable < plausible &&
         header->n_transaction < plausible && header->n_event < plausible;
}

Result<History> read_dbcop_bincode(const Source& source, const ReadOptions& options) {
  const std::optional<std::size_t> file = bincode_file(source);
  if (!file) return Error{"expected one history.bincode in the folder " + source.name()};
  ISOSCOPE_TRY(input, source.open_file(*file));
  return Reader(input).history(options);
}

}  // namespace isoscope::format
