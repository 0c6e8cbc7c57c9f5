#include "check/history_part.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "check/row_index.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {

namespace {

class Copy {
 public:
  Copy(const History& from, const PartOfHistory& part) : from_(from), part_(part) {}

  History make() && {
    find_lost_elements();
    const auto initial = from_.initial_default();
    builder_.set_initial_default(initial ? std::optional(value(*initial)) : std::nullopt);
    builder_.set_origin(from_.origin());
    for (const TransactionId t : from_.transactions()) {
      if (part_.has(t)) transaction(t);
    }
    for (const RowVersion& row : from_.initial_rows()) {
      if (used_keys_.contains(row.key)) builder_.set_initial(key(row.key), value(row.value));
    }
    keep_selected_rows();
    return std::move(builder_).finish();
  }

 private:
  using Element = std::pair<KeyId, ValueId>;

  void find_lost_elements() {
    std::set<Element> kept;
    for (const TransactionId t : from_.transactions()) {
      const auto operations = from_.operations(t);
      for (std::size_t i = 0; i < operations.size(); ++i) {
        if (operations[i].kind() != OperationKind::append) continue;
        const bool stays = part_.has(t) && part_.has(t, i);
        (stays ? kept : lost_).emplace(operations[i].key(), operations[i].value());
      }
    }
    for (const Element& element : kept) lost_.erase(element);
  }

  void transaction(TransactionId t) {
    const SessionId session = builder_.session(value(from_.session_name(from_.session_of(t))));
    builder_.begin_transaction(session, value(from_.name(t)));
    builder_.set_outcome(from_.outcome(t));
    builder_.set_times(from_.begin_time(t), from_.end_time(t));
    const auto operations = from_.operations(t);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (part_.has(t, i)) operation(operations[i]);
    }
  }

  void operation(const Operation& operation) {
    if (!operation.is_predicate()) {
      const bool list = operation.kind() == OperationKind::list_read &&
                        from_.values().kind(operation.value()) == ValueKind::list;
      builder_.add(operation.kind(), key(operation.key()),
                   list ? list_at(operation.key(), operation.value()) : value(operation.value()));
      return;
    }
    const PredicateAccess access = from_.predicate_access(operation);
    if (access.reported) predicates_.emplace(access.table, access.predicate);
    const TableId table = builder_.table(from_.table_name(access.table));
    const PredicateId predicate = builder_.predicate(from_.predicate(access.predicate));
    std::vector<RowVersion> rows;
    for (const RowVersion& row : access.rows) rows.push_back({key(row.key), value(row.value)});
    const std::optional<std::span<const RowVersion>> known(rows);
    builder_.add_predicate(operation.kind(), table, predicate,
                           access.reported ? known : std::nullopt);
  }

  /// An initial row that no operation names any more matters if a predicate should have returned
  /// it.
  void keep_selected_rows() {
    std::map<TableId, RowIndex> rows;
    for (const KeyId key : from_.keys()) {
      const auto initial = from_.initial_value(key);
      if (!initial || used_keys_.contains(key)) continue;
      rows.try_emplace(from_.key_table(key), from_).first->second.add({key, *initial});
    }
    std::uint64_t work = 0;
    for (const auto& [table, predicate] : predicates_) {
      const auto found = rows.find(table);
      if (found == rows.end()) continue;
      found->second.for_each_selected(predicate, work, [&](const RowIndex::Row& row) {
        if (!used_keys_.contains(row.key)) builder_.set_initial(key(row.key), value(row.value));
        return true;
      });
    }
  }

  KeyId key(KeyId key) {
    used_keys_.insert(key);
    const TableId table = from_.key_table(key);
    return builder_.key(value(from_.key_name(key)), table == HistoryBuilder::default_table
                                                        ? table
                                                        : builder_.table(from_.table_name(table)));
  }

  ValueId value(ValueId id) {
    const ValuePool& values = from_.values();
    switch (values.kind(id)) {
      case ValueKind::nil:
      case ValueKind::unreported:
        return id;
      case ValueKind::integer:
        return builder_.values().integer(values.integer_of(id));
      case ValueKind::string:
        return builder_.values().string(values.string_of(id));
      case ValueKind::row: {
        std::vector<Column> columns;
        for (const Column& column : values.row_of(id)) {
          columns.push_back({value(column.name), value(column.value)});
        }
        return builder_.values().row(columns);
      }
      case ValueKind::list: {
        ValueId list = ValuePool::empty_list;
        for (const ValueId element : values.list_elements(id)) {
          list = builder_.values().list_with(list, value(element));
        }
        return list;
      }
    }
    return id;
  }

  /// Lists of a key share their beginnings, so each longer one costs only its end.
  ValueId list_at(KeyId key, ValueId list) {
    std::vector<ValueId> longer;
    const auto copied = [&](ValueId one) {
      return lists_.find(std::uint64_t{key.value} << 32 | one.value);
    };
    ValueId known = list;
    while (known != ValuePool::empty_list && copied(known) == lists_.end()) {
      longer.push_back(known);
      known = from_.values().list_prefix(known);
    }
    ValueId copy = known == ValuePool::empty_list ? known : copied(known)->second;
    for (; !longer.empty(); longer.pop_back()) {
      const ValueId element = from_.values().list_last(longer.back());
      if (!lost_.contains({key, element})) copy = builder_.values().list_with(copy, value(element));
      lists_.emplace(std::uint64_t{key.value} << 32 | longer.back().value, copy);
    }
    return copy;
  }

  const History& from_;
  const PartOfHistory& part_;
  HistoryBuilder builder_;
  std::set<Element> lost_;
  std::set<KeyId> used_keys_;
  std::set<std::pair<TableId, PredicateId>> predicates_;
  std::unordered_map<std::uint64_t, ValueId> lists_;  // by key and list, the copy
};

}  // namespace

PartOfHistory::PartOfHistory(const History& history, bool all)
    : transactions_(history.transaction_count(), all ? 1 : 0),
      operations_(history.operation_count(), all ? 1 : 0) {
  std::size_t start = 0;
  for (const TransactionId t : history.transactions()) {
    starts_.push_back(start);
    start += history.operations(t).size();
  }
}

History part_of(const History& history, const PartOfHistory& part) {
  return Copy(history, part).make();
}

}  // namespace isoscope
