#include "cli/command.h"
#include "isoscope/report/stores_report.h"

namespace isoscope::cli {

ExitCode run_stores(Invocation& invocation) {
  const std::string& format = invocation.options.text("format");
  const auto& words = invocation.arguments;
  if (format == "svg") return wrong_usage(Error{"--format: 'stores' prints text or json"});
  if (words.empty()) {
    print(format == "json" ? report::stores_json() : report::stores_text());
    return exit_holds;
  }
  if (words.size() != 2 || words[0] != "show") {
    return wrong_usage(Error{"expected 'isoscope stores' or 'isoscope stores show NAME'"});
  }
  const auto kind = find_store(words[1]);
  if (!kind) return wrong_usage(kind.error());
  print(format == "json" ? report::store_json(*kind) : report::store_text(*kind));
  return exit_holds;
}

}  // namespace isoscope::cli
