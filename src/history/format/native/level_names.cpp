#include "history/format/native/level_names.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "history/format/native/json_array.h"
#include "history/format/native/known_members.h"
#include "history/format/shared/json_value.h"

namespace isoscope::format {

namespace {

enum Member : std::size_t { member_default, member_sessions };
constexpr std::array<std::string_view, 2> members = {"default", "sessions"};

constexpr std::string_view expected_levels =
    "the levels: the name of one, or {\"default\":LEVEL,\"sessions\":[[SESSION,LEVEL],...]}";

}  // namespace

std::optional<LevelId> LevelNames::read() {
  const auto name = json_.string("the name of a level");
  if (!name) return std::nullopt;
  if (const auto known = known_.find(*name); known != known_.end()) return known->second;
  Result<LevelId> level = find_recorded_level(*name);
  if (level) return known_.emplace(*name, *level).first->second;
  json_.fail(level.error().what);
  return std::nullopt;
}

void LevelNames::read_of_header() {
  if (json_.peek() == JsonReader::Kind::string) {
    if (const auto level = read()) builder_.set_default_level(*level);
    return;
  }
  if (!json_.begin_object(expected_levels)) return;
  KnownMembers found(json_, members);
  while (const auto member = found.next()) {
    if (*member == member_sessions) {
      read_of_sessions();
    } else if (const auto level = read()) {
      builder_.set_default_level(*level);
    }
  }
}

void LevelNames::read_of_sessions() {
  constexpr std::string_view pair = "[SESSION,LEVEL]";
  std::unordered_set<ValueId> named;
  json_.begin_array("an array of [SESSION,LEVEL]");
  while (json_.next_element()) {
    if (!json_.begin_array(pair) || !expect_element(json_, "the name of a session")) return;
    const std::uint64_t start = json_.next_offset();
    const auto name = read_json_name(json_, builder_.values());
    if (!name || !expect_element(json_, "the name of a level")) return;
    if (!named.insert(*name).second) {
      json_.fail_at(start, "expected each session once, found " +
                               name_for_message(builder_.values(), *name) + " again");
      return;
    }
    const auto level = read();
    if (!level || !expect_no_element(json_, pair)) return;
    of_sessions_.emplace_back(*name, *level);
  }
}

void LevelNames::apply_to_sessions() {
  for (const auto& [name, level] : of_sessions_) {
    builder_.set_session_level(builder_.session(name), level);
  }
}

}  // namespace isoscope::format
