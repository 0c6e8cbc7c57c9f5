#include "history/format/checkers/formats.h"
#include "history/format/shared/integer_registers.h"
#include "history/format/shared/line_scanner.h"
#include "isoscope/history/history_builder.h"

/// The small text of AWDIT's own tests:
///
///   w 0 1        key 0, value 1
///   r 1 2
///   -----        the next transaction
///   =====        the next session
///
/// Nothing is there at first: every value read was written by somebody. docs/formats/awdit.md
namespace isoscope::format {

namespace {

struct OperationLine {
  OperationKind kind;
  std::int64_t key;
  std::int64_t value;
};

Result<OperationLine> parse(LineScanner& line) {
  OperationLine result{};
  line.skip_spaces();
  const std::size_t start = line.place();
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  if (line.take("r") && is_space(line.peek())) {
    result.kind = OperationKind::read;
  } else if (line.place() == start && line.take("w") && is_space(line.peek())) {
    result.kind = OperationKind::write;
  } else {
    return line.expected_at(start, "r KEY VALUE, w KEY VALUE, a line of - or a line of =");
  }
  ISOSCOPE_TRY(key, line.number("a key"));
  if (!is_space(line.peek())) return line.expected("a space after the key");
  ISOSCOPE_TRY(value, line.number("a value"));
  ISOSCOPE_TRY_STATUS(line.expect_end());
  result.key = signed_of(key);
  result.value = signed_of(value);
  return result;
}

}  // namespace

bool looks_like_awdit(const Head& head) {
  return first_line_fits(head, [](LineScanner& line) -> std::optional<bool> {
    if (!line.take_rule('-') && !line.take_rule('=')) return bool(parse(line));
    if (!line.at_end()) return false;
    return std::nullopt;
  });
}

Result<History> read_awdit(const Source& source, const ReadOptions& options) {
  ISOSCOPE_TRY(input, open_single_file(source));
  LineScanner line(input);
  HistoryBuilder builder;
  builder.set_initial_default(std::nullopt);
  SessionId session;
  bool in_session = false;
  bool in_transaction = false;
  for (;;) {
    ISOSCOPE_TRY_STATUS(keep_going(options, input));
    ISOSCOPE_TRY(more, line.next());
    if (!more) break;
    // Rules only separate: two of them in a row, or one at an end, make nothing empty.
    if (line.take_rule('-')) {
      in_transaction = false;
      ISOSCOPE_TRY_STATUS(line.expect_end());
      continue;
    }
    if (line.take_rule('=')) {
      in_session = in_transaction = false;
      ISOSCOPE_TRY_STATUS(line.expect_end());
      continue;
    }
    ISOSCOPE_TRY(operation, parse(line));
    if (!in_session) session = builder.add_session();
    if (!in_transaction) builder.begin_transaction(session);
    in_session = in_transaction = true;
    builder.add(operation.kind, builder.key(operation.key),
                builder.values().integer(operation.value));
  }
  return std::move(builder).finish();
}

}  // namespace isoscope::format
