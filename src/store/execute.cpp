#include <algorithm>

#include "isoscope/base/contract.h"
#include "store/engine.h"

namespace isoscope {

namespace {

Store::Status to_answer(Locks::Decision answer) {
  switch (answer) {
    case Locks::Decision::granted:
      return Store::Status::done;
    case Locks::Decision::wait:
      return Store::Status::wait;
    case Locks::Decision::die:
      break;
  }
  return Store::Status::aborted;
}

}  // namespace

Store::Status Store::Engine::execute(std::size_t session, const Request& request, Reply& reply) {
  Running& t = running_[session];
  ISOSCOPE_REQUIRE(t.active);
  Status answer = Status::done;
  switch (request.kind) {
    case OperationKind::read:
    case OperationKind::list_read:
      answer = read(t, request.key, reply);
      break;
    case OperationKind::write:
    case OperationKind::insert:
    case OperationKind::remove:
    case OperationKind::append:
      answer = write(t, request);
      break;
    case OperationKind::predicate_read:
      answer = scan(t, request, reply);
      break;
    case OperationKind::predicate_write:
      answer = predicate_write(t, request, reply);
      break;
  }
  if (answer == Status::aborted) abort(session);
  return answer;
}

Store::Status Store::Engine::lock_to_read(Running& t, KeyId key) {
  if (!technique_.locks_reads || t.read_only) return Status::done;
  // The bug: the lock is given back as soon as the read is done.
  if (strikes(Bug::read_skew)) return to_answer(locks_.may_read(t.age, key));
  const Status answer = to_answer(locks_.read(t.age, key));
  if (answer == Status::done) t.locked_keys.push_back(key);
  return answer;
}

Store::Status Store::Engine::lock_to_scan(Running& t, TableId table) {
  if (!technique_.locks_reads || t.read_only || strikes(Bug::phantom_missed)) return Status::done;
  const Status answer = to_answer(locks_.scan(t.age, table));
  if (answer == Status::done) t.locked_tables.push_back(table);
  return answer;
}

Store::Status Store::Engine::lock_to_write(Running& t, KeyId key) {
  if (t.read_only) return Status::aborted;
  if (!technique_.locks_writes) return Status::done;
  if (technique_.locks_reads) {
    const TableId table = names_.key_table(key);
    const Status entered = to_answer(locks_.write_into(t.age, table));
    if (entered != Status::done) return entered;
    t.locked_tables.push_back(table);
  }
  // The bug: a read lock becomes a write lock without a look at other readers.
  const bool past_readers = locks_.reads(t.age, key) && strikes(Bug::lost_update);
  const Status answer = to_answer(locks_.write(t.age, key, past_readers));
  if (answer == Status::done) t.locked_keys.push_back(key);
  return answer;
}

Store::Engine::Seen Store::Engine::seen_of_others(const Running& t, const View& view, KeyId key,
                                                  bool dirty) const {
  const Version version = versions_.seen(view, key);
  if (!dirty) return {version.value, version.commit};
  const Running* newest = nullptr;
  for (const Running& other : running_) {
    if (&other == &t || !other.active || !other.touches(key)) continue;
    if (newest == nullptr || other.last_touch(key) > newest->last_touch(key)) newest = &other;
  }
  if (newest == nullptr) return {version.value, version.commit};
  return {newest->applied_to(version.value, key, names_.values()), version.commit};
}

const View& Store::Engine::view_for_this_read(Running& t, View& other) {
  if (technique_.takes_snapshots() && strikes(Bug::read_skew)) {
    t.view = technique_.reads == Technique::Reads::replica ? replicas_.view_at(t.replica, now_)
                                                           : View{.upto = now_};
  }
  if (plan_.kind == StoreKind::read_committed && strikes(Bug::stale_snapshot)) {
    other = View{.upto = older_state(last_commit_[t.session])};
    return other;
  }
  return t.view;
}

Store::Status Store::Engine::read(Running& t, KeyId key, Reply& reply) {
  if (t.replaces(key)) {
    reply.value = t.applied_to(ValuePool::nil, key, names_.values());
    return Status::done;
  }
  const bool dirty = technique_.reads == Technique::Reads::newest || strikes(Bug::dirty_read);
  if (!dirty) {
    const Status locked = lock_to_read(t, key);
    if (locked != Status::done) return locked;
  }
  View other;
  const Seen seen = seen_of_others(t, view_for_this_read(t, other), key, dirty);
  if (keeps_log_) t.footprint.reads.push_back({key, seen.version});
  reply.value = t.applied_to(seen.value, key, names_.values());
  return Status::done;
}

void Store::Engine::add_effect(Running& t, KeyId key, bool appends, ValueId value) {
  // The bug: the value that is about to be replaced gets out.
  if (!appends && t.replaces(key) && strikes(Bug::intermediate_write_visible)) {
    Running early{.session = t.session, .replica = t.replica};
    early.footprint.writes = {{key, t.applied_to(ValuePool::nil, key, names_.values())}};
    install(early, true);
    t.published.push_back(now_);
  }
  // The bug: nothing seems to change, so nothing is done; but the transaction does not see what is
  // there already.
  if (!appends && !t.touches(key) && versions_.latest(key).value == value &&
      strikes(Bug::own_write_invisible)) {
    return;
  }
  t.effects.push_back({key, appends, value, next_effect_++});
}

Store::Status Store::Engine::write(Running& t, const Request& request) {
  const Status locked = lock_to_write(t, request.key);
  if (locked != Status::done) return locked;
  const bool removes = request.kind == OperationKind::remove;
  add_effect(t, request.key, request.kind == OperationKind::append,
             removes ? ValuePool::nil : request.value);
  return Status::done;
}

void Store::Engine::add_if_selected(Running& t, const Request& request, const View& view,
                                    bool dirty, KeyId key) {
  Seen seen{ValuePool::nil, 0};
  const bool from_others = !t.replaces(key);
  if (from_others) seen = seen_of_others(t, view, key, dirty);
  const ValueId value = t.applied_to(seen.value, key, names_.values());
  if (evaluate(names_.predicate(request.predicate), names_.values(), names_.key_name(key), value) !=
      Truth::yes) {
    return;
  }
  rows_.push_back({key, value});
  if (keeps_log_ && from_others) t.footprint.reads.push_back({key, seen.version});
}

std::span<const KeyId> Store::Engine::written_by(Sequence commit) const {
  const std::size_t first = written_from_[commit];
  return std::span(written_).subspan(first, written_from_[commit + 1] - first);
}

std::vector<KeyId> Store::Engine::keys_to_look_at(const Running& t, const Request& request,
                                                  const View& view, bool dirty) {
  std::vector<KeyId> keys;
  const auto add_those_in_table = [&](std::span<const KeyId> some) {
    for (const KeyId key : some) {
      if (names_.key_table(key) == request.table) keys.push_back(key);
    }
  };
  if (const auto range = range_of(names_.predicate(request.predicate))) {
    latest_rows_.add_keys(request.table, *range, keys);
    // The index knows the latest state; the view may have older versions of these.
    for (Sequence commit = now_; commit > view.upto; --commit)
      add_those_in_table(written_by(commit));
    for (const Sequence commit : view.hidden) add_those_in_table(written_by(commit));
    for (const Sequence commit : view.torn) add_those_in_table(written_by(commit));
  } else {
    keys.assign(versions_.keys_of(request.table).begin(), versions_.keys_of(request.table).end());
  }
  // What no commit has brought yet: its own writes, and where reads are dirty those of others.
  for (const Running& writer : running_) {
    if (&writer != &t && !(dirty && writer.active)) continue;
    for (const Effect& effect : writer.effects) add_those_in_table({&effect.key, 1});
  }
  std::ranges::sort(keys);
  const auto repeated = std::ranges::unique(keys);
  keys.erase(repeated.begin(), repeated.end());
  return keys;
}

Store::Status Store::Engine::scan(Running& t, const Request& request, Reply& reply) {
  const bool dirty = technique_.reads == Technique::Reads::newest || strikes(Bug::dirty_read);
  if (!dirty) {
    const Status locked = lock_to_scan(t, request.table);
    if (locked != Status::done) return locked;
  }
  View other;
  const View& view = view_for_this_read(t, other);
  rows_.clear();
  for (const KeyId key : keys_to_look_at(t, request, view, dirty)) {
    add_if_selected(t, request, view, dirty, key);
  }
  // Where the table is not locked, the rows are.
  if (technique_.locks_reads && !dirty && has(Bug::phantom_missed)) {
    for (const RowVersion& row : rows_) {
      const Status locked = lock_to_read(t, row.key);
      if (locked != Status::done) return locked;
    }
  }
  if (keeps_log_) t.footprint.scans.push_back({request.table, request.predicate, now_});
  reply.rows = rows_;
  return Status::done;
}

ValueId Store::Engine::updated(ValueId row, ValueId change) {
  ValuePool& values = names_.values();
  if (values.kind(row) != ValueKind::row || values.kind(change) != ValueKind::row) return change;
  std::vector<Column> columns(values.row_of(row).begin(), values.row_of(row).end());
  for (const Column& column : values.row_of(change)) {
    const auto old = std::ranges::find(columns, column.name, &Column::name);
    if (old == columns.end()) {
      columns.push_back(column);
    } else {
      old->value = column.value;
    }
  }
  return values.row(columns);
}

Store::Status Store::Engine::predicate_write(Running& t, const Request& request, Reply& reply) {
  const Status scanned = scan(t, request, reply);
  if (scanned != Status::done) return scanned;
  for (const RowVersion& row : rows_) {
    const Status locked = lock_to_write(t, row.key);
    if (locked != Status::done) return locked;
  }
  for (RowVersion& row : rows_) {
    row.value = updated(row.value, request.value);
    add_effect(t, row.key, false, row.value);
  }
  reply.rows = rows_;
  return Status::done;
}

}  // namespace isoscope
