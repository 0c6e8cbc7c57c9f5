#include "isoscope/history/history_builder.h"

#include <algorithm>
#include <charconv>

#include "isoscope/history/predicate_json.h"

namespace isoscope {

namespace {

/// The entry of a table indexed by value id that grows with the ids in use; it starts as zeros.
std::uint32_t& entry(std::vector<std::uint32_t>& table, ValueId id) {
  if (id.index() >= table.size())
    table.resize(std::max<std::size_t>(id.index() + 1, table.size() * 2), 0);
  return table[id.index()];
}

constexpr SessionId no_session(0xFFFFFFFF);

}  // namespace

HistoryBuilder::HistoryBuilder() : integer_keys_(1) {
  history_.tables_.emplace_back();
  history_.initial_default_ = ValuePool::nil;
}

void HistoryBuilder::reserve(std::size_t operations, std::size_t values, std::size_t text) {
  history_.operations_.reserve(operations);
  history_.keys_.reserve(values);
  history_.values_.reserve(values, text);
  default_key_of_value_.resize(std::max(values, default_key_of_value_.size()), 0);
}

TableId HistoryBuilder::table(std::string_view name) {
  if (name.empty()) return default_table;
  std::uint32_t& known = entry(table_of_value_, values().string(name));
  if (known == 0) {
    known = static_cast<std::uint32_t>(history_.tables_.size());
    history_.tables_.emplace_back(name);
    integer_keys_.emplace_back();
  }
  return TableId(known);
}

KeyId HistoryBuilder::add_key(ValueId name, TableId table) {
  ISOSCOPE_ENSURE(history_.keys_.size() < Operation::max_keys);
  history_.keys_.push_back({table, name});
  return KeyId(history_.keys_.size() - 1);
}

KeyId HistoryBuilder::key(ValueId name, TableId table) {
  const auto add = [&] { return add_key(name, table); };
  if (table == default_table) {
    std::uint32_t& known = entry(default_key_of_value_, name);
    if (known == 0) known = add().value + 1;
    return KeyId(known - 1);
  }
  const std::uint64_t pair = std::uint64_t{table.value} << 32 | name.value;
  const auto [found, is_new] = other_keys_.try_emplace(pair);
  if (is_new) found->second = add();
  return found->second;
}

KeyId HistoryBuilder::find_integer_key(std::int64_t name, TableId table) {
  if (values().is_draft()) {
    // Nothing to be found again: the integer has a new id each time.
    return add_key(values().integer(name), table);
  }
  const std::size_t known = history_.keys_.size();
  const KeyId found = key(values().integer(name), table);
  const auto number = static_cast<std::uint64_t>(name);
  SmallIntegers& keys = integer_keys_[table.index()];
  if (found.index() == known && keys.count(number)) keys.widen_for(number);
  if (keys.covers(number)) keys.set(number, found.value + 1);
  return found;
}

PredicateId HistoryBuilder::predicate(const Predicate& predicate) {
  std::string text;
  append_predicate_json(text, predicate);
  const auto [found, is_new] =
      predicate_ids_.try_emplace(std::move(text), history_.predicates_.size());
  if (is_new) history_.predicates_.push_back(predicate);
  return found->second;
}

SessionId HistoryBuilder::session(ValueId name) {
  std::uint32_t& known = entry(session_of_value_, name);
  if (known == 0) {
    history_.session_names_.push_back(name);
    known = static_cast<std::uint32_t>(history_.session_names_.size());
  }
  return SessionId(known - 1);
}

SessionId HistoryBuilder::add_session() {
  history_.session_names_.push_back(ValuePool::nil);
  return SessionId(history_.session_names_.size() - 1);
}

std::optional<std::int64_t> HistoryBuilder::number_in_label(std::string_view text) {
  if (!text.starts_with('T')) return std::nullopt;
  text.remove_prefix(1);
  std::int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
    return std::nullopt;
  // Only what label() prints: T007 is no label of 7.
  return text == std::to_string(number) ? std::optional(number) : std::nullopt;
}

ValueId HistoryBuilder::transaction_name(std::string_view text) {
  const auto number = number_in_label(text);
  return number ? values().integer(*number) : values().string(text);
}

bool HistoryBuilder::has_transaction(ValueId name) const {
  return name.index() < transaction_name_taken_.size() && transaction_name_taken_[name.index()];
}

TransactionId HistoryBuilder::begin_transaction() {
  ISOSCOPE_ENSURE(history_.operations_.size() < 0xFFFFFFFF);
  ISOSCOPE_REQUIRE(history_.transactions_.empty() ||
                   history_.transactions_.back().session != no_session);
  history_.transactions_.push_back({no_session, ValuePool::nil,
                                    static_cast<std::uint32_t>(history_.operations_.size()),
                                    Outcome::committed});
  return TransactionId(history_.transactions_.size() - 1);
}

TransactionId HistoryBuilder::begin_transaction(SessionId session, std::optional<ValueId> name) {
  const TransactionId transaction = begin_transaction();
  set_session(session);
  if (name) set_name(*name);
  return transaction;
}

void HistoryBuilder::set_session(SessionId session) {
  ISOSCOPE_REQUIRE(!history_.transactions_.empty());
  ISOSCOPE_REQUIRE(session.index() < history_.session_names_.size());
  history_.transactions_.back().session = session;
}

void HistoryBuilder::set_name(ValueId name) {
  ISOSCOPE_REQUIRE(!history_.transactions_.empty() && !has_transaction(name));
  if (name.index() >= transaction_name_taken_.size()) {
    transaction_name_taken_.resize(
        std::max<std::size_t>(name.index() + 1, transaction_name_taken_.size() * 2));
  }
  transaction_name_taken_[name.index()] = true;
  history_.transactions_.back().name = name;
}

void HistoryBuilder::add_collected(std::vector<Operation> operations,
                                   std::span<const Collected> transactions) {
  ISOSCOPE_REQUIRE(history_.operations_.empty() && history_.transactions_.empty());
  ISOSCOPE_REQUIRE(!transactions.empty() || operations.empty());
  ISOSCOPE_ENSURE(operations.size() < 0xFFFFFFFF);
  history_.operations_ = std::move(operations);
  history_.transactions_.reserve(transactions.size());
  std::size_t last = 0;
  for (const Collected& collected : transactions) {
    ISOSCOPE_REQUIRE(collected.first_operation >= last &&
                     collected.first_operation <= history_.operations_.size());
    last = collected.first_operation;
    begin_transaction(collected.session, collected.name);
    history_.transactions_.back().first_operation = static_cast<std::uint32_t>(last);
    history_.transactions_.back().outcome = collected.outcome;
  }
}

void HistoryBuilder::add_predicate(OperationKind kind, TableId table, PredicateId predicate,
                                   std::optional<std::span<const RowVersion>> rows) {
  ISOSCOPE_REQUIRE(kind == OperationKind::predicate_read || kind == OperationKind::predicate_write);
  History::Access access{table, predicate, static_cast<std::uint32_t>(history_.rows_.size()), 0,
                         rows.has_value()};
  if (rows) {
    access.row_count = static_cast<std::uint32_t>(rows->size());
    history_.rows_.insert(history_.rows_.end(), rows->begin(), rows->end());
  }
  history_.operations_.push_back(Operation::on_predicate(kind, history_.accesses_.size()));
  history_.accesses_.push_back(access);
}

void HistoryBuilder::set_outcome(Outcome outcome) {
  ISOSCOPE_REQUIRE(!history_.transactions_.empty());
  history_.transactions_.back().outcome = outcome;
}

void HistoryBuilder::set_times(std::optional<std::int64_t> begin, std::optional<std::int64_t> end) {
  ISOSCOPE_REQUIRE(!history_.transactions_.empty());
  ISOSCOPE_REQUIRE(!begin || !end || *begin <= *end);
  const auto set = [&](std::vector<std::int64_t>& times, std::int64_t time) {
    times.resize(history_.transactions_.size(), History::no_time);
    times.back() = time;
  };
  if (begin) set(history_.begin_times_, *begin);
  if (end) set(history_.end_times_, *end);
}

void HistoryBuilder::set_commit_stamp(std::int64_t stamp) {
  ISOSCOPE_REQUIRE(!history_.transactions_.empty() && stamp != History::no_time);
  ISOSCOPE_REQUIRE(history_.transactions_.back().outcome == Outcome::committed);
  history_.stamps_.resize(history_.transactions_.size(), History::no_time);
  history_.stamps_.back() = stamp;
}

void HistoryBuilder::set_level(LevelId level) {
  ISOSCOPE_REQUIRE(!history_.transactions_.empty());
  history_.levels_.resize(history_.transactions_.size(), History::no_level);
  history_.levels_.back() = level;
}

void HistoryBuilder::set_session_level(SessionId session, LevelId level) {
  session_levels_.insert_or_assign(session.value, level);
}

void HistoryBuilder::fill_in_levels() {
  if (!default_level_ && session_levels_.empty()) return;
  history_.levels_.resize(history_.transactions_.size(), History::no_level);
  for (std::size_t t = 0; t < history_.transactions_.size(); ++t) {
    if (history_.levels_[t] != History::no_level) continue;
    const auto its = session_levels_.find(history_.transactions_[t].session.value);
    if (its != session_levels_.end()) {
      history_.levels_[t] = its->second;
    } else if (default_level_) {
      history_.levels_[t] = *default_level_;
    }
  }
  while (!history_.levels_.empty() && history_.levels_.back() == History::no_level) {
    history_.levels_.pop_back();
  }
}

void HistoryBuilder::name_the_unnamed() {
  std::int64_t next = 1;
  for (History::Transaction& transaction : history_.transactions_) {
    if (transaction.name != ValuePool::nil) continue;
    ValueId name;
    do {
      name = values().integer(next++);
    } while (has_transaction(name));
    transaction.name = name;
  }
  next = 1;
  for (ValueId& session : history_.session_names_) {
    if (session != ValuePool::nil) continue;
    ValueId name;
    do {
      name = values().integer(next++);
    } while (entry(session_of_value_, name) != 0);
    session = name;
  }
}

void HistoryBuilder::order_sessions() {
  std::vector<std::uint32_t>& starts = history_.session_starts_;
  starts.assign(history_.session_names_.size() + 1, 0);
  for (const auto& transaction : history_.transactions_) ++starts[transaction.session.index() + 1];
  for (std::size_t s = 1; s < starts.size(); ++s) starts[s] += starts[s - 1];
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  history_.by_session_.resize(history_.transactions_.size());
  for (std::size_t t = 0; t < history_.transactions_.size(); ++t) {
    history_.by_session_[next[history_.transactions_[t].session.index()]++] = TransactionId(t);
  }
}

void HistoryBuilder::spread_initial_rows() {
  if (history_.initial_rows_.empty()) return;
  history_.initial_by_key_.assign(history_.keys_.size(),
                                  history_.initial_default_.value_or(ValuePool::unreported));
  for (const RowVersion& row : history_.initial_rows_)
    history_.initial_by_key_[row.key.index()] = row.value;
}

History HistoryBuilder::finish() && {
  ISOSCOPE_REQUIRE(!values().is_draft());
  ISOSCOPE_REQUIRE(history_.transactions_.empty() ||
                   history_.transactions_.back().session != no_session);
  name_the_unnamed();
  order_sessions();
  spread_initial_rows();
  find_bases_of_zero();
  fill_in_levels();
  history_.values_.freeze();
  return std::move(history_);
}

}  // namespace isoscope
