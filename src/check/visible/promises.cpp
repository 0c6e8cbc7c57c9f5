#include "check/visible/promises.h"

#include <map>

#include "isoscope/base/words.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope::visible {

namespace {

/// The maximum number of readers that are told: nobody reads more.
constexpr std::size_t most_told = 4;

std::string words_of(const Problem& problem, const Row& row, const Misfit& misfit) {
  const History& history = problem.history();
  const Read& read = problem.read(misfit.read);
  const auto label = [&](Txn t) {
    return t == 0 ? "the initial state" : history.label(problem.sources().id(t));
  };
  const auto level = history.recorded_level(problem.sources().id(read.reader));
  return label(read.reader) + " at " + std::string(name_of(level.value_or(row.level))) +
         ", which " + std::string(promise_of(row)) + ", read " + key_text(history, read.key) +
         " from " + label(misfit.source) + ", although " + label(misfit.newer) + " wrote it";
}

}  // namespace

std::string_view promise_of(const Row& row) {
  if (row.everything != Everything::to_none) {
    return row.looks == Looks::at_items ? "sees, key by key, all that committed before it"
                                        : "sees all that committed before it";
  }
  switch (row.inner) {
    case Inner::prefix:
      if (row.overwritten == Overwritten::all) {
        return "reads one snapshot that has in it what it overwrites";
      }
      return row.sources == Sources::all ? "reads one snapshot" : "reads snapshots that only grow";
    case Inner::causes:
      return "sees what led to what it saw";
    case Inner::dependencies:
    case Inner::updates:
      return "sees what led to what it saw or overwrites";
    case Inner::none:
      break;
  }
  if (row.overwritten == Overwritten::same_key) return "overwrites the version that it has read";
  if (row.overwritten == Overwritten::all) {
    return "sees everything of what it read from or overwrites";
  }
  return row.sources == Sources::all ? "sees everything of what it read from"
                                     : "misses nothing of what it has read from before";
}

std::string broken_promises(const Problem& problem, const RowOf& row_of, const Repair& repair) {
  std::map<OperationRef, std::string> told;  // in the order of the history
  for (const ProofEvent& event : repair.proof().trimmed()) {
    const auto misfit = repair.misfits().find(event.id);
    const bool is_told = event.kind == ProofEvent::Kind::given &&
                         misfit != repair.misfits().end() && misfit->second.newer != 0;
    if (!is_told) continue;
    const Read& read = problem.read(misfit->second.read);
    told.try_emplace({problem.sources().id(read.reader), read.operation},
                     words_of(problem, row_of(read.reader), misfit->second));
  }
  std::string text = "no order of commits gives all readers what their levels promise";
  std::size_t count = 0;
  for (const auto& [read, words] : told) {
    if (++count > most_told) break;
    text += (count == 1 ? ": " : "; ") + words;
  }
  if (told.size() > most_told) text += "; and " + counted(told.size() - most_told, "more read");
  return text;
}

}  // namespace isoscope::visible
