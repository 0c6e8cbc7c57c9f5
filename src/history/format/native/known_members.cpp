#include "history/format/native/known_members.h"

#include "isoscope/base/json_writer.h"
#include "isoscope/base/words.h"

namespace isoscope::format {

namespace {

std::string in_json(std::string_view name) {
  std::string text;
  append_json_string(text, name);
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
    json_.fail_found(listed(names_, " or ", in_json), *name);
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
