#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/all_commands.h"

namespace isoscope::cli {
namespace {

TEST(OptionList, NamesAreUniqueAndDescribed) {
  std::set<std::string_view> names;
  for (const OptionSpec& spec : option_list()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_FALSE(spec.help.empty()) << spec.name;
  }
}

TEST(OptionList, EveryDefaultIsAccepted) { const Options options(option_list()); }

TEST(OptionList, EveryRowRefusesWhatIsOutsideItsRange) {
  Options options(option_list());
  for (const OptionSpec& spec : option_list()) {
    const bool free = spec.type == OptionType::text || spec.type == OptionType::list ||
                      spec.type == OptionType::flag;
    EXPECT_EQ(static_cast<bool>(options.set(spec.name, "no such thing")), free) << spec.name;
  }
}

TEST(OptionList, EveryChoiceIsAccepted) {
  Options options(option_list());
  for (const OptionSpec& spec : option_list()) {
    if (spec.type != OptionType::choice) continue;
    for (std::string_view rest = spec.range; !rest.empty();) {
      const std::string_view choice = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(choice.size() + 1, rest.size()));
      EXPECT_TRUE(options.set(spec.name, choice)) << spec.name << " " << choice;
      EXPECT_EQ(options.text(spec.name), choice);
    }
  }
}

TEST(CommandList, UsesOnlyOptionsOfTheListAndEveryOptionIsUsed) {
  std::set<std::string_view> listed;
  for (const OptionSpec& spec : option_list()) listed.insert(spec.name);
  std::set<std::string_view> used;
  for (const Command* command : commands_and_parts()) {
    EXPECT_FALSE(command->summary.empty());
    EXPECT_FALSE(command->details.empty());
    for (const CommandOption& option : command->options) {
      EXPECT_TRUE(listed.contains(option.name)) << option.name;
      used.insert(option.name);
    }
  }
  EXPECT_EQ(used, listed);
}

/// A command's help says what its options do there, in words that stand for themselves.
TEST(CommandList, HelpCountsNothingWithoutANounAndPromisesWhatTheCommandDoes) {
  for (const Command* command : commands_and_parts()) {
    const std::string name(command->name);
    const std::string help = help_of(*command);
    for (const std::string_view vague : {"so many", " who ", "how it went"})
      EXPECT_EQ(help.find(vague), std::string::npos) << name << ": " << vague;
    // Only some commands have a verdict that a limit leaves unknown.
    const bool has_verdict = name == "check" || name == "elle";
    EXPECT_EQ(help.find("the verdict is then unknown") != std::string::npos, has_verdict) << name;
    // Keys are counted, or bounded, or generated.
    if (name.starts_with("protocol")) {
      EXPECT_EQ(help.find("rows or accounts"), std::string::npos) << name;
    }
  }
}

/// A command's own ranges are narrower than those of the list, and hold its default.
TEST(CommandList, OwnRangesAreAccepted) {
  for (const Command* command : commands_and_parts()) {
    const std::vector<OptionSpec> table = options_of(*command);
    const Options options(table);  // refuses a default that is out of range
    Options all(option_list());
    for (const CommandOption& option : command->options) {
      for (std::string_view rest = option.range; !rest.empty();) {
        const std::string_view choice = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(choice.size() + 1, rest.size()));
        EXPECT_TRUE(all.set(option.name, choice)) << command->name << " " << option.name;
      }
    }
  }
}

TEST(CommandList, AreFoundByTheirWords) {
  for (const Command* command : commands_and_parts()) {
    std::istringstream name{std::string(command->name)};
    std::vector<std::string> words;
    for (std::string word; name >> word;) words.push_back(word);
    words.push_back("--time-limit");
    words.push_back("1s");
    // Between a command and its part there may be options.
    if (words.size() == 4) std::rotate(words.begin() + 1, words.begin() + 2, words.end());
    const auto found = take_command(words);
    ASSERT_TRUE(found) << command->name;
    EXPECT_EQ((*found)->name, command->name);
    EXPECT_EQ(words, (std::vector<std::string>{"--time-limit", "1s"}));
  }
}

TEST(ExitCodes, TheWorseOneCounts) {
  EXPECT_EQ(worse(exit_holds, exit_unknown), exit_unknown);
  EXPECT_EQ(worse(exit_violated, exit_unknown), exit_violated);
  EXPECT_EQ(worse(exit_violated, exit_bad_input), exit_bad_input);
  EXPECT_EQ(worse(exit_holds, exit_holds), exit_holds);
}

}  // namespace
}  // namespace isoscope::cli
