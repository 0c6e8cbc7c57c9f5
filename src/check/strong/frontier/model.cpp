#include "check/strong/frontier/model.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

FrontierModel::FrontierModel(const History& history, const KeyAccesses& accesses,
                             const OrderProblem& problem, const Digraph& graph,
                             std::span<const std::uint32_t> order)
    : p_(problem), graph_(graph), is_list_(problem.key_count(), 0) {
  ISOSCOPE_REQUIRE(graph.node_count() == problem.node_count());
  ISOSCOPE_REQUIRE(order.size() == problem.node_count());
  for (const KeyId key : p_.keys()) {
    is_list_[key] = accesses.use(key) == KeyUse::list ? 1 : 0;
  }
  find_ranges(order);
  set_goals(order);
  take_reads(history);
  take_writes(history);
}

void FrontierModel::find_ranges(std::span<const std::uint32_t> order) {
  earliest_.assign(p_.node_count(), 0);
  latest_.assign(p_.node_count(), points());
  for (const std::uint32_t event : order) {
    if (p_.is_time(event)) earliest_[event] = event - p_.event_count() + 1;
    for (const std::uint32_t next : graph_.successors(event)) {
      earliest_[next] = std::max(earliest_[next], earliest_[event]);
    }
  }
  for (std::size_t i = order.size(); i > 0; --i) {
    const std::uint32_t event = order[i - 1];
    if (p_.is_time(event)) latest_[event] = event - p_.event_count();
    for (const std::uint32_t before : graph_.predecessors(event)) {
      latest_[before] = std::min(latest_[before], latest_[event]);
    }
  }
}

void FrontierModel::set_goals(std::span<const std::uint32_t> order) {
  for (const std::uint32_t event : order) {
    if (p_.is_time(event)) continue;
    const Txn t = p_.transaction_of(event);
    if (t != 0 && p_.open[t] == 0) goals_.push_back(event);
  }
  std::ranges::stable_sort(goals_, {}, [&](std::uint32_t event) { return latest_[event]; });
  goal_of_.assign(p_.event_count(), always);
  for (std::uint32_t i = 0; i < goals_.size(); ++i) goal_of_[goals_[i]] = i;
}

std::uint32_t FrontierModel::add_cell(KeyId key, ValueId value) {
  const auto [at, is_new] = cell_of_.try_emplace(pair_of(key.value, value.value),
                                                 static_cast<std::uint32_t>(cell_of_.size()));
  if (is_new) {
    needed_until_.push_back(0);
    last_writer_.push_back(0);
  }
  return at->second;
}

std::uint32_t FrontierModel::find_cell(KeyId key, ValueId value) const {
  const auto at = cell_of_.find(pair_of(key.value, value.value));
  return at == cell_of_.end() ? no_cell : at->second;
}

void FrontierModel::need(std::uint32_t cell, Txn reader) {
  ISOSCOPE_REQUIRE(cell < needed_until_.size());
  needed_until_[cell] = std::max(needed_until_[cell], goal_of_[p_.begin(reader)]);
}

/// A list is needed as long as any list that begins with it.
void FrontierModel::need_list(KeyId key, ValueId list, const History& history, Txn reader) {
  const ValuePool& values = history.values();
  std::uint32_t cell = find_cell(key, list);
  const bool is_new = cell == no_cell;
  if (is_new) cell = add_cell(key, list);
  const std::uint32_t until = goal_of_[p_.begin(reader)];
  for (bool goes_on = is_new || needed_until_[cell] < until; goes_on;) {
    needed_until_[cell] = std::max(needed_until_[cell], until);
    if (list == ValuePool::empty_list) return;
    const ValueId prefix = values.list_prefix(list);
    std::uint32_t shorter = find_cell(key, prefix);
    goes_on = shorter == no_cell || needed_until_[shorter] < until;
    if (shorter == no_cell) shorter = add_cell(key, prefix);
    longer_[pair_of(shorter, values.list_last(list).value)] = cell;
    cell = shorter;
    list = prefix;
  }
}

void FrontierModel::take_reads(const History& history) {
  // The reads that predicates added stand behind the others.
  std::vector<ReadId> by_reader;
  by_reader.reserve(p_.reads.size());
  for (const ReadId r : p_.reads.ids()) by_reader.push_back(r);
  std::ranges::stable_sort(by_reader, {}, [&](ReadId r) { return p_.reads[r].reader; });
  read_starts_.assign(1, 0);
  const auto close_until = [&](Txn t) {
    while (read_starts_.size() <= t) {
      read_starts_.push_back(static_cast<std::uint32_t>(reads_.size()));
    }
  };
  for (const ReadId r : by_reader) {
    const strong::Read& read = p_.reads[r];
    close_until(read.reader);
    const auto first = static_cast<std::uint32_t>(cells_.size());
    if (is_list_[read.key] != 0) {
      if (p_.is_of_row(r)) {
        is_complete_ = false;
        continue;
      }
      add_list_read(history, read);
    } else {
      // Candidates have different values only if the read is of a row that a predicate did not
      // return.
      const bool of_row = p_.is_of_row(r);
      for (const VersionId version : p_.all_candidates_of(read)) {
        cells_.push_back(add_cell(read.key, p_.versions[version].value));
        if (!of_row) break;
      }
      const auto added = cells_.begin() + first;
      std::sort(added, cells_.end());
      cells_.erase(std::unique(added, cells_.end()), cells_.end());
      for (std::size_t i = first; i < cells_.size(); ++i) need(cells_[i], read.reader);
    }
    reads_.push_back({read.key, first, static_cast<std::uint32_t>(cells_.size()) - first});
  }
  close_until(static_cast<Txn>(p_.size()));
  ISOSCOPE_ENSURE(read_starts_.size() == p_.size() + 1);
}

/// Adds what was there before the reader's own appends. Nothing is added if no transaction can have
/// left it.
void FrontierModel::add_list_read(const History& history, const strong::Read& read) {
  if (p_.all_candidates_of(read).empty()) return;
  const ValuePool& values = history.values();
  std::size_t own = 0;
  std::optional<ValueId> list;
  for_each_access(history, p_.ids[read.reader], [&](KeyId key, const Access& access) {
    if (key != read.key || list) return;
    if (access.is_read()) {
      list = values.kind(access.value) == ValueKind::list ? access.value : ValuePool::empty_list;
    } else {
      ++own;
    }
  });
  if (!list || values.list_size(*list) < own) return;
  for (; own > 0; --own) *list = values.list_prefix(*list);
  need_list(read.key, *list, history, read.reader);
  cells_.push_back(find_cell(read.key, *list));
}

void FrontierModel::take_writes(const History& history) {
  write_starts_.assign(1, 0);
  std::vector<std::pair<KeyId, std::uint32_t>> appends;  // key, element
  for (Txn t = 0; t < p_.size(); ++t) {
    appends.clear();
    bool has_lists = false;
    for (const VersionId v : p_.writes_of(t)) {
      has_lists = has_lists || is_list_[p_.versions[v].key] != 0;
    }
    if (t != 0 && has_lists) {
      for_each_access(history, p_.ids[t], [&](KeyId key, const Access& access) {
        if (!access.is_read()) appends.emplace_back(key, access.value.value);
      });
    }
    if (t == 0) {
      write_starts_.push_back(0);
      continue;
    }
    for (const VersionId v : p_.writes_of(t)) {
      const Version& version = p_.versions[v];
      Write write{.key = version.key};
      write.is_list = is_list_[version.key] != 0;
      if (write.is_list) {
        write.first = static_cast<std::uint32_t>(elements_.size());
        for (const auto& [key, element] : appends) {
          if (key == version.key) elements_.push_back(element);
        }
        write.count = static_cast<std::uint32_t>(elements_.size()) - write.first;
      } else {
        write.cell = find_cell(version.key, version.value);
        if (write.cell != no_cell) {
          std::uint32_t& last = last_writer_[write.cell];
          last = std::max(last, earliest_[p_.commit(t)]);
        }
      }
      writes_.push_back(write);
    }
    write_starts_.push_back(static_cast<std::uint32_t>(writes_.size()));
  }
  ISOSCOPE_ENSURE(write_starts_.size() == p_.size() + 1);
  initial_.reserve(p_.key_count());
  for (const KeyId key : p_.keys()) {
    ValueId value = p_.versions[OrderProblem::initial_version(key)].value;
    if (is_list_[key] != 0) {
      const auto initial = history.initial_value(key);
      const bool has_list = initial && history.values().kind(*initial) == ValueKind::list;
      value = has_list ? *initial : ValuePool::empty_list;
    }
    initial_.push_back(find_cell(key, value));
  }
}

bool FrontierModel::fits(const Read& read, std::uint32_t cell) const {
  if (cell == no_cell || read.count == 0) return false;
  if (read.count == 1) return cells_[read.first] == cell;
  return std::ranges::binary_search(cells(read), cell);
}

std::uint32_t FrontierModel::after(const Write& write, std::uint32_t cell) const {
  if (!write.is_list) return write.cell;
  for (std::uint32_t i = 0; i < write.count && cell != no_cell; ++i) {
    const auto next = longer_.find(pair_of(cell, elements_[write.first + i]));
    cell = next == longer_.end() ? no_cell : next->second;
  }
  return cell;
}

}  // namespace isoscope::strong
