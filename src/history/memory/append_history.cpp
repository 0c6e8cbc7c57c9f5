#include <vector>

#include "isoscope/history/history_builder.h"

/// Puts two half-built histories together. A part numbers its values, keys, tables, predicates and
/// sessions in the order in which it met them; looking them up here in that order gives the new
/// ones the very numbers they would have got here:
///
///   here: x=0 y=1    part: z=0 x=1 u=2    together: x=0 y=1 z=2 u=3
///
/// A part may have a thing several times: then all but the first are found. Looking up is most of
/// what building costs, and a part of a large history has hardly anything twice. So if a part
/// looked things up, that would save less than it costs.

namespace isoscope {

namespace {

template <class Things, class Find>
auto ids_of(const Things& things, const Find& find) {
  std::vector<decltype(find(things.front()))> ids;
  ids.reserve(things.size());
  for (const auto& thing : things) ids.push_back(find(thing));
  return ids;
}

}  // namespace

HistoryBuilder HistoryBuilder::part() {
  HistoryBuilder builder;
  builder.history_.values_ = ValuePool::draft();
  return builder;
}

bool HistoryBuilder::append(const HistoryBuilder& part) {
  const History& other = part.history_;
  ISOSCOPE_REQUIRE(!values().is_draft());
  ISOSCOPE_ENSURE(operation_count() + part.operation_count() < 0xFFFFFFFF);
  const std::vector<ValueId> value_ids = values().add_all(other.values_);
  const auto tables = ids_of(other.tables_, [&](const std::string& name) { return table(name); });
  const auto keys = ids_of(other.keys_, [&](const History::Key& k) {
    const TableId table_here = tables[k.table.index()];
    if (other.values_.kind(k.name) == ValueKind::integer) {
      return key(other.values_.integer_of(k.name), table_here);
    }
    return key(value_ids[k.name.index()], table_here);
  });
  const auto predicates =
      ids_of(other.predicates_, [&](const Predicate& condition) { return predicate(condition); });
  const auto sessions = ids_of(other.session_names_, [&](ValueId name) {
    return name == ValuePool::nil ? add_session() : session(value_ids[name.index()]);
  });

  const auto append_known = [&](auto& known, const auto& more, const auto& unknown) {
    if (more.empty()) return;
    known.resize(transaction_count(), unknown);
    known.insert(known.end(), more.begin(), more.end());
  };
  append_known(history_.begin_times_, other.begin_times_, History::no_time);
  append_known(history_.end_times_, other.end_times_, History::no_time);
  append_known(history_.stamps_, other.stamps_, History::no_time);
  append_known(history_.levels_, other.levels_, History::no_level);

  const auto first_operation = static_cast<std::uint32_t>(history_.operations_.size());
  for (const History::Transaction& t : other.transactions_) {
    ISOSCOPE_REQUIRE(t.session.index() < sessions.size());
    history_.transactions_.push_back({sessions[t.session.index()], ValuePool::nil,
                                      first_operation + t.first_operation, t.outcome});
    if (t.name == ValuePool::nil) continue;
    if (has_transaction(value_ids[t.name.index()])) return false;
    set_name(value_ids[t.name.index()]);
  }
  for (Update update : other.updates_) {
    update.argument = value_ids[update.argument.index()];
    update.replacement = value_ids[update.replacement.index()];
    update.seen = value_ids[update.seen.index()];
    update.first_operation += first_operation;
    history_.updates_.push_back(update);
  }
  const std::size_t first_access = history_.accesses_.size();
  for (const Operation& o : other.operations_) {
    history_.operations_.push_back(
        o.is_predicate()
            ? Operation::on_predicate(o.kind(), first_access + o.access())
            : Operation::item(o.kind(), keys[o.key().index()], value_ids[o.value().index()]));
  }
  const auto first_row = static_cast<std::uint32_t>(history_.rows_.size());
  for (const History::Access& a : other.accesses_) {
    history_.accesses_.push_back({tables[a.table.index()], predicates[a.predicate.index()],
                                  first_row + a.first_row, a.row_count, a.reported});
  }
  for (const RowVersion& row : other.rows_) {
    history_.rows_.push_back({keys[row.key.index()], value_ids[row.value.index()]});
  }
  return true;
}

}  // namespace isoscope
