#include "servers/recipe.h"

#include <algorithm>
#include <cctype>

#include "isoscope/base/suggestion.h"
#include "isoscope/base/words.h"
#include "servers/program.h"

namespace isoscope::servers {

namespace {

constexpr ServerEntry entries[] = {
    {ServerKind::postgres, "postgres", "PostgreSQL", "postgresql-15"},
    {ServerKind::mariadb, "mariadb", "MariaDB", "mariadb-server-core"},
};

}  // namespace

std::span<const ServerEntry> server_kinds() { return entries; }

const ServerEntry& entry_of(ServerKind kind) {
  return *std::ranges::find(entries, kind, &ServerEntry::kind);
}

Result<ServerKind> find_server(std::string_view name) {
  std::vector<std::string> known;
  for (const ServerEntry& entry : entries) {
    if (entry.name == name) return entry.kind;
    known.emplace_back(entry.name);
  }
  return Error{"there are no throw-away servers of '" + std::string(name) + "'" +
                   did_you_mean(name, known) + " (there are: " + joined(known) + ")",
               {},
               {},
               ErrorKind::usage};
}

Result<Setting> setting_from(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '-' || letter == '.';
  });
  if (equals == std::string_view::npos || !is_name || name.front() == '-') {
    return Error{"expected a setting such as NAME=VALUE, found '" + std::string(text) + "'",
                 {},
                 {},
                 ErrorKind::usage};
  }
  return Setting{std::string(name), std::string(text.substr(equals + 1))};
}

std::string folded_setting(std::string_view name) {
  std::string folded(name);
  for (char& letter : folded)
    letter =
        letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return folded;
}

Error not_installed(ServerKind kind) {
  const ServerEntry& entry = entry_of(kind);
  return Error{std::string(entry.title) + " is not installed; Debian 12 has it in the package " +
               std::string(entry.package)};
}

Error no_such_version(ServerKind kind, const std::string& wanted, const std::string& installed) {
  return Error{std::string(entry_of(kind).title) + " " + wanted +
                   " is not installed; what is installed is " + installed +
                   ", and other versions are not supported yet",
               {},
               {},
               ErrorKind::usage};
}

bool is_version(const std::string& version, const std::string& wanted) {
  return wanted.empty() || (version + ".").starts_with(wanted + ".");
}

Result<std::string> version_said_by(const std::string& program) {
  ISOSCOPE_TRY(said, output_of({program, "--version"}));
  const auto is_digit = [](unsigned char letter) { return std::isdigit(letter) != 0; };
  for (auto begin = std::ranges::find_if(said, is_digit); begin != said.end();
       begin = std::find_if(begin, said.end(), is_digit)) {
    const auto end =
        std::find_if(begin, said.end(), [&](char c) { return !is_digit(c) && c != '.'; });
    if (std::find(begin, end, '.') != end) return std::string(begin, end);
    begin = end;
  }
  return Error{program + " --version does not say a version"};
}

Status check_settings(const ServerPlan& plan, std::span<const std::string_view> ours) {
  for (const Setting& setting : plan.settings) {
    if (std::ranges::find(ours, folded_setting(setting.name)) == ours.end()) continue;
    return Error{"the setting " + setting.name +
                     " is what keeps a throw-away server in its folder: it cannot be changed",
                 {},
                 {},
                 ErrorKind::usage};
  }
  return Done{};
}

Result<Recipe> recipe_for(const ServerPlan& plan, const Places& places,
                          const std::filesystem::path& root) {
  switch (plan.kind) {
    case ServerKind::postgres:
      return postgres_recipe(plan, places, root);
    case ServerKind::mariadb:
      return mariadb_recipe(plan, places, root);
  }
  return not_installed(plan.kind);
}

}  // namespace isoscope::servers
