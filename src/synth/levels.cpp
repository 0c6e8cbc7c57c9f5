#include "isoscope/synth/levels.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/suggestion.h"
#include "isoscope/base/words.h"

namespace isoscope::synth {
namespace {

using spec::LevelText;
using spec::ShippedLevel;

constexpr std::string_view ending = ".level";

std::string folded(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

LevelText text_of(const ShippedLevel& level) {
  return {std::string(level.name), std::string(level.text)};
}

const ShippedLevel* shipped(std::string_view name) {
  for (const ShippedLevel& level : spec::shipped_levels()) {
    if (folded(level.name) == folded(name)) return &level;
  }
  return nullptr;
}

// Shipped names, and all names of the catalogue's levels that have a text.
std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const ShippedLevel& level : spec::shipped_levels()) {
    names.emplace_back(level.name);
    if (const auto defined = spec::read_definition(text_of(level), spec::find_shipped);
        defined && defined->defines) {
      if (const auto meant = find_level(*defined->defines)) {
        for (const std::string_view name : names_of(*meant)) names.emplace_back(name);
      }
    }
  }
  return names;
}

Error no_such(std::string what) { return {.what = std::move(what), .kind = ErrorKind::usage}; }

Error unknown_level(std::string_view typed) {
  std::vector<KnownName> known;
  for (const std::string& name : known_names()) {
    known.push_back({name, name});
    known.push_back({name, std::string(last_part(name))});
  }
  std::ranges::sort(known, {}, &KnownName::name);
  const std::vector<std::string> near = nearest_names(typed, known);
  return no_such("unknown level " + quoted_for_message(typed) +
                 (near.empty() ? "; " : "; did you mean " + listed(near, " or ") + "? ") +
                 "'isoscope levels texts' lists them all");
}

}  // namespace

bool is_level_file(std::string_view typed) { return typed.ends_with(ending); }

std::optional<LevelText> text_defining(Level wanted) {
  for (const ShippedLevel& level : spec::shipped_levels()) {
    const auto definition = spec::read_definition(text_of(level), spec::find_shipped);
    if (!definition || !definition->defines) continue;
    if (const auto defined = find_level(*definition->defines); defined && *defined == wanted)
      return text_of(level);
  }
  return std::nullopt;
}

std::vector<std::string> shipped_level_names() {
  std::vector<std::string> names;
  for (const ShippedLevel& level : spec::shipped_levels()) {
    if (last_part(level.name) != "base" && !level.name.starts_with("history/"))
      names.emplace_back(level.name);
  }
  return names;
}

std::optional<LevelText> LevelLibrary::file(std::string_view path) const {
  std::string name(path);
  std::optional<std::string> text = read_file_(name);
  if (!text) return std::nullopt;
  return LevelText{std::move(name), *std::move(text)};
}

std::optional<LevelText> LevelLibrary::included(std::string_view name,
                                                std::string_view from) const {
  const auto& all = spec::shipped_levels();
  const bool from_file = std::ranges::find(all, from, &ShippedLevel::name) == all.end();
  if (from_file) {
    const std::size_t slash = from.rfind('/');
    std::string path(from.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
    path += name;
    if (!is_level_file(path)) path += ending;
    if (auto found = file(path)) return found;
  }
  return spec::find_shipped(name, from_file ? std::string_view() : from);
}

Result<LevelText> LevelLibrary::find(std::string_view typed) const {
  const bool may_be_path = typed.find('/') != std::string_view::npos;
  if (is_level_file(typed) || may_be_path) {
    if (auto found = file(typed)) return *std::move(found);
    if (is_level_file(typed)) return Error{"cannot read " + std::string(typed)};
  }
  if (const ShippedLevel* level = shipped(typed)) return text_of(*level);
  const auto meant = find_level(typed);
  if (meant) {
    if (auto defining = text_defining(*meant)) return *std::move(defining);
  }
  std::vector<std::string> named_alike;
  for (const ShippedLevel& level : spec::shipped_levels()) {
    if (folded(last_part(level.name)) == folded(typed)) named_alike.emplace_back(level.name);
  }
  if (named_alike.size() == 1) return text_of(*shipped(named_alike[0]));
  if (named_alike.size() > 1) {
    return no_such(quoted_for_message(typed) + " may be " + listed(named_alike, " or ") +
                   ": write which one");
  }
  if (meant) {
    return no_such("the catalogue's level " + isoscope::text_of(*meant) +
                   " has no text ('isoscope levels texts' lists those that have one)");
  }
  return unknown_level(typed);
}

Result<spec::Definition> LevelLibrary::definition(std::string_view typed) const {
  ISOSCOPE_TRY(text, find(typed));
  return spec::read_definition(
      text, [this](std::string_view name, std::string_view from) { return included(name, from); });
}

Result<spec::Definition> LevelLibrary::formula(std::string_view name, std::string_view text) const {
  return spec::read_formula({std::string(name), std::string(text)}, spec::find_shipped);
}

Result<std::vector<LevelText>> LevelLibrary::with_includes(std::string_view typed) const {
  ISOSCOPE_TRY(text, find(typed));
  std::vector<LevelText> texts = {text};
  const auto remember = [&](std::string_view name, std::string_view from) {
    std::optional<LevelText> found = included(name, from);
    if (found && std::ranges::find(texts, found->name, &LevelText::name) == texts.end())
      texts.push_back(*found);
    return found;
  };
  ISOSCOPE_TRY_STATUS(spec::read_definition(text, remember));
  return texts;
}

std::optional<std::string> LevelLibrary::text_called(const std::string& name) const {
  const auto& all = spec::shipped_levels();
  if (const auto level = std::ranges::find(all, name, &ShippedLevel::name); level != all.end())
    return std::string(level->text);
  return read_file_(name);
}

}  // namespace isoscope::synth
