#include "cli/command.h"
#include "isoscope/report/stores_report.h"

namespace isoscope::cli {

ExitCode run_stores(Invocation& invocation) {
  const bool json = invocation.options.text("format") == "json";
  print(json ? report::stores_json() : report::stores_text());
  return exit_holds;
}

ExitCode run_stores_show(Invocation& invocation) {
  const bool json = invocation.options.text("format") == "json";
  const auto kind = find_store(invocation.arguments[0]);
  if (!kind) return wrong_usage(kind.error());
  print(json ? report::store_json(*kind) : report::store_text(*kind));
  return exit_holds;
}

}  // namespace isoscope::cli
