#include <cstdio>

#include "cli/load.h"

namespace isoscope::cli {

ExitCode run_convert(Invocation& invocation) {
  if (auto from = format_option(invocation.options, "from"); !from)
    return wrong_usage(from.error());
  const auto to = format_option(invocation.options, "to");
  if (!to) return wrong_usage(to.error());
  auto loaded = load(invocation, invocation.arguments[0]);
  if (!loaded) return not_loaded(invocation, loaded.error());
  const std::string& path = invocation.options.text("output");
  if (path.empty()) {
    FileSink sink(stdout, "standard output");
    Status written = write_history(loaded->history, **to, sink);
    return written ? exit_holds : bad_input(written.error());
  }
  // Formatted first: what the format cannot hold must not leave half a file behind.
  const auto text = format_history(loaded->history, **to);
  if (!text) return bad_input(text.error());
  auto sink = FileSink::create(path);
  if (!sink) return bad_input(sink.error());
  Status written = sink->write(*text);
  if (written) written = sink->close();
  return written ? exit_holds : bad_input(written.error());
}

}  // namespace isoscope::cli
