#include "cli/load.h"

namespace isoscope::cli {

Result<std::optional<Format>> format_option(const Options& options, std::string_view name) {
  if (options.text(name).empty()) return std::optional<Format>();
  auto format = find_format(options.text(name));
  if (!format) return Error{"--" + std::string(name) + ": " + format.error().what};
  return std::optional<Format>(*format);
}

ExitCode not_loaded(const Invocation& invocation, const Error& error) {
  const ExitCode code = bad_input(error);
  return invocation.limits.reached() ? exit_unknown : code;
}

Result<LoadedHistory> load(Invocation& invocation, const std::string& path) {
  ReadOptions options;
  ISOSCOPE_TRY(from, format_option(invocation.options, "from"));
  options.format = from;
  options.cobra_unique_values = invocation.options.text("cobra-values") == "unique";
  options.limits = &invocation.limits;
  options.progress = &invocation.progress;
  ISOSCOPE_TRY(source, Source::open(path));
  if (!options.format) {
    ISOSCOPE_TRY(recognised, recognise_format(source));
    options.format = recognised;
  }
  ISOSCOPE_TRY(history, read_history(source, options));
  invocation.progress.finish();
  return LoadedHistory{*options.format, std::move(history)};
}

}  // namespace isoscope::cli
