#include "cli/command.h"
#include "cli/level_library.h"
#include "cli/level_option.h"
#include "isoscope/report/levels_report.h"
#include "isoscope/synth/describe.h"

namespace isoscope::cli {

namespace {

/// The text and what it includes, each below its name.
ExitCode print_texts(const std::string& name) {
  const auto texts = level_library().with_includes(name);
  if (!texts) return failed(shown(texts.error()));
  print(synth::texts_text(*texts));
  return exit_holds;
}

/// A level of the catalogue, with the text that defines it if there is one.
ExitCode show(const Invocation& invocation, const std::string& name) {
  const std::string& format = invocation.options.text("format");
  const auto level = level_named(name, invocation.options);
  if (const auto anomaly = level ? std::nullopt : find_anomaly(name)) {
    print(format == "json" ? report::anomaly_json(*anomaly) : report::anomaly_text(*anomaly));
    return exit_holds;
  }
  if (!level) {
    const auto text = level_library().find(name);
    if (!text) {
      Error error = text.error();
      error.what += did_you_mean_anomaly(name);
      return failed(shown(error));
    }
    if (format == "json") {
      const auto definition = level_library().definition(name);
      if (!definition) return failed(shown(definition.error()));
      print(synth::text_json(*definition, *text));
      return exit_holds;
    }
    return print_texts(name);
  }
  if (format == "json") {
    print(report::level_json(*level));
    return exit_holds;
  }
  print(report::level_text(*level));
  const auto text = synth::text_defining(*level);
  if (!text) return exit_holds;
  print("\nIn the level language:\n\n");
  return print_texts(text->name);
}

ExitCode format_file(const std::string& path) {
  const auto text = level_library().find(path);
  if (!text) return failed(shown(text.error()));
  // What cannot be read as a level should not look as if it were fine.
  if (const auto definition = level_library().definition(path); !definition)
    return failed(shown(definition.error()));
  const auto formatted = spec::format_level(*text);
  if (!formatted) return failed(shown(formatted.error()));
  print(*formatted);
  return exit_holds;
}

}  // namespace

ExitCode run_levels(Invocation& invocation) {
  const std::string& format = invocation.options.text("format");
  print(format == "json"  ? report::levels_json()
        : format == "svg" ? report::levels_svg()
                          : report::levels_text());
  return exit_holds;
}

ExitCode run_levels_texts(Invocation&) {
  print(synth::shipped_levels_text());
  return exit_holds;
}

ExitCode run_levels_show(Invocation& invocation) {
  return show(invocation, invocation.arguments[0]);
}

ExitCode run_levels_format(Invocation& invocation) { return format_file(invocation.arguments[0]); }

}  // namespace isoscope::cli
