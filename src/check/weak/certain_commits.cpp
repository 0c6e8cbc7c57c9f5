#include "check/weak/certain_commits.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// What the read returned: of a predicate read, the row of its key.
ValueId value_read(const KnownSources& sources, std::uint32_t index) {
  const History& history = sources.history();
  const Read& read = sources.reads()[index];
  const TransactionId reader = sources.id(sources.reader_of(index));
  const Operation& operation = history.operations(reader)[sources.operation(index)];
  if (!operation.is_predicate()) return operation.value();
  const auto rows = history.predicate_access(operation).rows;
  const auto row = std::ranges::find(rows, read.key, &RowVersion::key);
  ISOSCOPE_ENSURE(row != rows.end());
  return row->value;
}

bool is_indeterminate(const KnownSources& sources, Txn t) {
  return t != 0 && sources.history().outcome(sources.id(t)) == Outcome::indeterminate;
}

std::uint64_t pair_of(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32 | value.value;
}

/// Calls visit(key, element) for everything that the transaction appended.
template <class Visit>
void for_each_append(const KnownSources& sources, Txn t, const Visit& visit) {
  for (const Operation& operation : sources.history().operations(sources.id(t))) {
    if (operation.kind() == OperationKind::append) visit(operation.key(), operation.value());
  }
}

}  // namespace

std::vector<ValueId> list_read(const KnownSources& sources, std::uint32_t read) {
  const ValuePool& values = sources.history().values();
  const ValueId value = value_read(sources, read);
  if (values.kind(value) != ValueKind::list) return {};
  return values.list_elements(value);
}

bool shows_order(const KnownSources& sources, std::uint32_t read, Txn from, Txn to) {
  const std::vector<ValueId> list = list_read(sources, read);
  const KeyId key = sources.reads()[read].key;
  const auto place_of = [&](Txn t) {
    auto first = list.end();
    for_each_append(sources, t, [&](KeyId its_key, ValueId element) {
      if (its_key == key) first = std::min(first, std::ranges::find(list, element));
    });
    return first;
  };
  const Txn reader = sources.reader_of(read);
  if (from == reader || place_of(from) == list.end()) return false;
  return to == reader || place_of(from) < place_of(to);
}

CertainCommits::Reason CertainCommits::reason(Txn t) {
  if (!is_done_) find_reasons();
  const auto at = reasons_.find(t);
  ISOSCOPE_ENSURE(at != reasons_.end());  // or it would not take part
  return at->second;
}

void CertainCommits::find_reasons() {
  is_done_ = true;
  for (Txn t = 1; t < sources_.size(); ++t) {
    if (!is_indeterminate(sources_, t)) {
      to_look_at_.push_back(t);
      continue;
    }
    for_each_append(sources_, t,
                    [&](KeyId key, ValueId element) { appenders_[pair_of(key, element)] = t; });
  }
  while (!to_look_at_.empty()) {
    const Txn t = to_look_at_.back();
    to_look_at_.pop_back();
    for (std::uint32_t i = sources_.first_read(t); i < sources_.first_read(t + 1); ++i) look_at(i);
  }
}

void CertainCommits::add(Txn t, Reason reason) {
  if (!is_indeterminate(sources_, t)) return;
  if (reasons_.try_emplace(t, reason).second) to_look_at_.push_back(t);
}

void CertainCommits::look_at(std::uint32_t index) {
  const Read& read = sources_.reads()[index];
  if (read.source == open_source) return;
  add(read.source, {index});
  const ValuePool& values = sources_.history().values();
  ValueId list = value_read(sources_, index);
  const Txn reader = sources_.reader_of(index);
  while (!appenders_.empty() && values.kind(list) == ValueKind::list &&
         values.list_size(list) > 0 && lists_looked_at_.insert(pair_of(read.key, list)).second) {
    const auto appender = appenders_.find(pair_of(read.key, values.list_last(list)));
    const bool is_other = appender != appenders_.end() && appender->second != reader;
    if (is_other) add(appender->second, {index, true});
    list = values.list_prefix(list);
  }
}

}  // namespace isoscope::weak
