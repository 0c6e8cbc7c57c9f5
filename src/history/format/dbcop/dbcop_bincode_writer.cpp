#include <algorithm>
#include <string>

#include "history/format/dbcop/dbcop_header.h"
#include "history/format/dbcop/formats.h"
#include "history/format/shared/integer_registers.h"

/// The reverse of dbcop_bincode.cpp. What bincode has no place for is refused, except for names:
/// bincode knows sessions and transactions by their position. docs/formats/dbcop.md
namespace isoscope::format {

namespace {

constexpr std::string_view format_title = "dbcop bincode";
constexpr std::size_t flush_size = std::size_t{64} << 10;

class Writer {
 public:
  explicit Writer(ByteSink& sink) : sink_(sink) {}

  void number(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<char>(number >> shift & 0xFF));
    }
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_.append(text);
  }
  void flag(bool value) { bytes_.push_back(value ? 1 : 0); }

  Status flush_if_full() { return bytes_.size() < flush_size ? Status(Done{}) : flush(); }
  Status flush() {
    ISOSCOPE_TRY_STATUS(sink_.write(bytes_));
    bytes_.clear();
    return Done{};
  }

 private:
  ByteSink& sink_;
  std::string bytes_;
};

/// The header the history once had, or one as dbcop would generate it.
DbcopHeader header_of(const History& history) {
  if (std::optional<DbcopHeader> header = header_from_origin(history.origin()))
    return *std::move(header);
  DbcopHeader header;
  header.n_node = history.session_count();
  header.n_variable = history.key_count();
  for (const SessionId s : history.sessions()) {
    header.n_transaction = std::max<std::uint64_t>(header.n_transaction, history.session(s).size());
  }
  for (const TransactionId t : history.transactions()) {
    header.n_event = std::max<std::uint64_t>(header.n_event, history.operations(t).size());
  }
  header.info = history.origin();
  // dbcop insists on a date, and this is the one that says nothing.
  header.start = header.end = "1970-01-01T00:00:00+00:00";
  return header;
}

}  // namespace

Status write_dbcop_bincode(const History& history, ByteSink& sink) {
  ISOSCOPE_TRY_STATUS(require_integer_registers(history, format_title));
  const ValuePool& values = history.values();
  Writer out(sink);
  const DbcopHeader header = header_of(history);
  for (const std::uint64_t number :
       {header.id, header.n_node, header.n_variable, header.n_transaction, header.n_event}) {
    out.number(number);
  }
  for (const std::string& text : {header.info, header.start, header.end}) out.text(text);
  out.number(history.session_count());
  for (const SessionId s : history.sessions()) {
    out.number(history.session(s).size());
    for (const TransactionId t : history.session(s)) {
      out.number(history.operations(t).size());
      for (const Operation& operation : history.operations(t)) {
        out.flag(operation.kind() == OperationKind::write);
        out.number(unsigned_of(values.integer_of(history.key_name(operation.key()))));
        out.number(unsigned_of(values.integer_of(operation.value())));
        out.flag(true);
      }
      out.flag(history.outcome(t) == Outcome::committed);
      ISOSCOPE_TRY_STATUS(out.flush_if_full());
    }
  }
  return out.flush();
}

}  // namespace isoscope::format
