#include "cli/load.h"

#include <new>

#include "isoscope/history/histories_at.h"

namespace isoscope::cli {

Result<std::optional<Format>> readable_format(const Options& options) {
  if (options.text("from").empty()) return std::optional<Format>();
  auto format = find_format(options.text("from"));
  if (!format) return Error{"--from: " + format.error().what};
  return std::optional<Format>(*format);
}

Result<Format> writable_format(const Options& options) {
  std::string names;
  for (const FormatInfo& info : formats()) {
    if (!info.writable) continue;
    if (info.name == options.text("to")) return info.format;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  return Error{"--to: cannot write '" + options.text("to") + "'; expected one of " + names};
}

void take_folders_apart(Invocation& invocation) {
  const auto from = readable_format(invocation.options);
  std::vector<std::string> paths;
  for (const std::string& argument : invocation.arguments) {
    for (std::string& path : histories_at(argument, from ? *from : std::nullopt))
      paths.push_back(std::move(path));
  }
  invocation.arguments = std::move(paths);
}

std::optional<StopReason> stopped_while_loading(const Invocation& invocation, const Error& error) {
  if (error.kind != ErrorKind::stopped) return std::nullopt;
  return invocation.limits.reached();
}

Result<LoadedHistory> load(Invocation& invocation, const std::string& path) {
  auto loaded = load(invocation, path, invocation.progress,
                     static_cast<unsigned>(invocation.options.number("threads")));
  invocation.progress.finish();
  return loaded;
}

Result<LoadedHistory> load(const Invocation& invocation, const std::string& path,
                           Progress& progress, unsigned threads) {
  ReadOptions options;
  ISOSCOPE_TRY(from, readable_format(invocation.options));
  options.format = from;
  options.cobra_unique_values = invocation.options.text("cobra-values") == "unique";
  options.time_from =
      invocation.options.text("time-from") == "lines" ? TimeSource::lines : TimeSource::clocks;
  options.limits = invocation.limits;
  options.progress = progress;
  options.threads = threads;
  ISOSCOPE_TRY(source, Source::open(path, invocation.limits));
  try {
    if (!options.format) {
      ISOSCOPE_TRY(recognised, recognise_format(source));
      options.format = recognised;
    }
    // A command whose default is lines takes clocks where there is no order of lines.
    const bool has_lines = *options.format == Format::edn || *options.format == Format::elle_json;
    if (!has_lines && !invocation.options.is_set("time-from"))
      options.time_from = TimeSource::clocks;
    ISOSCOPE_TRY(history, read_history(source, options));
    return LoadedHistory{*options.format, std::move(history)};
  } catch (const std::bad_alloc&) {
    invocation.limits.memory_was_refused();
    return Error{
        .what = "stopped while reading " + path + ": " + std::string(name_of(StopReason::memory)),
        .kind = ErrorKind::stopped};
  }
}

}  // namespace isoscope::cli
