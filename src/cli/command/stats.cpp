#include "cli/level_option.h"
#include "cli/load.h"
#include "isoscope/report/stats_report.h"

namespace isoscope::cli {

ExitCode run_stats(Invocation& invocation) {
  if (auto from = readable_format(invocation.options); !from) return wrong_usage(from.error());
  const std::string& format = invocation.options.text("format");
  take_folders_apart(invocation);
  ExitCode worst = exit_holds;
  for (const std::string& path : invocation.arguments) {
    auto loaded = load(invocation, path);
    if (!loaded) {
      worst = worse(worst, failed(loaded.error()));
      continue;
    }
    const auto& printer = format == "json" ? report::stats_json : report::stats_text;
    const bool cuts = indeterminate_cuts_option(invocation.options)
                          .value_or(loaded->history.indeterminate_cuts());
    print(printer(path, loaded->format, loaded->history, cuts));
  }
  return worst;
}

}  // namespace isoscope::cli
