#include "synth/renaming.h"

#include <numeric>

#include "isoscope/synth/confirm.h"

namespace isoscope::synth {
namespace {

using spec::Matrix;
using spec::Witness;

Matrix renamed(const Matrix& matrix, const std::vector<std::size_t>& rows,
               const std::vector<std::size_t>& columns) {
  Matrix result{std::vector<std::uint64_t>(rows.size())};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (matrix.has(i, j)) result.add(rows[i], columns[j]);
  return result;
}

}  // namespace

Names same_names(const spec::Structure& history) {
  Names names{std::vector<std::size_t>(history.transactions),
              std::vector<std::size_t>(history.keys)};
  std::iota(names.transactions.begin(), names.transactions.end(), std::size_t{0});
  std::iota(names.keys.begin(), names.keys.end(), std::size_t{0});
  return names;
}

Names session_by_session(const spec::Structure& history) {
  const std::size_t n = history.transactions;
  const bool sessions = has_sessions(history);
  Names names = same_names(history);
  std::vector<bool> done(n, false);
  done[0] = true;
  const auto is_next = [&](std::size_t t) {
    for (std::size_t s = 1; s < n; ++s)
      if (history.so.has(s, t) && !done[s]) return false;
    return !done[t];
  };
  std::size_t last = 0;  // whose session goes on
  for (std::size_t number = 1; number < n; ++number) {
    std::size_t next = 0;
    for (std::size_t t = n; t-- > 1;)
      if (is_next(t)) next = t;
    for (std::size_t t = 1; t < n && sessions && last != 0; ++t)
      if (is_next(t) && history.so.has(last, t)) next = t;
    names.transactions[next] = number;
    done[next] = true;
    last = next;
  }
  return names;
}

spec::Structure renamed(const spec::Structure& history, const Names& names) {
  const auto& [transactions, keys] = names;
  spec::Structure result = spec::empty_structure(history.transactions - 1, history.keys);
  result.so = renamed(history.so, transactions, transactions);
  result.rt = renamed(history.rt, transactions, transactions);
  result.writes = renamed(history.writes, transactions, keys);
  for (std::size_t x = 0; x < history.keys; ++x) {
    result.wr[keys[x]] = renamed(history.wr[x], transactions, transactions);
    result.seen_before[keys[x]] = renamed(history.seen_before[x], transactions, transactions);
  }
  return result;
}

spec::Execution renamed(const spec::Execution& execution, const spec::Definition& level,
                        const Names& names) {
  spec::Execution result = execution;
  for (std::size_t i = 0; i < execution.size(); ++i) {
    switch (level.witnesses[i].kind) {
      case Witness::Kind::total_order:
      case Witness::Kind::relation:
        result[i].matrix = renamed(execution[i].matrix, names.transactions, names.transactions);
        break;
      case Witness::Kind::version_order:
        for (std::size_t x = 0; x < names.keys.size(); ++x)
          result[i].by_key[names.keys[x]] =
              renamed(execution[i].by_key[x], names.transactions, names.transactions);
        break;
      case Witness::Kind::transaction_set:
        result[i].matrix = renamed(execution[i].matrix, {0}, names.transactions);
        break;
      case Witness::Kind::key_set:
        result[i].matrix = renamed(execution[i].matrix, {0}, names.keys);
        break;
    }
  }
  return result;
}

Found renamed(const Found& found, const Question& question, const Names& names) {
  Found result{renamed(found.history, names), {}};
  for (std::size_t i = 0; i < found.executions.size(); ++i)
    result.executions.push_back(renamed(found.executions[i], *question.allow[i], names));
  return result;
}

}  // namespace isoscope::synth
