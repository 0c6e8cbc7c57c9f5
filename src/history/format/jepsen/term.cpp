#include "history/format/jepsen/term.h"

#include <array>

#include "isoscope/base/json_writer.h"

namespace isoscope::format {

namespace {

std::string shortened(std::string_view text) {
  static constexpr std::size_t longest = 40;
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // whole characters only
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

std::string spelled(std::string_view name, Notation notation) {
  if (notation == Notation::edn) return ":" + std::string(name);
  return "\"" + std::string(name) + "\"";
}

std::string describe(Term term, Notation notation) {
  const bool json = notation == Notation::json;
  switch (term.kind()) {
    case TermKind::nil:
      return json ? "null" : "nil";
    case TermKind::boolean:
      return term.boolean() ? "true" : "false";
    case TermKind::integer:
      return std::to_string(term.integer());
    case TermKind::number:
    case TermKind::symbol:
      return shortened(term.text());
    case TermKind::string: {
      std::string text;
      append_edn_string(text, shortened(term.text()));
      return text;
    }
    case TermKind::character:
      return "\\" + std::string(term.text());
    case TermKind::keyword:
      return ":" + shortened(term.text());
    case TermKind::list:
      return "a list";
    case TermKind::vector:
      return json ? "an array" : "a vector";
    case TermKind::map:
      return json ? "an object" : "a map";
    case TermKind::set:
      return "a set";
    case TermKind::tagged:
      return "a form tagged #" + shortened(term.text());
  }
  return {};
}

void append_edn_string(std::string& to, std::string_view text) {
  static constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
  static constexpr std::string_view letters = "\"\\bfnrt";
  static constexpr std::array digits = {'0', '1', '2', '3', '4', '5', '6', '7',
                                        '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  to += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t at = escaped.find(c); at != std::string_view::npos) {
      to += '\\';
      to += letters[at];
    } else if (byte < 0x20 || byte == 0x7F) {
      to += "\\u00";
      to += digits[byte >> 4];
      to += digits[byte & 15];
    } else {
      to += c;
    }
  }
  to += '"';
}

bool append_canonical_edn(std::string& to, Term term, std::size_t limit) {
  switch (term.kind()) {
    case TermKind::nil:
      to += "nil";
      break;
    case TermKind::integer:
      append_integer(to, term.integer());
      break;
    case TermKind::string:
      append_edn_string(to, term.text());
      break;
    case TermKind::keyword:
      (to += ':') += term.text();
      break;
    case TermKind::list:
    case TermKind::vector: {
      to += '[';
      bool first = true;
      for (const Term child : term) {
        if (!first) to += ' ';
        first = false;
        if (!append_canonical_edn(to, child, limit)) return false;
      }
      to += ']';
      break;
    }
    default:
      return false;
  }
  return to.size() <= limit;
}

}  // namespace isoscope::format
