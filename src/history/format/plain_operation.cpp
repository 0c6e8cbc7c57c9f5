#include "history/format/plain_operation.h"

namespace isoscope::format {

namespace {

constexpr int max_digits = 18;  // so many cannot overflow
static_assert(sizeof("[\"w\",-,-]") + 2 * (max_digits + 1) <= PlainOperation::max_length,
              "the end of the text need not be looked for");

/// Moves `at` past the integer it points at; false when there is none, or one that needs a closer
/// look.
bool take_integer(const char*& at, std::int64_t& value) {
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const first = at;
  std::int64_t magnitude = 0;
  for (; *at >= '0' && *at <= '9' && at != first + max_digits; ++at) {
    magnitude = magnitude * 10 + (*at - '0');
  }
  value = negative ? -magnitude : magnitude;
  return at != first && (*first != '0' || at == first + 1);
}

}  // namespace

std::optional<PlainOperation> find_plain_operation(std::string_view text) {
  if (text.size() < PlainOperation::max_length) return std::nullopt;
  const bool is_write = text.starts_with("[\"w\",");
  if (!is_write && !text.starts_with("[\"r\",")) return std::nullopt;
  PlainOperation found{is_write, 0, 0, 0};
  const char* at = text.data() + 5;
  if (!take_integer(at, found.key) || *at++ != ',') return std::nullopt;
  if (!take_integer(at, found.value) || *at++ != ']') return std::nullopt;
  found.length = static_cast<std::size_t>(at - text.data());
  return found;
}

}  // namespace isoscope::format
