#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/spec/definition.h"

namespace isoscope::spec {

/// A text and what errors call it.
struct LevelText {
  std::string name;
  std::string text;
};

/// Finds what `include "name"` in the text called `from` means; nothing: no such text.
using FindText =
    std::function<std::optional<LevelText>(std::string_view name, std::string_view from)>;

/// Parses and checks a level. Errors have the text's name, line and column; caret_text() of
/// isoscope/base/caret_text.h shows them in the text. Grammar and meaning: docs/level-language.md.
Result<Definition> read_definition(const LevelText& text, const FindText& find);

/// A formula on the history alone, as for `--where`: a definition without witnesses and one axiom.
Result<Definition> read_formula(const LevelText& text, const FindText& find);

/// The text in house style: same meaning, comments kept.
Result<std::string> format_level(const LevelText& text);

/// An expression in the language's notation, with bound variables named t1, t2, x1...
std::string text_of(const Node& node, const Definition& definition);

/// The level texts that come with the program, by name: "cerone/SI", "biswas-enea/base".
struct ShippedLevel {
  std::string_view name;
  std::string_view text;
};
const std::vector<ShippedLevel>& shipped_levels();

/// Finds includes among the shipped texts: "base" from "cerone/SI" is "cerone/base", else by full
/// name.
std::optional<LevelText> find_shipped(std::string_view name, std::string_view from);

}  // namespace isoscope::spec
