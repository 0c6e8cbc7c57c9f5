#include "isoscope/base/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "isoscope/base/utf8.h"

namespace isoscope {

void append_json_string(std::string& to, std::string_view text) {
  to.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        to += "\\\"";
        break;
      case '\\':
        to += "\\\\";
        break;
      case '\n':
        to += "\\n";
        break;
      case '\r':
        to += "\\r";
        break;
      case '\t':
        to += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char escaped[8];
          std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
          to += escaped;
        } else {
          to.push_back(c);
        }
    }
  }
  to.push_back('"');
}

std::string quoted_for_message(std::string_view text) {
  constexpr std::size_t longest = 24;
  std::size_t length = 0;
  while (length < text.size() && length < longest) {
    length += std::max<std::size_t>(1, utf8_length(text, length));
  }
  std::string quoted;
  append_json_string(quoted, text.substr(0, length));
  if (length < text.size()) quoted += "...";
  return quoted;
}

void append_integer(std::string& to, std::int64_t value) {
  char digits[24];
  const auto written = std::to_chars(digits, digits + sizeof digits, value);
  to.append(digits, written.ptr);
}

void JsonWriter::new_line() {
  if (style_ == Style::compact) return;
  text_.push_back('\n');
  text_.append(static_cast<std::size_t>(depth_) * 2, ' ');
}

void JsonWriter::before_value() {
  if (after_name_) {
    after_name_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!first_) text_.push_back(',');
  first_ = false;
  new_line();
}

JsonWriter& JsonWriter::open(char bracket) {
  before_value();
  text_.push_back(bracket);
  ++depth_;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  text_.push_back(bracket);
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::member(std::string_view name) {
  before_value();
  append_json_string(text_, name);
  text_ += style_ == Style::compact ? ":" : ": ";
  after_name_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  before_value();
  append_json_string(text_, text);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  before_value();
  append_integer(text_, value);
  return *this;
}

JsonWriter& JsonWriter::decimal(double value, int digits) {
  before_value();
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  text_ += text;
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  before_value();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  text_ += "null";
  return *this;
}

}  // namespace isoscope
