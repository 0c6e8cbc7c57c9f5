#include "cli/command.h"
#include "cli/level_option.h"
#include "isoscope/report/levels_report.h"

namespace isoscope::cli {

ExitCode run_levels(Invocation& invocation) {
  const std::string& format = invocation.options.text("format");
  const auto& words = invocation.arguments;
  if (words.empty()) {
    print(format == "json"  ? report::levels_json()
          : format == "svg" ? report::levels_svg()
                            : report::levels_text());
    return exit_holds;
  }
  if (words.size() != 2 || words[0] != "show") {
    return wrong_usage(Error{"expected 'isoscope levels' or 'isoscope levels show NAME'"});
  }
  if (format == "svg") return wrong_usage(Error{"--format: 'levels show' prints text or json"});
  const auto level = level_named(words[1], invocation.options);
  if (!level) return wrong_usage(level.error());
  print(format == "json" ? report::level_json(*level) : report::level_text(*level));
  return exit_holds;
}

}  // namespace isoscope::cli
