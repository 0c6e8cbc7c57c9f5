#include "shrink/read_needs.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace isoscope::shrinking {

namespace {

/// A value that was not reported may have been any.
bool is_unreported(ValueId value) { return value == ValuePool::unreported; }

}  // namespace

void ReadNeeds::Versions::add(TransactionId reader, const WriteIndex::Write& write) {
  if (write.transaction == reader) return;
  (write.is_version() ? clean : dirty).push_back(write.at());
}

ReadNeeds ReadNeeds::with_times(const SourceTimes& times) const {
  ReadNeeds needs = *this;
  needs.times_ = &times;
  return needs;
}

Needs ReadNeeds::of(TransactionId reader, std::uint32_t place, KeyId key) const {
  Needs needs;
  const Reader at{reader, place};
  const Operation& operation = history_.operations(reader)[place];
  if (!operation.is_predicate()) {
    needs.says_nothing = is_unreported(operation.value());
    value_read(at, key, operation.value(), needs);
    return needs;
  }
  const PredicateAccess access = history_.predicate_access(operation);
  const bool is_listed = std::ranges::find(access.rows, key, &RowVersion::key) != access.rows.end();
  if (operation.kind() == OperationKind::predicate_read && is_listed) {
    needs.says_nothing = true;
    for (const RowVersion& row : access.rows) {
      if (row.key != key || is_unreported(row.value)) continue;
      needs.says_nothing = false;
      value_read(at, key, row.value, needs);
    }
    return needs;
  }
  row_choice(at, key, access.predicate, is_listed, needs);
  if (is_listed) needs.all.push_back({reader, place, key});
  return needs;
}

bool ReadNeeds::is_met(const Part& part, TransactionId reader, std::uint32_t place,
                       KeyId key) const {
  const Needs needs = of(reader, place, key);
  if (needs.says_nothing) return false;
  const auto kept = [&](const WriteAt& write) { return keeps(history_, part, write); };
  if (!std::ranges::all_of(needs.all, kept)) return false;
  if (!needs.one_of.empty() && std::ranges::none_of(needs.one_of, kept)) return false;
  return std::ranges::all_of(needs.together, [&](const std::vector<WriteAt>& group) {
    return std::ranges::all_of(group, kept) || std::ranges::none_of(group, kept);
  });
}

bool ReadNeeds::selects(const Predicate& predicate, KeyId key, ValueId value) const {
  return evaluate(predicate, history_.values(), history_.key_name(key), value) == Truth::yes;
}

void ReadNeeds::value_read(Reader reader, KeyId key, ValueId value, Needs& needs) const {
  switch (index_->use(key)) {
    case KeyUse::both:
      return add_every_write(key, needs);
    case KeyUse::list:
      return list_read(reader, key, value, needs);
    case KeyUse::reg: {
      const ValueId read = WriteIndex::without_empty_list(value);
      const auto initial = history_.initial_value(key);
      Versions versions(initial && WriteIndex::without_empty_list(*initial) == read);
      for (const ValueId one : {read, ValuePool::unreported}) {
        for (const WriteIndex::Write& write : index_->of(key, one)) versions.add(reader.id, write);
      }
      return version_read(reader, key, versions, needs);
    }
  }
}

void ReadNeeds::version_read(Reader reader, KeyId key, Versions& versions, Needs& needs) const {
  add_unreported(reader, key, needs);
  if (const std::vector<WriteAt> own = own_writes(reader, key); !own.empty()) {
    needs.all.push_back(own.back());
    return;
  }
  if (versions.clean.empty() && !versions.initial_fits) {
    needs.one_of.insert(needs.one_of.end(), versions.dirty.begin(), versions.dirty.end());
  }
  sources(reader, key, versions, needs);
}

void ReadNeeds::sources(Reader reader, KeyId key, const Versions& versions, Needs& needs) const {
  const auto is_possible = [&](const WriteAt& source) {
    return times_ == nullptr || !times_->rules_out(source.transaction, reader.id, key);
  };
  const std::size_t before = needs.all.size();
  std::ranges::copy_if(versions.clean, std::back_inserter(needs.all), is_possible);
  if (needs.all.size() != before || versions.initial_fits) return;
  needs.one_of.insert(needs.one_of.end(), versions.clean.begin(), versions.clean.end());
}

void ReadNeeds::row_choice(Reader reader, KeyId key, PredicateId id, bool selected,
                           Needs& needs) const {
  const Predicate& predicate = history_.predicate(id);
  if (index_->use(key) == KeyUse::both) return add_every_write(key, needs);
  if (index_->use(key) == KeyUse::list) {
    add_unreported(reader, key, needs);
    const std::vector<WriteAt> own = own_writes(reader, key);
    needs.all.insert(needs.all.end(), own.begin(), own.end());
    // To a predicate all lists are alike, but for the empty one, which is no row.
    if (!own.empty() || selects(predicate, key, ValuePool::empty_list) != selected) return;
    for (const WriteIndex::Write& write : index_->of(key)) {
      if (!write.may_count || write.transaction == reader.id) continue;
      needs.all.push_back(write.at());
    }
    return;
  }
  // Where there is no row at all, no predicate selects it.
  const auto initial = history_.initial_value(key);
  Versions versions((initial && selects(predicate, key, *initial)) == selected);
  const RowWrites& writes = row_writes(id, key);
  for (const WriteIndex::Write* write : selected ? writes.selected : writes.unselected) {
    versions.add(reader.id, *write);
  }
  for (const WriteIndex::Write& write : index_->of(key, ValuePool::unreported)) {
    versions.add(reader.id, write);
  }
  version_read(reader, key, versions, needs);
}

const ReadNeeds::RowWrites& ReadNeeds::row_writes(PredicateId predicate, KeyId key) const {
  const auto [at, is_new] =
      row_writes_.try_emplace(std::uint64_t{predicate.value} << 32 | key.value);
  if (!is_new) return at->second;
  for (const WriteIndex::Write& write : index_->of(key)) {
    if (is_unreported(write.value)) continue;
    const bool selected = selects(history_.predicate(predicate), key, write.value);
    (selected ? at->second.selected : at->second.unselected).push_back(&write);
  }
  return at->second;
}

std::size_t ReadNeeds::source_count(TransactionId reader, std::uint32_t place, KeyId key) const {
  const Operation& operation = history_.operations(reader)[place];
  if (index_->use(key) == KeyUse::both) return index_->of(key).size();
  const bool is_list = index_->use(key) == KeyUse::list;
  const auto with_value = [&](ValueId value) {
    if (!is_list) return index_->of(key, WriteIndex::without_empty_list(value)).size();
    const bool is_empty =
        history_.values().kind(value) != ValueKind::list || value == ValuePool::empty_list;
    return is_empty ? 0 : index_->of(key, history_.values().list_last(value)).size();
  };
  if (!operation.is_predicate()) return with_value(operation.value());
  const PredicateAccess access = history_.predicate_access(operation);
  const auto row = std::ranges::find(access.rows, key, &RowVersion::key);
  const bool is_listed = row != access.rows.end();
  if (is_listed && operation.kind() == OperationKind::predicate_read) return with_value(row->value);
  if (is_list) return index_->of(key).size();
  const RowWrites& writes = row_writes(access.predicate, key);
  return (is_listed ? writes.selected : writes.unselected).size();
}

void ReadNeeds::list_read(Reader reader, KeyId key, ValueId value, Needs& needs) const {
  add_unreported(reader, key, needs);
  const bool is_list = history_.values().kind(value) == ValueKind::list;
  std::vector<ValueId> elements =
      is_list ? history_.values().list_elements(value) : std::vector<ValueId>();
  const std::vector<WriteAt> own = own_writes(reader, key);
  needs.all.insert(needs.all.end(), own.begin(), own.end());
  elements.resize(elements.size() - std::min(elements.size(), own.size()));

  std::vector<ValueId> first;  // what the list holds initially
  if (const auto initial = history_.initial_value(key);
      initial && history_.values().kind(*initial) == ValueKind::list) {
    first = history_.values().list_elements(*initial);
  }
  const std::set<ValueId> initially(first.begin(), first.end());
  for (const ValueId element : initially) add_appends(key, element, needs);
  if (!index_->of(key, ValuePool::unreported).empty()) return add_every_write(key, needs);
  if (elements.size() >= first.size() && std::equal(first.begin(), first.end(), elements.begin())) {
    elements.erase(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(first.size()));
  }
  if (elements.empty()) return;

  add_appends(key, elements.back(), needs);
  for (const ValueId element : elements) {
    const auto appends = index_->of(key, element);
    if (appends.size() < 2 || element == elements.back() || initially.contains(element)) continue;
    std::vector<WriteAt>& group = needs.together.emplace_back();
    for (const WriteIndex::Write& append : appends) group.push_back(append.at());
  }
}

void ReadNeeds::add_unreported(Reader reader, KeyId key, Needs& needs) const {
  for (const WriteAt& write : index_->unreported(history_.key_table(key))) {
    if (write.transaction != reader.id || write.place < reader.place) {
      needs.all.push_back({write.transaction, write.place, key});
    }
  }
}

void ReadNeeds::add_every_write(KeyId key, Needs& needs) const {
  for (const WriteIndex::Write& write : index_->of(key)) needs.all.push_back(write.at());
}

void ReadNeeds::add_appends(KeyId key, ValueId element, Needs& needs) const {
  for (const WriteIndex::Write& append : index_->of(key, element)) needs.all.push_back(append.at());
}

std::vector<WriteAt> ReadNeeds::own_writes(Reader reader, KeyId key) const {
  std::vector<WriteAt> own;
  const auto operations = history_.operations(reader.id);
  for (std::uint32_t i = 0; i < reader.place; ++i) {
    const Operation& operation = operations[i];
    bool writes = operation.is_item_write() && operation.key() == key;
    if (operation.kind() == OperationKind::predicate_write) {
      const auto rows = history_.predicate_access(operation).rows;
      writes = std::ranges::find(rows, key, &RowVersion::key) != rows.end();
    }
    if (writes) own.push_back({reader.id, i, key});
  }
  return own;
}

}  // namespace isoscope::shrinking
