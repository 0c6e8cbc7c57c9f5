#include "history/format/jepsen/edn_spelling.h"

#include "history/format/jepsen/edn.h"
#include "history/format/jepsen/term.h"
#include "isoscope/base/source.h"

namespace isoscope::format {

namespace {

/// Is it one vector, written as append_canonical_edn() writes it?
bool is_canonical_vector(std::string_view text) {
  // In brackets of its own, since those around a whole file are not part of any form.
  const Source source = Source::from_memory("key", "[" + std::string(text) + "]");
  Result<ByteReader> input = source.open_file(0);
  if (!input) return false;
  EdnReader reader(*input);
  TermTree tree;
  const Result<bool> found = reader.next(tree);
  if (!found || !*found || !tree.root().is(TermKind::vector)) return false;
  std::string canonical;
  return append_canonical_edn(canonical, tree.root(), text.size()) && canonical == text;
}

}  // namespace

bool append_edn_value(std::string& to, std::string_view text) {
  if (text.starts_with(':')) {
    to += text;
    return is_edn_keyword(text);
  }
  append_edn_string(to, text);
  return true;
}

bool append_edn_key(std::string& to, std::string_view text) {
  if (text.starts_with('[')) {
    to += text;
    return is_canonical_vector(text);
  }
  return text.find_first_of("({#") != 0 && append_edn_value(to, text);
}

}  // namespace isoscope::format
