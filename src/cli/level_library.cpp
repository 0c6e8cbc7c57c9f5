#include "cli/level_library.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/caret.h"

namespace isoscope::cli {

namespace {

std::optional<std::string> read_file(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return std::nullopt;
  return text.str();
}

}  // namespace

synth::LevelLibrary level_library() { return synth::LevelLibrary(read_file); }

Error shown(const Error& error) {
  if (error.source.empty()) return error;
  const auto text = level_library().text_called(error.source);
  return text ? with_caret(error, *text) : error;
}

Result<std::vector<spec::Definition>> read_levels(const std::vector<std::string>& names) {
  const synth::LevelLibrary library = level_library();
  std::vector<spec::Definition> definitions;
  for (const std::string& name : names) {
    auto definition = library.definition(name);
    if (!definition) return shown(definition.error());
    definitions.push_back(*std::move(definition));
  }
  return definitions;
}

}  // namespace isoscope::cli
