#include "history/format/jepsen/edn.h"
#include "history/format/jepsen/formats.h"
#include "history/format/jepsen/jepsen.h"
#include "history/format/jepsen/locate.h"
#include "history/format/jepsen/operation_log_reader.h"

namespace isoscope::format {

namespace {

/// The text without white space and comments at its front.
std::string_view without_blanks(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f,"), text.size()));
    if (!text.starts_with(';')) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

}  // namespace

/// A map whose first key is a keyword, perhaps tagged, perhaps in a vector or list; or "()".
bool looks_like_edn(const Head& head) {
  std::string_view text = without_blanks(head.text());
  if (text.starts_with('[') || text.starts_with('(')) {
    const bool list = text.starts_with('(');
    text = without_blanks(text.substr(1));
    if (list && text.starts_with(')')) return true;
  }
  if (text.starts_with('#')) {
    text.remove_prefix(std::min(text.find_first_of("{ \t\r\n\"()[]};,"), text.size()));
    text = without_blanks(text);
  }
  return text.starts_with('{') && without_blanks(text.substr(1)).starts_with(':');
}

bool are_empty_brackets(std::string_view text) {
  text = without_blanks(text);
  if (!text.starts_with('[') && !text.starts_with('(')) return false;
  text = without_blanks(text.substr(1));
  return (text.starts_with(']') || text.starts_with(')')) && without_blanks(text.substr(1)).empty();
}

namespace {

/// Gives each form of the file to a reader of logs.
template <class Reader>
auto read_forms(const Source& source, const ReadOptions& options)
    -> decltype(std::declval<Reader>().finish()) {
  ISOSCOPE_TRY(input, open_single_file(source));
  EdnReader forms(input);
  Reader reader(source, input.name(), Notation::edn, options.time_from);
  TermTree tree;
  for (;;) {
    Result<bool> more = forms.next(tree);
    if (!more) return located(source, std::move(more).error());
    if (!*more) break;
    if (Status status = reader.add(tree.root()); !status)
      return located(source, std::move(status).error());
    ISOSCOPE_TRY_STATUS(keep_going(options, input));
  }
  auto result = std::move(reader).finish();
  if (!result) return located(source, std::move(result).error());
  return result;
}

}  // namespace

Result<History> read_edn(const Source& source, const ReadOptions& options) {
  return read_forms<JepsenReader>(source, options);
}

Result<OperationLog> read_edn_log(const Source& source, const ReadOptions& options) {
  return read_forms<OperationLogReader>(source, options);
}

}  // namespace isoscope::format
