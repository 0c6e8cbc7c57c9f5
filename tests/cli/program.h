#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace isoscope::cli {

/// What a run of the built program left behind.
struct ProgramRun {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A folder of its own that disappears with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    char name[] = "/tmp/isoscope-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~TemporaryFolder() { static_cast<void>(std::system(("rm -rf " + path_).c_str())); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::string path_;
};

/// Runs the program with these arguments, in the project's folder; `input` is its standard input.
inline ProgramRun run_program(const std::string& arguments, const std::string& input = {}) {
  const TemporaryFolder folder;
  const std::string in = folder.write("in", input);
  const std::string command =
      "cd '" ISOSCOPE_SOURCE_DIR "' && '" ISOSCOPE_BINARY_DIR "/bin/isoscope' " + arguments + " <" +
      in + " >" + folder.path("out") + " 2>" + folder.path("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path("out")),
          contents(folder.path("err"))};
}

/// Runs a line of bash in which `isoscope` and `isoscope-verify` are the built programs.
inline ProgramRun run_line(const std::string& line) {
  const TemporaryFolder folder;
  const std::string script =
      folder.write("script", "PATH='" ISOSCOPE_BINARY_DIR "/bin':$PATH\n" + line + "\n");
  const int status = std::system(
      ("bash " + script + " >" + folder.path("out") + " 2>" + folder.path("err")).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path("out")),
          contents(folder.path("err"))};
}

}  // namespace isoscope::cli
