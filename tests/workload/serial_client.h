#pragma once

#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "isoscope/history/predicate_json.h"
#include "isoscope/workload/workload.h"

namespace isoscope {

/// A value as a person writes it; lists are not needed here.
inline std::string text_of(const ValuePool& values, ValueId value) {
  switch (values.kind(value)) {
    case ValueKind::integer:
      return std::to_string(values.integer_of(value));
    case ValueKind::string:
      return std::string(values.string_of(value));
    case ValueKind::row: {
      std::string text = "{";
      for (const Column& column : values.row_of(value)) {
        text += text_of(values, column.name) + ":" + text_of(values, column.value) + " ";
      }
      return text + "}";
    }
    default:
      return "nil";
  }
}

/// The request without ids, so that requests of different runs can be compared.
inline std::string text_of(HistoryBuilder& names, const Request& request) {
  std::string text(name_of(request.kind));
  if (request.kind >= OperationKind::predicate_read) {
    text += " table " + std::to_string(request.table.value) + " ";
    append_predicate_json(text, names.predicate(request.predicate));
  } else {
    text += " table " + std::to_string(names.key_table(request.key).value) + " key " +
            text_of(names.values(), names.key_name(request.key));
  }
  return text + " " + text_of(names.values(), request.value);
}

/// A request with its answer.
struct Step {
  Request request;
  ValueId value = ValuePool::nil;
  std::vector<RowVersion> rows;
};

struct Transaction {
  std::vector<Step> steps;
  Ending ending = Ending::commit;
};

/// The simplest database: one transaction after the other, a map from keys to values, predicates by
/// looking at every row.
class SerialClient {
 public:
  explicit SerialClient(const WorkloadPlan& plan)
      : sessions_(plan.sessions), workload_(make_workload(plan, names_)) {
    for (const RowVersion& row : workload_->initial_rows()) set(row.key, row.value);
  }

  /// The next transaction of the session.
  Transaction run(std::size_t session) {
    undo_.clear();
    Transaction transaction;
    Script script = workload_->next(session);
    Reply reply;
    for (const Request* request = script.start(); request != nullptr;
         request = script.resume(reply)) {
      transaction.steps.push_back(answer(*request));
      reply = {transaction.steps.back().value, transaction.steps.back().rows};
    }
    transaction.ending = script.ending();
    if (transaction.ending == Ending::abort) {
      for (const RowVersion& old : std::views::reverse(undo_)) state_[old.key] = old.value;
    }
    return transaction;
  }

  /// Runs this many transactions, the sessions taking turns.
  std::vector<Transaction> run_all(std::size_t transactions) {
    std::vector<Transaction> all;
    for (std::size_t t = 0; t < transactions; ++t) all.push_back(run(t % sessions_));
    return all;
  }

  HistoryBuilder& names() { return names_; }

  ValueId value(KeyId key) const {
    const auto found = state_.find(key);
    return found == state_.end() ? ValuePool::nil : found->second;
  }
  std::int64_t integer(KeyId key) { return names_.values().integer_of(value(key)); }

  /// The rows of a table that exist: column by name, by key number.
  std::map<std::int64_t, std::map<std::string, std::int64_t>> table(std::string_view name) {
    const TableId id = names_.table(name);
    const ValuePool& values = names_.values();
    std::map<std::int64_t, std::map<std::string, std::int64_t>> rows;
    for (const auto& [key, value] : state_) {
      if (names_.key_table(key) != id || value == ValuePool::nil) continue;
      auto& row = rows[values.integer_of(names_.key_name(key))];
      for (const Column& column : values.row_of(value)) {
        row[std::string(values.string_of(column.name))] = values.integer_of(column.value);
      }
    }
    return rows;
  }

 private:
  Step answer(const Request& request) {
    Step step{request, ValuePool::nil, {}};
    switch (request.kind) {
      case OperationKind::read:
        step.value = value(request.key);
        break;
      case OperationKind::list_read:
        step.value = list(request.key);
        break;
      case OperationKind::append:
        set(request.key, names_.values().list_with(list(request.key), request.value));
        break;
      case OperationKind::write:
      case OperationKind::insert:
      case OperationKind::remove:
        set(request.key, request.value);
        break;
      case OperationKind::predicate_read:
        step.rows = selected(request);
        break;
      case OperationKind::predicate_write:
        step.rows = selected(request);
        for (RowVersion& row : step.rows) {
          row.value = changed(row.value, request.value);
          set(row.key, row.value);
        }
        break;
    }
    return step;
  }

  void set(KeyId key, ValueId value) {
    ValueId& held = state_[key];
    undo_.push_back({key, held});
    held = value;
  }

  ValueId list(KeyId key) const {
    const ValueId found = value(key);
    return found == ValuePool::nil ? ValuePool::empty_list : found;
  }

  std::vector<RowVersion> selected(const Request& request) {
    const Predicate& predicate = names_.predicate(request.predicate);
    std::vector<RowVersion> rows;
    for (const auto& [key, value] : state_) {
      if (names_.key_table(key) == request.table &&
          evaluate(predicate, names_.values(), names_.key_name(key), value) == Truth::yes) {
        rows.push_back({key, value});
      }
    }
    return rows;
  }

  ValueId changed(ValueId row, ValueId change) {
    if (change == ValuePool::nil) return change;
    const auto old = names_.values().row_of(row);
    std::vector<Column> columns(old.begin(), old.end());
    for (Column& column : columns) {
      for (const Column& set : names_.values().row_of(change)) {
        if (set.name == column.name) column.value = set.value;
      }
    }
    return names_.values().row(columns);
  }

  std::size_t sessions_;
  HistoryBuilder names_;
  std::unique_ptr<Workload> workload_;
  std::map<KeyId, ValueId> state_;
  std::vector<RowVersion> undo_;  // what the transaction found where it wrote
};

inline WorkloadPlan usual_plan(WorkloadKind kind) { return entry_of(kind).usual; }

}  // namespace isoscope
