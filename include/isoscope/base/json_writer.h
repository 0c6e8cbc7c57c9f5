#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isoscope {

/// Appends text as a JSON string literal, quotes included. `text` must be valid UTF-8.
void append_json_string(std::string& to, std::string_view text);
/// The same for messages: a long text is cut short, and always one line.
std::string quoted_for_message(std::string_view text);
void append_integer(std::string& to, std::int64_t value);

/// Writes JSON into a string, front to back, commas and indentation taken care of:
///
///   JsonWriter json(JsonWriter::Style::compact);
///   json.begin_object().member("keys").integer(3).end_object();   // {"keys":3}
class JsonWriter {
 public:
  enum class Style { compact, indented };

  explicit JsonWriter(Style style) : style_(style) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& member(std::string_view name);
  JsonWriter& string(std::string_view text);
  JsonWriter& integer(std::int64_t value);
  /// A number with the given count of digits after the point.
  JsonWriter& decimal(double value, int digits);
  JsonWriter& boolean(bool value);
  JsonWriter& null();

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void before_value();
  void new_line();

  Style style_;
  std::string text_;
  int depth_ = 0;
  bool first_ = true;        // nothing written yet inside the innermost bracket
  bool after_name_ = false;  // a member's name was just written
};

}  // namespace isoscope
