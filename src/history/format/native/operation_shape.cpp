#include "history/format/native/operation_shape.h"

#include <algorithm>
#include <cstring>

#include "history/format/native/plain_integer.h"

namespace isoscope::format {

namespace {

constexpr std::size_t word_length = 5;  // ["r",

bool starts_with_read_or_write(std::string_view text) {
  return text.starts_with("[\"r\",") || text.starts_with("[\"w\",");
}

/// Walks over the operation that a shape is made from. Its text may end anywhere.
class Walk {
 public:
  explicit Walk(std::string_view text) : rest_(text) {}

  bool take(std::string_view piece) {
    if (!rest_.starts_with(piece)) return false;
    piece_ += piece;
    rest_.remove_prefix(piece.size());
    return true;
  }
  /// A string in which nothing is escaped and every character is ASCII.
  bool take_name(std::string& name) {
    if (!rest_.starts_with('"')) return false;
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] >= ' ' && rest_[end] != '"' && rest_[end] != '\\')
      ++end;
    if (end == rest_.size() || rest_[end] != '"') return false;
    name = rest_.substr(1, end - 1);
    return take(rest_.substr(0, end + 1));
  }
  /// The piece before it is complete.
  bool take_integer() {
    if (rest_.size() <= plain_integer_length) return false;
    const char* at = rest_.data();
    std::int64_t value = 0;
    if (!take_plain_integer(at, value)) return false;
    rest_.remove_prefix(static_cast<std::size_t>(at - rest_.data()));
    end_piece();
    return true;
  }
  std::vector<std::string> pieces() && {
    end_piece();
    return std::move(pieces_);
  }

 private:
  void end_piece() {
    pieces_.push_back(piece_);
    piece_.clear();
  }

  std::string_view rest_;
  std::string piece_;
  std::vector<std::string> pieces_;
};

bool take_key(Walk& walk, std::string& table) {
  if (!walk.take("[")) return walk.take_integer();
  return walk.take_name(table) && walk.take(",") && walk.take_integer() && walk.take("]");
}

bool take_value(Walk& walk, std::vector<std::string>& columns) {
  if (!walk.take("{")) return walk.take_integer();
  do {
    std::string name;
    if (columns.size() == OperationShape::max_columns || !walk.take_name(name)) return false;
    // The JSON reader complains about these.
    if (name.starts_with('@') || std::ranges::count(columns, name) != 0) return false;
    columns.push_back(std::move(name));
    if (!walk.take(":") || !walk.take_integer()) return false;
  } while (walk.take(","));
  return walk.take("}");
}

}  // namespace

std::optional<OperationShape> OperationShape::of(std::string_view text) {
  if (!starts_with_read_or_write(text)) return std::nullopt;
  OperationShape shape;
  Walk walk(text.substr(word_length));
  if (!take_key(walk, shape.table_) || !walk.take(",")) return std::nullopt;
  if (!take_value(walk, shape.columns_) || !walk.take("]")) return std::nullopt;
  shape.pieces_ = std::move(walk).pieces();
  shape.max_length_ = word_length + 1;  // an integer is looked at until one byte after it
  for (const std::string& piece : shape.pieces_) {
    shape.max_length_ += piece.size() + plain_integer_length;
  }
  return shape;
}

std::size_t OperationShape::match(std::string_view text, std::int64_t* integers) const {
  if (text.size() < max_length_ || !starts_with_read_or_write(text)) return 0;
  const char* at = text.data() + word_length;
  for (const std::string& piece : pieces_) {
    if (std::memcmp(at, piece.data(), piece.size()) != 0) return 0;
    at += piece.size();
    if (&piece != &pieces_.back() && !take_plain_integer(at, *integers++)) return 0;
  }
  return static_cast<std::size_t>(at - text.data());
}

}  // namespace isoscope::format
