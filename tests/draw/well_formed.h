#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isoscope {

/// What is wrong with an XML document of our kind (no processing instructions, comments or CDATA),
/// or nothing: tags must nest, attributes must be quoted, and every ampersand must start one of the
/// four entities we write.
inline std::string xml_problem(std::string_view text) {
  std::vector<std::string> open;
  bool had_root = false;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] != '<') {
      if (text[i] == '>') return "a stray >";
      if (open.empty() && text[i] != '\n') return "text outside of the root";
      if (text[i] == '&') {
        const std::string_view rest = text.substr(i);
        if (!rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;") &&
            !rest.starts_with("&quot;")) {
          return "a stray &";
        }
      }
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    bool quoted = false;
    while (end < text.size() && (quoted || text[end] != '>')) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "a < within a tag";
      ++end;
    }
    if (end == text.size()) return "a tag that does not end";
    std::string_view tag = text.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "</" + std::string(tag.substr(1));
      open.pop_back();
      continue;
    }
    if (open.empty() && had_root) return "a second root";
    had_root = true;
    const bool closed = tag.ends_with('/');
    if (closed) tag.remove_suffix(1);
    if (!closed) open.emplace_back(tag.substr(0, tag.find(' ')));
  }
  if (!open.empty()) return "<" + open.back() + "> is not closed";
  return had_root ? "" : "nothing";
}

}  // namespace isoscope
