#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isoscope/history/format.h"
#include "isoscope/level/level.h"

/// The litmus corpus: small histories in the folder of this file, where the path says at which
/// levels the history is (docs/litmus-corpus.md). Any engine that decides levels can be held
/// against it:
///
///   for (const litmus::Case& c : litmus::corpus()) {
///     const History history = c.read();
///     for (const Level level : litmus::all_levels()) {
///       if (const auto expected = c.at(level)) EXPECT_EQ(engine(history, level), *expected);
///     }
///   }
namespace isoscope::litmus {

/// Every level of the catalogue, with session order and without.
inline std::vector<Level> all_levels() {
  std::vector<Level> all;
  for (const bool session_order : {true, false}) {
    for (const LevelEntry& row : levels()) all.push_back({row.id, session_order});
  }
  return all;
}

/// Where the folder is that a case belongs to, and what kind of claim its path makes.
enum class Kind {
  boundary,          ///< at one level, not at another that implies it directly
  incomparable,      ///< at one level, not at another, which has a history for the opposite
  session_order,     ///< at a level without session order, not with it
  anomaly,           ///< violates exactly the levels that forbid the anomaly
  anomaly_and_more,  ///< violates these and further ones
  classic,           ///< with session order, violates exactly the levels above the named ones
};

/// One file of the corpus.
///
/// `satisfied` and `violated` are what the path says. They and what they imply are all that is
/// known; but where no session has two transactions, what the path says about a level with session
/// order is true without it too.
struct Case {
  std::string name;  ///< the path within the corpus, without the extension
  Kind kind = Kind::boundary;
  std::vector<std::string> parts;  ///< of the name, between slashes
  std::vector<Level> satisfied = {};
  std::vector<Level> violated = {};
  bool has_session_order = false;  ///< some session has two transactions

  std::filesystem::path path() const {
    return std::filesystem::path(ISOSCOPE_SOURCE_DIR) / "tests/litmus" / (name + ".litmus");
  }

  History read() const {
    const auto source = Source::open(path().string());
    if (!source) throw std::runtime_error(source.error().text());
    auto history = read_history(*source, {.format = Format::litmus});
    if (!history) throw std::runtime_error(history.error().text());
    return *std::move(history);
  }

  /// Whether the history is at the level; nothing if the path does not tell.
  std::optional<bool> at(Level level) const {
    // A session guarantee without session order is no more than valid-reads, even so.
    if (!has_session_order && !is_vacuous(level)) level.session_order = true;
    const bool yes = std::ranges::any_of(satisfied, [&](Level l) { return implies(l, level); });
    const bool no = std::ranges::any_of(violated, [&](Level l) { return implies(level, l); });
    if (yes && no) throw std::runtime_error(name + " contradicts the catalogue");
    return yes || no ? std::optional(yes) : std::nullopt;
  }
};

/// How tests print it.
inline void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

namespace path {

/// The words between the separators.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == separator) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// The text after a prefix that has to be there.
inline std::string after(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix)) throw std::runtime_error("not " + std::string(prefix));
  return std::string(text.substr(prefix.size()));
}

/// Finds a level by its canonical name only, so that a level has one folder.
inline Level level(std::string_view name, bool session_order = true) {
  for (const LevelEntry& row : levels()) {
    if (row.name == name) return {row.id, session_order};
  }
  throw std::runtime_error("no level: " + std::string(name));
}

inline Anomaly anomaly(std::string_view name) {
  for (const AnomalyEntry& row : anomalies()) {
    if (row.name == name) return row.id;
  }
  throw std::runtime_error("no anomaly: " + std::string(name));
}

/// What the path says.
inline Case claim(const std::string& name) {
  Case result{.name = name, .parts = split(name, '/')};
  const std::vector<std::string>& parts = result.parts;
  const auto in = [&](std::string_view folder, std::size_t depth) {
    return parts.front() == folder && parts.size() == depth;
  };
  if (in("boundary", 3) || in("incomparable", 3)) {
    result.kind = parts[0] == "boundary" ? Kind::boundary : Kind::incomparable;
    result.satisfied = {level(parts[1])};
    result.violated = {level(after("not-", parts[2]))};
  } else if (in("session-order", 2)) {
    result.kind = Kind::session_order;
    result.satisfied = {level(parts[1], false)};
    result.violated = {level(parts[1])};
  } else if (in("anomaly", 3) || in("anomaly-and-more", 3)) {
    result.kind = parts[0] == "anomaly" ? Kind::anomaly : Kind::anomaly_and_more;
    for (const Level l : all_levels()) {
      const bool forbidden = forbids(l, anomaly(parts[1]));
      if (forbidden) result.violated.push_back(l);
      if (!forbidden && result.kind == Kind::anomaly) result.satisfied.push_back(l);
    }
  } else if (in("classic", 3) || in("coo", 3)) {
    result.kind = Kind::classic;
    const std::string weakest = after("violates-", parts[1]);
    if (weakest != "nothing") {
      for (const std::string& one : split(weakest, '+')) result.violated.push_back(level(one));
    }
    for (const LevelEntry& row : levels()) {
      const bool above = std::ranges::any_of(
          result.violated, [&](Level violated) { return implies(row.id, violated.id); });
      if (!above) result.satisfied.push_back({row.id});
    }
  } else {
    throw std::runtime_error("its folder says nothing");
  }
  return result;
}

}  // namespace path

/// All files, by name. A path that says nothing, or names no level or anomaly, throws.
inline std::vector<Case> corpus() {
  const std::filesystem::path root = std::filesystem::path(ISOSCOPE_SOURCE_DIR) / "tests/litmus";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".litmus") continue;
    names.push_back(std::filesystem::relative(entry.path(), root).replace_extension().string());
  }
  std::ranges::sort(names);
  std::vector<Case> cases;
  for (const std::string& name : names) {
    try {
      Case c = path::claim(name);
      const History history = c.read();
      for (const SessionId session : history.sessions()) {
        if (history.session(session).size() > 1) c.has_session_order = true;
      }
      cases.push_back(std::move(c));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("litmus corpus: " + name + ": " + error.what());
    }
  }
  return cases;
}

}  // namespace isoscope::litmus
