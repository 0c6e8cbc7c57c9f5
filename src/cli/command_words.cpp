#include <algorithm>

#include "cli/command.h"
#include "isoscope/base/suggestion.h"

// Which command the words of a command line name.

namespace isoscope::cli {

namespace {

/// "show" of "levels show".
std::string_view last_word(std::string_view name) { return name.substr(name.rfind(' ') + 1); }

bool takes_a_value(std::string_view word) {
  if (word == "-o") return true;
  if (!word.starts_with("--") || word.find('=') != std::string_view::npos) return false;
  const auto spec = std::ranges::find(option_list(), word.substr(2), &OptionSpec::name);
  return spec != option_list().end() && spec->type != OptionType::flag;
}

/// The place of the first word that is neither an option nor the value of one.
std::size_t first_argument(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with('-') || words[i] == "-") return i;
    if (takes_a_value(words[i])) ++i;
  }
  return words.size();
}

Error unknown(std::string_view typed, std::span<const Command> known, const std::string& help) {
  std::vector<std::string> names;
  for (const Command& command : known) names.emplace_back(last_word(command.name));
  return Error{"unknown command '" + std::string(typed) + "'" +
               did_you_mean(last_word(typed), names) + " (" + help + " lists them)"};
}

}  // namespace

Result<const Command*> take_command(std::vector<std::string>& words) {
  ISOSCOPE_REQUIRE(!words.empty());
  const auto command = std::ranges::find(commands(), words[0], &Command::name);
  if (command == commands().end()) return unknown(words[0], commands(), "isoscope --help");
  words.erase(words.begin());
  const std::size_t place = command->parts.empty() ? words.size() : first_argument(words);
  if (place == words.size()) return &*command;
  for (const Command& part : command->parts) {
    if (last_word(part.name) != words[place]) continue;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(place));
    return &part;
  }
  const std::string name(command->name);
  return unknown(name + " " + words[place], command->parts, "isoscope " + name + " --help");
}

const Command* command_with_option(std::string_view name) {
  const auto has_it = [&](const Command& command) {
    return std::ranges::find(command.options, name, &CommandOption::name) != command.options.end();
  };
  for (const Command& command : commands()) {
    if (has_it(command)) return &command;
    for (const Command& part : command.parts) {
      if (has_it(part)) return &part;
    }
  }
  return nullptr;
}

std::vector<OptionSpec> options_of(const Command& command) {
  std::vector<OptionSpec> table(option_list().begin(), option_list().end());
  for (const CommandOption& own : command.options) {
    const auto row = std::ranges::find(table, own.name, &OptionSpec::name);
    ISOSCOPE_REQUIRE(row != table.end());
    if (!own.range.empty()) row->range = own.range;
    if (!own.default_text.empty()) row->default_text = own.default_text;
    if (!own.help.empty()) row->help = own.help;
  }
  return table;
}

}  // namespace isoscope::cli
