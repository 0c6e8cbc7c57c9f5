#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "isoscope/history/format.h"
#include "isoscope/synth/confirm.h"
#include "isoscope/synth/levels.h"

namespace isoscope::synth {

/// A level that comes with the program.
inline spec::Definition level(std::string_view name) {
  const LevelLibrary shipped([](const std::string&) { return std::optional<std::string>(); });
  auto definition = shipped.definition(name);
  EXPECT_TRUE(definition) << name;
  return *std::move(definition);
}

/// A level of one's own.
inline spec::Definition level_from(std::string_view text) {
  auto definition = spec::read_definition({"my.level", std::string(text)}, spec::find_shipped);
  EXPECT_TRUE(definition) << definition.error().text();
  return *std::move(definition);
}

inline History history_from(std::string_view litmus) {
  const Source source = Source::from_memory("test", std::string(litmus));
  auto history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << history.error().text();
  return *std::move(history);
}

inline spec::Structure structure_from(std::string_view litmus) {
  auto structure = spec::structure_of(history_from(litmus));
  EXPECT_TRUE(structure) << structure.error().text();
  return *std::move(structure);
}

/// What a search would have found, each allowing level with its first execution.
inline Found found_from(const Question& question, std::string_view litmus) {
  Found found{structure_from(litmus), {}};
  for (const spec::Definition* allowing : question.allow) {
    auto execution = spec::find_execution(*allowing, found.history);
    EXPECT_TRUE(execution) << allowing->name;
    found.executions.push_back(*std::move(execution));
  }
  return found;
}

}  // namespace isoscope::synth
