#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/level/level.h"
#include "isoscope/spec/level_text.h"

namespace isoscope::synth {

/// The text of a file; nothing where there is none that can be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// Levels by what a user types. In this order:
///
///   my.level, ./mine/si    a file: ends in .level, or has a / and exists
///   cerone/SI              a text that comes with the program, case aside
///   SI, PL-3, serializable a name of the catalogue: the text that defines this level
///   TapRA, NLU             the last part of a shipped text's name, if no other has it
///
/// What a file includes is looked for beside it, then among the shipped texts; shipped texts
/// include only each other.
class LevelLibrary {
 public:
  explicit LevelLibrary(ReadFile read_file) : read_file_(std::move(read_file)) {}

  /// Errors about names and missing files have no source. An unknown name is an Error of kind
  /// `usage`, which suggests the nearest names.
  Result<spec::LevelText> find(std::string_view typed) const;

  Result<spec::Definition> definition(std::string_view typed) const;
  /// The same for a formula on the history alone; `name` is what errors call it.
  Result<spec::Definition> formula(std::string_view name, std::string_view text) const;

  /// The text and all that it includes, each once.
  Result<std::vector<spec::LevelText>> with_includes(std::string_view typed) const;

  /// The text that an error is in, by its source: a file or a shipped text.
  std::optional<std::string> text_called(const std::string& name) const;

 private:
  std::optional<spec::LevelText> included(std::string_view name, std::string_view from) const;
  std::optional<spec::LevelText> file(std::string_view path) const;

  ReadFile read_file_;
};

/// Is it a file's name rather than a level's? (Ends in .level.)
bool is_level_file(std::string_view typed);

/// The shipped text that defines this level of the catalogue.
std::optional<spec::LevelText> text_defining(Level level);

/// The names of the shipped texts that are levels: without those that others are built on, and
/// without the conditions on histories (history/...).
std::vector<std::string> shipped_level_names();

}  // namespace isoscope::synth
