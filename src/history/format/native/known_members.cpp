#include "history/format/native/known_members.h"

#include "isoscope/base/json_writer.h"

namespace isoscope::format {

namespace {

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    append_json_string(text, names[i]);
  }
  return text;
}

}  // namespace

std::optional<std::size_t> KnownMembers::next() {
  while (const auto name = json_.next_member()) {
    if (name->starts_with("x-")) {
      if (!json_.skip_value()) return std::nullopt;
      continue;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != *name) continue;
      if (has(i)) {
        json_.fail("expected " + quoted_for_message(*name) + " once, found it again");
        return std::nullopt;
      }
      seen_ |= 1U << i;
      return i;
    }
    json_.fail_found(listed(names_), *name);
    return std::nullopt;
  }
  return std::nullopt;
}

bool KnownMembers::require(std::size_t index) {
  if (json_.failed()) return false;
  return has(index) || json_.fail_at(json_.input().offset() - 1,
                                     "expected a member " + quoted_for_message(names_[index]) +
                                         " before the end of the object, found none");
}

}  // namespace isoscope::format
