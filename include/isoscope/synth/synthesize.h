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

namespace isoscope::synth {

/// Which histories are looked at. The initial transaction does not count.
struct Scope {
  std::size_t transactions = 5;
  std::size_t keys = 3;  ///< each is read or written by somebody
  /// Per key, the initial one among them. A value only names its writer, so by default there are as
  /// many as there can be: one for each transaction, and the initial one.
  std::optional<std::size_t> values = {};
  bool exactly = false;  ///< this number of transactions, not up to it; each does something
  std::optional<std::size_t> operations = {};  ///< of one transaction at most
  bool blind_writes = true;                    ///< may a transaction write a key it has not read?
  bool any_session_order = false;              ///< any partial order, not only that of sessions
};

/// How to look. The answer does not depend on it, only the time.
struct Strategy {
  bool smart = true;        ///< a forbidding level fails on the allowing levels' own executions
  bool fixed_order = true;  ///< one allowing execution's order is the numbering of transactions
  bool terms = true;        ///< ... and on canonical executions built from the allowing ones
  bool learning = true;     ///< a counterexample excludes more than the history it was found for
  bool incremental = true;  ///< one solver from first to last
};

/// What must allow the history and what must forbid it. The definitions must outlive the question.
struct Question {
  std::vector<const spec::Definition*> allow;
  std::vector<const spec::Definition*> forbid;
};

/// Does one of its levels mention this relation of the history?
bool mentions(const Question& question, spec::Base base);

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
struct Answer {
  enum class Kind : std::uint8_t { found, none, stopped };
  Kind kind = Kind::none;
  std::optional<Found> found = {};
  Effort effort = {};
};

/// Any history of exactly `scope.transactions`, or of the smallest number of them that has one.
Answer find_history(const Question& question, const Scope& scope, const Strategy& strategy,
                    const Limits& limits, Progress& progress);

/// The smallest: fewest transactions, then keys, then operations.
Answer find_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
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
