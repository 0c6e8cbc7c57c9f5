#include <charconv>
#include <limits>
#include <string>

#include "history/format/dbcop/dbcop_versions.h"
#include "history/format/dbcop/formats.h"
#include "history/format/shared/line_scanner.h"
#include "isoscope/base/utf8.h"

/// dbcop's text for people:
///
///   // session 1
///   [x:=1 y:=2] [y==2 x:=3]      two transactions; := writes, == reads
///   ---
///   [x==? y==2]!                 reads nothing of x; not committed
///
/// docs/formats/dbcop.md
namespace isoscope::format {

namespace {

constexpr std::uint64_t largest_version = std::numeric_limits<std::int64_t>::max();

bool is_variable_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// A variable that is a plain number is that number, as dbcop's JSON would have it.
ValueId variable_named(ValuePool& values, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool canonical = text == "0" || !text.starts_with('0');
  if (problem == std::errc() && end == text.data() + text.size() && canonical)
    return values.integer(number);
  return values.string(text);
}

Status parse_event(LineScanner& line, DbcopVersions& versions) {
  line.skip_spaces();
  const std::size_t start = line.place();
  const std::string_view name = line.word(is_variable_part);
  if (name.empty()) return line.expected("a variable or ']'");
  if (const std::size_t invalid = find_invalid_utf8(name); invalid != std::string_view::npos) {
    return line.expected_at(start + invalid, "valid UTF-8");
  }
  const ValueId variable = variable_named(versions.values(), name);
  OperationKind kind = OperationKind::read;
  ValueId value = ValuePool::nil;
  if (!line.take("==?")) {
    if (line.take(":=")) {
      kind = OperationKind::write;
    } else if (!line.take("==")) {
      return line.expected("':=' or '=='");
    }
    ISOSCOPE_TRY(version, line.number("a version", largest_version));
    value = versions.values().integer(static_cast<std::int64_t>(version));
  }
  versions.add(kind, variable, value);
  const char next = line.peek();
  if (next != ' ' && next != '\t' && next != ']' && !line.at_end())
    return line.expected("a space or ']'");
  return Done{};
}

Status parse_transaction(LineScanner& line, DbcopVersions& versions) {
  if (!line.take("[")) return line.expected("'[', a line of - or a comment");
  versions.begin_transaction();
  while (!line.take("]")) {
    if (line.at_end()) return line.expected("']'");
    ISOSCOPE_TRY_STATUS(parse_event(line, versions));
  }
  if (line.peek() == '!') {
    line.take("!");
    versions.set_aborted();
  }
  return Done{};
}

}  // namespace

bool looks_like_dbcop_hist(const Head& head) {
  return first_line_fits(head, [](LineScanner& line) -> std::optional<bool> {
    if (line.take("//")) return std::nullopt;
    if (line.take_rule('-')) {
      if (!line.at_end()) return false;
      return std::nullopt;
    }
    DbcopVersions versions;
    versions.begin_session();
    return bool(parse_transaction(line, versions));
  });
}

Result<History> read_dbcop_hist(const Source& source, const ReadOptions& options) {
  ISOSCOPE_TRY(input, open_single_file(source));
  LineScanner line(input);
  DbcopVersions versions;
  versions.begin_session();
  for (;;) {
    ISOSCOPE_TRY_STATUS(keep_going(options, input));
    ISOSCOPE_TRY(more, line.next());
    if (!more) break;
    if (line.take_rule('-')) {
      ISOSCOPE_TRY_STATUS(line.expect_end());
      versions.begin_session();
      continue;
    }
    while (!line.at_end() && !line.take("//")) {
      ISOSCOPE_TRY_STATUS(parse_transaction(line, versions));
    }
  }
  return std::move(versions).finish();
}

}  // namespace isoscope::format
