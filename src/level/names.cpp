#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "isoscope/base/suggestion.h"
#include "isoscope/base/words.h"
#include "isoscope/level/level.h"

namespace isoscope {
namespace {

constexpr std::string_view session_prefix = "strong-session-";
constexpr std::size_t longest_name_to_show = 64;

bool is_spoken(const LevelAlias& alias, NameDialect dialect) {
  using enum LevelAlias::Spoken;
  return alias.spoken == in_both ||
         alias.spoken == (dialect == NameDialect::elle ? only_elle : only_isoscope);
}

Level meaning(const LevelEntry& row, LevelAlias::Session session, NameDialect dialect) {
  using enum LevelAlias::Session;
  const bool plain_by_default =
      dialect == NameDialect::elle && row.kind == LevelKind::transactional;
  const bool with_sessions = session == on || (session == as_spoken && !plain_by_default);
  return Level{row.id, with_sessions || !depends_on_session_order(row.id)};
}

// Every name of a dialect once, with its meaning. Aliases go first: an alias of the dialect takes
// its name away from the level that has it as canonical name (read-committed in Elle's).
template <class Visit>
void for_each_name(NameDialect dialect, Visit visit) {
  std::vector<std::string> taken;
  for (const LevelEntry& row : levels()) {
    for (const LevelAlias& alias : row.aliases) {
      if (!is_spoken(alias, dialect)) continue;
      if (alias.spoken != LevelAlias::Spoken::in_both) taken.push_back(folded_name(alias.name));
      visit(alias.name, meaning(row, alias.session, dialect), false);
    }
  }
  for (const LevelEntry& row : levels()) {
    if (std::find(taken.begin(), taken.end(), row.name) != taken.end()) continue;
    visit(row.name, meaning(row, LevelAlias::Session::as_spoken, dialect), true);
  }
}

std::optional<Level> look_up(std::string_view wanted, NameDialect dialect) {
  std::optional<Level> found;
  for_each_name(dialect, [&](std::string_view name, Level level, bool) {
    if (folded_name(name) == wanted) found = level;
  });
  return found;
}

// The name as an error message can show it: one line, not too long.
std::string shown(std::string_view name) {
  std::string text(name.substr(0, longest_name_to_show));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (name.size() > longest_name_to_show) text += "...";
  return text;
}

Error unknown_name(std::string_view name, NameDialect dialect) {
  std::vector<KnownName> known;
  for_each_name(dialect, [&](std::string_view one, Level, bool) {
    known.push_back({std::string(one), std::string(one)});
  });
  std::ranges::sort(known, {}, &KnownName::name);
  const std::vector<std::string> near = nearest_names(name, known);
  return Error{"unknown level '" + shown(name) + "'" +
               (near.empty() ? "; " : "; did you mean " + listed(near, " or ") + "? ") +
               "'isoscope levels' lists them all"};
}

}  // namespace

Result<Level> find_level(std::string_view name, NameDialect dialect) {
  const std::string wanted = folded_name(name);
  if (const auto level = look_up(wanted, dialect)) return *level;
  if (wanted.starts_with(session_prefix)) {
    const auto level = look_up(wanted.substr(session_prefix.size()), dialect);
    if (level && entry_of(level->id).kind == LevelKind::transactional)
      return Level{level->id, true};
  }
  return unknown_name(name, dialect);
}

Result<LevelId> find_recorded_level(std::string_view name) {
  ISOSCOPE_TRY(level, find_level(name));
  if (level.session_order) return level.id;
  return Error{"'" + shown(name) +
               "' leaves out session order, which one transaction cannot; write " +
               std::string(name_of(level.id)) + " here, and check with --session-order off"};
}

std::vector<std::string_view> names_of(Level level, NameDialect dialect) {
  if (!depends_on_session_order(level.id)) level.session_order = true;
  std::vector<std::string_view> names;
  for_each_name(dialect, [&](std::string_view name, Level meant, bool canonical) {
    if (meant == level) names.insert(canonical ? names.begin() : names.end(), name);
  });
  return names;
}

}  // namespace isoscope
