#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// A history as plain data: easy to enumerate, to draw at random and to change. Value 0 is nil.
struct SmallOperation {
  OperationKind kind = OperationKind::read;
  int key = 0;
  int value =
      0;  ///< of an item; for a predicate operation, the value its predicate asks for (0: any)
  bool reported = true;
  std::vector<int> list = {};                  ///< of a list read
  std::vector<std::pair<int, int>> rows = {};  ///< of a predicate operation: keys and values
};

struct SmallTransaction {
  std::vector<SmallOperation> operations = {};
  Outcome outcome = Outcome::committed;
};

struct SmallHistory {
  std::vector<SmallTransaction> transactions = {};
  /// nullopt: keys have no initial version.
  std::optional<int> initial = 0;
  std::vector<int> initial_list = {};  ///< of key list_key, if not empty
  static constexpr int list_key = 9;

  History make() const {
    HistoryBuilder builder;
    const auto value = [&](int number) {
      return number == 0 ? ValuePool::nil : builder.values().integer(number);
    };
    const auto list = [&](const std::vector<int>& elements) {
      ValueId result = ValuePool::empty_list;
      for (const int element : elements)
        result = builder.values().list_with(result, value(element));
      return result;
    };
    builder.set_initial_default(initial ? std::optional(value(*initial)) : std::nullopt);
    if (!initial_list.empty()) builder.set_initial(builder.key(list_key), list(initial_list));
    const SessionId session = builder.add_session();
    for (const SmallTransaction& transaction : transactions) {
      builder.begin_transaction(session);
      builder.set_outcome(transaction.outcome);
      for (const SmallOperation& operation : transaction.operations) {
        switch (operation.kind) {
          case OperationKind::list_read:
            builder.list_read(builder.key(operation.key), list(operation.list));
            break;
          case OperationKind::predicate_read:
          case OperationKind::predicate_write: {
            Predicate predicate;
            if (operation.value != 0) {
              predicate.kind = Predicate::Kind::equal;
              predicate.operand = Predicate::value_operand;
              predicate.constants = {Constant(std::int64_t{operation.value})};
            }
            std::vector<RowVersion> rows;
            for (const auto& [key, row] : operation.rows)
              rows.push_back({builder.key(key), value(row)});
            builder.add_predicate(
                operation.kind, HistoryBuilder::default_table, builder.predicate(predicate),
                operation.reported ? std::optional(std::span<const RowVersion>(rows))
                                   : std::nullopt);
            break;
          }
          default:
            builder.add(operation.kind, builder.key(operation.key),
                        operation.reported ? value(operation.value) : ValuePool::unreported);
        }
      }
    }
    return std::move(builder).finish();
  }

  /// The text that failing tests show.
  std::string text() const { return *format_history(make(), Format::native); }
};

/// All sequences of at most `longest` of the given operations, with every outcome.
inline std::vector<SmallTransaction> all_transactions(const std::vector<SmallOperation>& operations,
                                                      std::size_t longest) {
  std::vector<std::vector<SmallOperation>> sequences = {{}};
  for (std::size_t first = 0; longest > 0; --longest) {
    const std::size_t last = sequences.size();
    for (std::size_t i = first; i < last; ++i) {
      for (const SmallOperation& operation : operations) {
        sequences.push_back(sequences[i]);
        sequences.back().push_back(operation);
      }
    }
    first = last;
  }
  std::vector<SmallTransaction> all;
  for (const auto& sequence : sequences) {
    for (const Outcome outcome : {Outcome::committed, Outcome::aborted, Outcome::indeterminate}) {
      all.push_back({sequence, outcome});
    }
  }
  return all;
}

/// Calls visit(history) for every `stride`-th of all choices of `count` transactions, order aside.
template <class Visit>
void for_each_history(const std::vector<SmallTransaction>& transactions, std::size_t count,
                      std::size_t stride, const Visit& visit) {
  std::vector<std::size_t> chosen(count, 0);
  SmallHistory history;
  for (std::size_t number = 0;; ++number) {
    if (number % stride == 0) {
      history.transactions.clear();
      for (const std::size_t i : chosen) history.transactions.push_back(transactions[i]);
      visit(history);
    }
    std::size_t at = count;
    while (at > 0 && chosen[at - 1] + 1 == transactions.size()) --at;
    if (at == 0) return;
    const std::size_t next = chosen[at - 1] + 1;
    for (std::size_t i = at - 1; i < count; ++i) chosen[i] = next;
  }
}

struct RandomSmallFeatures {
  bool lists = true;
  bool predicates = true;
  bool unreported_writes = false;
  bool odd = false;  ///< predicates look at the list, and registers are read as lists
};

/// A random history of a few transactions over two registers and a list, with few values. Lists are
/// mostly made of appends that exist, so that good reads are common.
inline SmallHistory random_small_history(Random& random, const RandomSmallFeatures& features) {
  SmallHistory history;
  const auto number = [&](std::uint64_t bound) { return static_cast<int>(random.below(bound)); };
  if (random.chance(20)) history.initial = random.chance(50) ? std::optional(1) : std::nullopt;
  if (features.lists && random.chance(15)) {
    history.initial_list = random.chance(50) ? std::vector{5} : std::vector{5, 1};
  }
  const int distinct = 2 + number(4);
  history.transactions.resize(2 + random.below(4));
  for (SmallTransaction& transaction : history.transactions) {
    const int choice = number(100);
    transaction.outcome = choice < 40   ? Outcome::committed
                          : choice < 55 ? Outcome::aborted
                                        : Outcome::indeterminate;
    for (int i = 0, count = number(5); i < count; ++i) {
      SmallOperation operation;
      operation.key = number(2);
      operation.value = number(static_cast<std::uint64_t>(distinct));
      const int kind = number(100);
      if (features.lists && kind < 40) {
        operation.key = SmallHistory::list_key;
        operation.kind = kind < 20 ? OperationKind::append : OperationKind::list_read;
      } else if (features.predicates && kind < 55) {
        operation.kind = kind < 48 ? OperationKind::predicate_read : OperationKind::predicate_write;
        if (random.chance(50)) operation.value = 0;
        operation.reported = !(features.unreported_writes && random.chance(30));
        for (int row = 0; row < 2; ++row) {
          const bool read = operation.kind == OperationKind::predicate_read;
          const int seen =
              read && operation.value != 0 && random.chance(80) ? operation.value : number(3);
          if (random.chance(50)) operation.rows.push_back({row, read && seen == 0 ? 1 : seen});
        }
        if (features.odd && operation.kind == OperationKind::predicate_read && random.chance(40)) {
          operation.rows.push_back({SmallHistory::list_key, 1 + number(2)});
        }
        if (!operation.reported) operation.rows.clear();
      } else if (kind < 75) {
        operation.kind = operation.value == 0 ? OperationKind::remove : OperationKind::write;
        operation.reported = !(features.unreported_writes && random.chance(15));
      }
      if (features.odd && operation.kind == OperationKind::read && random.chance(30)) {
        operation.kind = OperationKind::list_read;
      }
      transaction.operations.push_back(operation);
    }
  }
  for (SmallTransaction& reader : history.transactions) {
    std::vector<int> own;
    for (SmallOperation& operation : reader.operations) {
      if (operation.kind == OperationKind::append) own.push_back(operation.value);
      if (operation.kind != OperationKind::list_read || operation.key != SmallHistory::list_key)
        continue;
      std::vector<int>& list = operation.list;
      list = history.initial_list;
      for (int i = 0, count = number(4); i < count; ++i) {
        const SmallTransaction& other =
            history.transactions[random.below(history.transactions.size())];
        for (const SmallOperation& append : other.operations) {
          if (append.kind == OperationKind::append && random.chance(95))
            list.push_back(append.value);
        }
      }
      if (random.chance(90)) list.insert(list.end(), own.begin(), own.end());
      if (random.chance(5)) list.push_back(number(5));
      if (!list.empty() && random.chance(5)) list.erase(list.begin());
    }
  }
  return history;
}

}  // namespace isoscope::test
