#include "cli/save.h"

#include <cstdio>
#include <filesystem>

#include "cli/command.h"
#include "cli/file_roles.h"

namespace isoscope::cli {

namespace {

using Write = std::function<Status(ByteSink&)>;

Status write_file(const Write& write, const std::string& path) {
  ISOSCOPE_TRY(sink, FileSink::create(path));
  ISOSCOPE_TRY_STATUS(write(sink));
  return sink.close();
}

}  // namespace

ExitCode save(const History& history, Format format, const std::string& path) {
  return save([&](ByteSink& sink) { return write_history(history, format, sink); }, path);
}

ExitCode save(const Write& write, const std::string& path) {
  if (path.empty()) {
    FileSink sink(stdout, "standard output");
    Status written = write(sink);
    return written ? exit_holds : failed(written.error());
  }
  std::error_code problem;
  const bool exists = std::filesystem::exists(path, problem);
  const bool is_device = exists && !std::filesystem::is_regular_file(path, problem);
  if (is_device) {
    const Status written = write_file(write, path);
    return written ? exit_holds : failed(written.error());
  }
  // Under another name first: what cannot be written must not leave half a file behind, or destroy
  // one that was there.
  const std::string unfinished = unfinished_name(path);
  const Status written = write_file(write, unfinished);
  if (written) {
    std::filesystem::rename(unfinished, path, problem);
    if (!problem) return exit_holds;
  }
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  return failed(written ? Error{"cannot write " + path + ": " + problem.message()}
                        : written.error());
}

}  // namespace isoscope::cli
