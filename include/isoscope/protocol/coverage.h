#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// What the runs of a model that were looked at have shown to be possible. A model in which nothing
/// happens has every level: what is missing here makes "not refuted" and "proved" say little.
struct Coverage {
  std::vector<std::uint64_t> fired;  ///< by event: how often
  /// Steps by which clients see a transaction commit.
  std::uint64_t commits = 0;
  std::uint64_t writers = 0;            ///< of them: it writes
  std::uint64_t readers = 0;            ///< of them: it has read, be it initial versions only
  std::uint64_t readers_of_others = 0;  ///< of them: it has read what another transaction wrote
  /// Random runs, and those of them in which two committed transactions overlapped in time, used
  /// the same key, and one of them wrote it.
  std::uint64_t runs = 0;
  std::uint64_t runs_with_overlap = 0;
  /// Could a transaction have read from another one if there had been enough transactions?
  bool has_others = false;
  /// What `observe` kept from clients in these runs, in words: reads that a committed transaction
  /// had made, commits.
  std::vector<std::string> hidden = {};
  /// Describes in words a transaction that commits but is answered in no run, although the model
  /// has answers. It is set only if all runs were looked at. A transaction without an answer may
  /// take effect at any time.
  std::string never_answered = {};

  void add(const Coverage& other);
  bool operator==(const Coverage&) const = default;
};

/// Events that never happened.
std::vector<std::string> events_never_taken(const Model& model, const Coverage& coverage);

/// What a coverage is held against: levels, or just that something happens.
enum class Question : std::uint8_t { levels, steps };

/// What no run has shown, and without which an answer says little, in words: "no transaction that
/// writes ever commits". Events that are known to be impossible are passed over.
std::vector<std::string> never_shown(const Model& model, const Coverage& coverage,
                                     Question question = Question::levels,
                                     const std::vector<std::string>& known_impossible = {});

/// What the text hides from clients: it has events that copy (or install) versions, but its
/// `observe` knows no reads (or writes). That is so whatever runs show.
std::vector<std::string> hidden_accesses(const Model& model);

/// "committed writers 12, committed readers 9 (7 of others' writes), overlapping conflicts in 3
/// of 100 random runs, events never taken: none"
std::string text_of(const Model& model, const Coverage& coverage);

/// Adds random runs of sizes that are too large to explore, until everything was shown or there
/// were enough of them.
void cover_by_random_runs(const Model& model, Question question, const Limits& limits,
                          Coverage& coverage);

}  // namespace isoscope::protocol
