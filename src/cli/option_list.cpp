#include "cli/command.h"

namespace isoscope::cli {

std::span<const OptionSpec> option_list() {
  static constexpr OptionSpec list[] = {
      {"level", OptionType::text, "", "",
       "the isolation level to check, several separated by commas ('isoscope levels' lists them)"},
      {"session-order", OptionType::choice, "", "on|off",
       "whether the level includes session order (default: what the level's name says)"},
      {"names", OptionType::choice, "isoscope", "isoscope|elle",
       "what level names mean where Elle differs"},
      {"from", OptionType::text, "", "", "the input's format (default: recognised by content)"},
      {"to", OptionType::text, "native", "", "the output's format"},
      {"output", OptionType::text, "", "", "write to this file instead of standard output"},
      {"cobra-values", OptionType::choice, "written", "written|unique",
       "Cobra logs: a value is what was written (values may repeat), or who wrote it"},
      {"format", OptionType::choice, "text", "text|json|svg", "how to print the result"},
      {"time-limit", OptionType::duration, "", "",
       "give up after this long, such as 10s or 5m: the verdict is then unknown"},
      {"memory-limit", OptionType::size, "", "",
       "give up beyond this much memory, such as 512M or 2G"},
      {"seed", OptionType::integer, "7", "0..9223372036854775807",
       "where random choices start from"},
  };
  return list;
}

}  // namespace isoscope::cli
