#include <string>
#include <vector>

#include "history/format/checkers/formats.h"
#include "history/format/shared/integer_registers.h"

/// The reverse of plume.cpp, transaction by transaction in the order of the history. What the text
/// has no place for is refused; what it has no names for is renamed. docs/formats/plume.md
namespace isoscope::format {

namespace {

constexpr std::string_view format_title = "Plume text";
constexpr std::size_t flush_size = std::size_t{64} << 10;

/// The number of each session and committed transaction in the text.
struct Numbers {
  std::vector<std::uint64_t> session;
  std::vector<std::uint64_t> transaction;
};

/// Would the text's reader take the transaction for the spelled-out initial state?
bool passes_for_initial(const History& history, TransactionId t) {
  if (history.session(history.session_of(t)).front() != t) return false;
  for (const Operation& operation : history.operations(t)) {
    if (operation.kind() != OperationKind::write ||
        history.values().integer_of(operation.value()) != 0) {
      return false;
    }
  }
  return true;
}

/// Names that are numbers stay; if one is not, all become 1, 2, 3...
Numbers numbers_of(const History& history) {
  Numbers numbers;
  const auto number_of = [&](ValueId name) -> std::optional<std::uint64_t> {
    if (history.values().kind(name) != ValueKind::integer) return std::nullopt;
    const std::int64_t number = history.values().integer_of(name);
    return number < 0 ? std::nullopt : std::optional(unsigned_of(number));
  };
  bool usable = true;
  for (const SessionId s : history.sessions()) {
    const auto number = number_of(history.session_name(s));
    usable = usable && number;
    numbers.session.push_back(number.value_or(0));
  }
  for (const TransactionId t : history.transactions()) {
    const bool committed = history.outcome(t) == Outcome::committed;
    const std::optional<std::uint64_t> number = committed ? number_of(history.name(t)) : 0;
    usable = usable && number;
    numbers.transaction.push_back(number.value_or(0));
    if (committed && number == 0 && numbers.session[history.session_of(t).index()] == 0 &&
        passes_for_initial(history, t)) {
      usable = false;
    }
  }
  if (!usable) {
    std::uint64_t next = 1;
    for (std::uint64_t& number : numbers.session) number = next++;
    next = 1;
    for (std::uint64_t& number : numbers.transaction) number = next++;
  }
  return numbers;
}

Status require_operations(const History& history) {
  for (const SessionId s : history.sessions()) {
    if (history.session(s).empty()) {
      return cannot_write(format_title, "session " + std::to_string(s.index() + 1) +
                                            " has no transactions, and it has only operations");
    }
  }
  for (const TransactionId t : history.transactions()) {
    if (history.operations(t).empty()) {
      return cannot_write(format_title,
                          history.label(t) + " has no operations, and it has nothing else");
    }
  }
  return Done{};
}

}  // namespace

Status write_plume(const History& history, ByteSink& sink) {
  ISOSCOPE_TRY_STATUS(require_integer_registers(history, format_title));
  ISOSCOPE_TRY_STATUS(require_operations(history));
  const Numbers numbers = numbers_of(history);
  const ValuePool& values = history.values();
  std::string text;
  for (const TransactionId t : history.transactions()) {
    const std::string session = std::to_string(numbers.session[history.session_of(t).index()]);
    const std::string transaction = history.outcome(t) == Outcome::committed
                                        ? std::to_string(numbers.transaction[t.index()])
                                        : std::string("-1");
    for (const Operation& operation : history.operations(t)) {
      text += operation.kind() == OperationKind::write ? "w(" : "r(";
      text += std::to_string(unsigned_of(values.integer_of(history.key_name(operation.key()))));
      text += ',';
      text += std::to_string(unsigned_of(values.integer_of(operation.value())));
      ((((text += ',') += session) += ',') += transaction) += ")\n";
    }
    if (text.size() < flush_size) continue;
    ISOSCOPE_TRY_STATUS(sink.write(text));
    text.clear();
  }
  return sink.write(text);
}

}  // namespace isoscope::format
