#include <gtest/gtest.h>

#include <set>

#include "cli/command.h"

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
    const bool free = spec.type == OptionType::text || spec.type == OptionType::flag;
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
  for (const Command& command : commands()) {
    EXPECT_FALSE(command.summary.empty());
    EXPECT_FALSE(command.details.empty());
    for (const std::string_view option : command.options) {
      EXPECT_TRUE(listed.contains(option)) << option;
      used.insert(option);
    }
  }
  EXPECT_EQ(used, listed);
}

TEST(ExitCodes, TheWorseOneCounts) {
  EXPECT_EQ(worse(exit_holds, exit_unknown), exit_unknown);
  EXPECT_EQ(worse(exit_violated, exit_unknown), exit_violated);
  EXPECT_EQ(worse(exit_violated, exit_bad_input), exit_bad_input);
  EXPECT_EQ(worse(exit_holds, exit_holds), exit_holds);
}

}  // namespace
}  // namespace isoscope::cli
