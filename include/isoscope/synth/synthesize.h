#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/spec/definition.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/spec/structure.h"
#include "isoscope/synth/question.h"

namespace isoscope::synth {

/// Fewest transactions, then keys, then operations.
struct Size {
  std::size_t transactions = 0;
  std::size_t keys = 0;
  std::size_t operations = 0;

  auto operator<=>(const Size&) const = default;
};
Size size_of(const spec::Structure& history);

struct Effort {
  std::uint64_t candidates = 0;  ///< histories proposed, whether they were answers or not
  std::uint64_t first_clauses = 0;
  std::uint64_t clauses = 0;
  std::uint64_t variables = 0;
};

/// Transactions are numbered session by session.
struct Found {
  spec::Structure history;
  std::vector<spec::Execution> executions;  ///< of the allowing levels
};

/// A history, or that there is none in the scope, or neither because a limit was reached.
struct Synthesis {
  enum class Kind : std::uint8_t { found, none, stopped };
  Kind kind = Kind::none;
  std::optional<Found> found = {};
  Effort effort = {};
};

/// Any history of exactly `scope.transactions`, or of the smallest number of them that has one.
Synthesis find_history(const Question& question, const Scope& scope, const Strategy& strategy,
                       const Limits& limits, Progress& progress);

/// The smallest: fewest transactions, then keys, then operations.
Synthesis find_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                        const Limits& limits, Progress& progress);

/// All smallest ones, no two of them the same up to the names of transactions and keys.
/// `is_complete` is false when a limit, or `at_most` of them, were reached.
struct AllFound {
  std::vector<Found> found;
  bool is_complete = false;
  Effort effort = {};
};
AllFound find_all_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                           std::size_t at_most, const Limits& limits, Progress& progress);

/// Does the level allow this history: its execution, if so. Nothing in the optional: stopped.
struct Allowed {
  std::optional<spec::Execution> execution;
};
std::optional<Allowed> is_allowed(const spec::Definition& definition,
                                  const spec::Structure& history, const Limits& limits);

/// Why a level forbids a history: parts of its definition that no execution fulfils together, none
/// of which can be left out.
struct Demand {
  std::string axiom;  ///< or "NAME contains", "NAME is contained in": a witness's bounds
  std::vector<std::pair<spec::Sort, std::uint32_t>> bound;  ///< what its variables stand for
};
std::vector<Demand> why_forbidden(const spec::Definition& definition,
                                  const spec::Structure& history, const Limits& limits);

}  // namespace isoscope::synth
