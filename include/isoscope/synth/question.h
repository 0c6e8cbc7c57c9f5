#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "isoscope/spec/definition.h"

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

}  // namespace isoscope::synth
