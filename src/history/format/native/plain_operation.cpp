#include "history/format/native/plain_operation.h"

#include "history/format/native/plain_integer.h"

namespace isoscope::format {

static_assert(sizeof("[\"w\",,]") + 2 * plain_integer_length <= PlainOperation::max_length,
              "the end of the text need not be looked for");

std::optional<PlainOperation> find_plain_operation(std::string_view text) {
  if (text.size() < PlainOperation::max_length) return std::nullopt;
  const bool is_write = text.starts_with("[\"w\",");
  if (!is_write && !text.starts_with("[\"r\",")) return std::nullopt;
  PlainOperation found{is_write, 0, 0, 0};
  const char* at = text.data() + 5;
  if (!take_plain_integer(at, found.key) || *at++ != ',') return std::nullopt;
  if (!take_plain_integer(at, found.value) || *at++ != ']') return std::nullopt;
  found.length = static_cast<std::size_t>(at - text.data());
  return found;
}

}  // namespace isoscope::format
