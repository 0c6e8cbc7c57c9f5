#include "isoscope/report/stores_report.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/text_lines.h"
#include "isoscope/base/words.h"
#include "isoscope/store/violations.h"

namespace isoscope::report {
namespace {

constexpr std::size_t page_width = 100;

template <class Table>
std::size_t longest_name(const Table& table) {
  std::size_t width = 0;
  for (const auto& row : table) width = std::max(width, row.name.size());
  return width;
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

std::string names_of_levels(std::span<const LevelId> some) {
  return some.empty() ? "nothing" : joined(some, [](LevelId id) { return name_of(id); });
}

void add_wrapped(std::string& text, std::string first, const std::string& rest) {
  const std::size_t indent = first.size();
  for (const std::string& line : wrapped(rest, page_width - indent)) {
    text += first + line + "\n";
    first.assign(indent, ' ');
  }
}

void add_members(JsonWriter& json, StoreKind kind) {
  const StoreEntry& store = entry_of(kind);
  json.member("name").string(store.name);
  json.member("summary").string(store.summary);
  json.member("promises").string(name_of(store.promise));
  json.member("violations").begin_array();
  for (const BugEntry& bug : bugs()) {
    if (!can_have(kind, bug.bug)) continue;
    json.begin_object().member("bug").string(bug.name);
    for (const bool session_order : {true, false}) {
      json.member(session_order ? "weakest-levels" : "weakest-levels-without-session-order");
      json.begin_array();
      for (const LevelId id : violated_levels(kind, bug.bug, session_order)) {
        json.string(name_of(id));
      }
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string stores_text() {
  std::string text = "Stores (isoscope generate --store NAME):\n";
  const std::size_t store_width = longest_name(stores());
  for (const StoreEntry& store : stores()) {
    add_wrapped(
        text, "  " + padded(store.name, store_width + 2),
        std::string(store.summary) + ". Promises " + std::string(name_of(store.promise)) + ".");
  }
  text += "\nBugs (--bug NAME), and the stores that can have them:\n";
  const std::size_t bug_width = longest_name(bugs());
  for (const BugEntry& bug : bugs()) {
    if (bug.bug == Bug::none) continue;
    std::vector<std::string_view> having;
    for (const StoreEntry& store : stores()) {
      if (can_have(store.kind, bug.bug)) having.push_back(store.name);
    }
    const std::string where = having.size() == stores().size() ? "all" : joined(having);
    add_wrapped(text, "  " + padded(bug.name, bug_width + 2), std::string(bug.summary) + ".");
    add_wrapped(text, "  " + padded("", bug_width + 2) + "in ", where);
  }
  return text +
         "\n'isoscope stores show NAME' lists the levels that a store violates with each bug.\n";
}

std::string store_text(StoreKind kind) {
  const StoreEntry& store = entry_of(kind);
  std::string text = std::string(store.name) + ": " + std::string(store.summary) + ".\nPromises " +
                     std::string(name_of(store.promise)) +
                     ".\n\nWhat its runs can violate: these levels, all levels that imply one of "
                     "them, and no others.\n";
  const std::size_t width = longest_name(bugs());
  for (const BugEntry& bug : bugs()) {
    if (!can_have(kind, bug.bug)) continue;
    const auto with = violated_levels(kind, bug.bug, true);
    const auto without = violated_levels(kind, bug.bug, false);
    const std::string_view name = bug.bug == Bug::none ? "without a bug" : bug.name;
    add_wrapped(text, "  " + padded(name, width + 2), names_of_levels(with));
    if (!std::ranges::equal(with, without)) {
      add_wrapped(text,
                  "  " + padded("", width + 2) + "session order off: ", names_of_levels(without));
    }
  }
  return text;
}

std::string stores_json() {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-stores").integer(1).member("stores").begin_array();
  for (const StoreEntry& store : stores()) {
    json.begin_object();
    add_members(json, store.kind);
    json.end_object();
  }
  json.end_array().member("bugs").begin_array();
  for (const BugEntry& bug : bugs()) {
    json.begin_object().member("name").string(bug.name);
    json.member("summary").string(bug.summary).end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string store_json(StoreKind kind) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-store").integer(1);
  add_members(json, kind);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
