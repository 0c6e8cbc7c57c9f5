#include "cli/save.h"

#include <cstdio>

#include "cli/command.h"

namespace isoscope::cli {

ExitCode save(const History& history, Format format, const std::string& path) {
  if (path.empty()) {
    FileSink sink(stdout, "standard output");
    Status written = write_history(history, format, sink);
    return written ? exit_holds : bad_input(written.error());
  }
  // Formatted first: what the format cannot hold must not leave half a file behind.
  const auto text = format_history(history, format);
  if (!text) return bad_input(text.error());
  auto sink = FileSink::create(path);
  if (!sink) return bad_input(sink.error());
  Status written = sink->write(*text);
  if (written) written = sink->close();
  return written ? exit_holds : bad_input(written.error());
}

}  // namespace isoscope::cli
