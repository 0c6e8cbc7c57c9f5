#include "shrink/part_history.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "isoscope/history/history_builder.h"

namespace isoscope::shrinking {

namespace {

/// "... and only of these keys", or "... but not of those", if there are any and these are fewer.
Predicate narrowed(const History& history, Predicate predicate, const std::vector<KeyId>& only,
                   const std::vector<KeyId>& but) {
  const bool exclude = !but.empty() && but.size() < only.size();
  const std::vector<KeyId>& keys = exclude ? but : only;
  Predicate condition;
  condition.operand = Predicate::key_operand;
  condition.kind = keys.size() > 1 ? Predicate::Kind::in
                   : exclude       ? Predicate::Kind::not_equal
                                   : Predicate::Kind::equal;
  for (const KeyId key : keys) {
    const ValueId name = history.key_name(key);
    if (history.values().kind(name) == ValueKind::integer) {
      condition.constants.emplace_back(history.values().integer_of(name));
    } else {
      condition.constants.emplace_back(std::string(history.values().string_of(name)));
    }
  }
  if (exclude && keys.size() > 1) {
    Predicate negation;
    negation.kind = Predicate::Kind::negation;
    negation.children.push_back(std::move(condition));
    condition = std::move(negation);
  }
  if (predicate.kind == Predicate::Kind::always) return condition;
  if (predicate.kind == Predicate::Kind::conjunction) {
    predicate.children.push_back(std::move(condition));
    return predicate;
  }
  Predicate both;
  both.kind = Predicate::Kind::conjunction;
  both.children = {std::move(predicate), std::move(condition)};
  return both;
}

class Copy {
 public:
  Copy(const PartMaker& maker, const Part& part, const std::set<KeyId>& named)
      : maker_(maker), from_(maker.history()), part_(part), named_(named) {}

  PartHistory make() && {
    const auto initial = from_.initial_default();
    builder_.set_initial_default(initial ? std::optional(value(*initial)) : std::nullopt);
    builder_.set_origin(from_.origin());
    builder_.set_time_source(from_.time_source());
    builder_.set_indeterminate_cuts(from_.indeterminate_cuts());
    for (const KeptTransaction& kept : part_) transaction(kept);
    for (const KeyId used : named_) {
      if (is_used(used)) list_initial(used);
    }
    // A predicate that looks for a row which no operation names any more sees its initial value.
    for (const KeyId looked : named_) {
      if (is_used(looked)) continue;
      if (const auto at_first = from_.initial_value(looked)) {
        builder_.set_initial(key(looked), value(*at_first));
      }
    }
    result_.history = std::move(builder_).finish();
    return std::move(result_);
  }

 private:
  void transaction(const KeptTransaction& kept) {
    const TransactionId t = kept.id;
    const SessionId session = builder_.session(value(from_.session_name(from_.session_of(t))));
    builder_.begin_transaction(session, value(from_.name(t)));
    builder_.set_outcome(from_.outcome(t));
    builder_.set_times(from_.begin_time(t), from_.end_time(t));
    if (const auto stamp = from_.commit_stamp(t)) builder_.set_commit_stamp(*stamp);
    if (const auto level = from_.recorded_level(t)) builder_.set_level(*level);
    result_.origin.add(t);
    for (std::size_t i = 0; i < kept.operations.size(); ++i) {
      operation(t, kept.operations[i]);
      if (from_.has_updates()) update(kept, i);
    }
  }

  /// Says that the operations up to this one are an update, if all that it amounts to is kept.
  /// Otherwise a read or a write is left of it. An addition whose base may be 0 or nil would say
  /// more here than in the whole history: its candidates may be gone.
  void update(const KeptTransaction& kept, std::size_t last) {
    const std::uint32_t place = kept.operations[last].place;
    const Update* its = from_.update_at(kept.id, place);
    if (its == nullptr && last > 0 && kept.operations[last - 1].place + 1 == place) {
      its = from_.update_at(kept.id, place - 1);
    }
    if (its == nullptr) return;
    const bool is_last = from_.place_of(*its, kept.id) + its->operation_count() == place + 1;
    const ValueId first = from_.operations(kept.id)[from_.place_of(*its, kept.id)].value();
    const bool is_open = its->is_pair() && first == ValuePool::unreported;
    if (!is_last || is_open) return;
    Update copy = *its;
    copy.argument = value(copy.argument);
    copy.replacement = value(copy.replacement);
    copy.seen = value(copy.seen);
    builder_.note_update(copy);
  }

  void came_from(std::uint32_t place) { result_.origin.add_place(place); }

  void operation(TransactionId t, const KeptOperation& kept) {
    const Operation& operation = from_.operations(t)[kept.place];
    if (operation.is_predicate()) return predicate(operation, kept);
    const bool is_list = operation.kind() == OperationKind::list_read;
    const KeyId its = key(operation.key());
    if (is_list || operation.kind() == OperationKind::append) lists_.insert(operation.key());
    builder_.add(operation.kind(), its, shown(operation.key(), operation.value()));
    came_from(kept.place);
  }

  void predicate(const Operation& operation, const KeptOperation& kept) {
    const PredicateAccess access = from_.predicate_access(operation);
    const TableId table = builder_.table(from_.table_name(access.table));
    if (!access.reported) {
      builder_.add_predicate(operation.kind(), table,
                             builder_.predicate(from_.predicate(access.predicate)), std::nullopt);
      return came_from(kept.place);
    }
    const auto looks = [&](KeyId one) { return std::ranges::binary_search(kept.looked, one); };
    const auto writes = [&](KeyId one) { return std::ranges::binary_search(kept.written, one); };
    if (!kept.looked.empty()) {
      // If fewer keys are looked at than not, those that are not need not be listed.
      const std::vector<KeyId>& all = named_of(access.table);
      std::vector<KeyId> others;
      const bool lists_others = all.size() < 2 * kept.looked.size();
      if (lists_others) std::ranges::set_difference(all, kept.looked, std::back_inserter(others));
      const bool is_narrowed = !lists_others || !others.empty();
      const Predicate& whole = from_.predicate(access.predicate);
      std::vector<RowVersion> rows;
      for (const RowVersion& row : access.rows) {
        if (looks(row.key)) rows.push_back({key(row.key), shown(row.key, row.value)});
      }
      const std::span<const RowVersion> known(rows);
      builder_.add_predicate(
          operation.kind(), table,
          builder_.predicate(is_narrowed ? narrowed(from_, whole, kept.looked, others) : whole),
          known);
      came_from(kept.place);
    }
    for (const RowVersion& row : access.rows) {
      if (!writes(row.key) || looks(row.key)) continue;
      builder_.add(row.value == ValuePool::nil ? OperationKind::remove : OperationKind::write,
                   key(row.key), value(row.value));
      came_from(kept.place);
    }
  }

  /// Ascending.
  const std::vector<KeyId>& named_of(TableId table) {
    if (named_by_table_.empty()) {
      named_by_table_.resize(from_.table_count());
      for (const KeyId one : named_) named_by_table_[from_.key_table(one).index()].push_back(one);
    }
    return named_by_table_[table.index()];
  }

  bool is_used(KeyId key) const { return keys_.contains(key); }

  void list_initial(KeyId one) {
    const auto initial = from_.initial_value(one);
    if (!initial) return;
    // A list of which only a read of nil is left is a register now, and must not start as one.
    const bool was_list = maker_.needs().index().use(one) == KeyUse::list;
    if (was_list && !lists_.contains(one) && from_.values().kind(*initial) != ValueKind::list) {
      builder_.set_initial(key(one), ValuePool::nil);
    } else if (initial != from_.initial_default()) {
      builder_.set_initial(key(one), value(*initial));
    }
  }

  KeyId key(KeyId key) {
    const TableId table = from_.key_table(key);
    const KeyId copy = builder_.key(
        value(from_.key_name(key)),
        table == HistoryBuilder::default_table ? table : builder_.table(from_.table_name(table)));
    if (keys_.insert(key).second) result_.origin.add(key);
    return copy;
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

  /// What an operation read or wrote; a list without the elements whose appends are left out.
  ValueId shown(KeyId key, ValueId id) {
    if (from_.values().kind(id) != ValueKind::list || !is_appended(key)) return value(id);
    return list_at(key, id);
  }

  bool is_appended(KeyId key) const { return maker_.needs().index().use(key) != KeyUse::reg; }

  bool is_lost(KeyId key, ValueId element) const {
    const auto appends = maker_.needs().index().of(key, element);
    return !appends.empty() && std::ranges::none_of(appends, [&](const WriteIndex::Write& append) {
      return keeps(from_, part_, append.at());
    });
  }

  /// Lists of a key share their beginnings, so each longer one costs only its end.
  ValueId list_at(KeyId key, ValueId list) {
    std::vector<ValueId> longer;
    const auto copied = [&](ValueId one) {
      return copies_.find(std::uint64_t{key.value} << 32 | one.value);
    };
    ValueId known = list;
    while (known != ValuePool::empty_list && copied(known) == copies_.end()) {
      longer.push_back(known);
      known = from_.values().list_prefix(known);
    }
    ValueId copy = known == ValuePool::empty_list ? known : copied(known)->second;
    for (; !longer.empty(); longer.pop_back()) {
      const ValueId element = from_.values().list_last(longer.back());
      if (!is_lost(key, element)) copy = builder_.values().list_with(copy, value(element));
      copies_.emplace(std::uint64_t{key.value} << 32 | longer.back().value, copy);
    }
    return copy;
  }

  const PartMaker& maker_;
  const History& from_;
  const Part& part_;
  const std::set<KeyId>& named_;
  std::vector<std::vector<KeyId>> named_by_table_;
  HistoryBuilder builder_;
  PartHistory result_;
  std::set<KeyId> keys_;                               // in the copy
  std::set<KeyId> lists_;                              // that are lists there
  std::unordered_map<std::uint64_t, ValueId> copies_;  // by key and list
};

}  // namespace

PartHistory PartMaker::make(const Part& part) const {
  return Copy(*this, with_session_cuts(part), named_keys(part)).make();
}

}  // namespace isoscope::shrinking
