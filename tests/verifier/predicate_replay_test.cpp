// Orders of random histories with predicates: the verifier accepts what a naive execution does.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"
#include "verifier/certificates.h"

namespace isoscope {
namespace {

/// The state before an event, by key; nil where there is no row.
using State = std::vector<ValueId>;

bool selects(const History& history, const Predicate& predicate, KeyId key, const State& state) {
  return evaluate(predicate, history.values(), history.key_name(key), state[key.index()]) ==
         Truth::yes;
}

/// Does the operation say what happens in this state? Its writes are made there.
bool run(const History& history, const Operation& operation, State& state) {
  if (operation.is_item_read()) return state[operation.key().index()] == operation.value();
  if (operation.is_item_write()) {
    state[operation.key().index()] = operation.value();
    return true;
  }
  const PredicateAccess access = history.predicate_access(operation);
  const Predicate& predicate = history.predicate(access.predicate);
  const bool is_read = operation.kind() == OperationKind::predicate_read;
  std::map<KeyId, ValueId> rows;
  for (const RowVersion& row : access.rows) rows[row.key] = row.value;
  for (const KeyId key : history.keys()) {
    if (history.key_table(key) != access.table) continue;
    const auto row = rows.find(key);
    if (selects(history, predicate, key, state) != (row != rows.end())) return false;
    if (is_read && row != rows.end() && row->second != state[key.index()]) return false;
  }
  if (!is_read) {
    for (const auto& [key, value] : rows) state[key.index()] = value;
  }
  return true;
}

bool is_execution(const History& history, const std::vector<Event>& order, bool one_event) {
  State state(history.key_count(), ValuePool::nil);
  std::vector<std::size_t> last_commits(history.key_count(), 0);
  struct Running {
    State before, after;
    std::size_t begin = 0;
  };
  std::vector<Running> running(history.transaction_count());
  for (std::size_t place = 1; place <= order.size(); ++place) {
    const TransactionId t(order[place - 1].transaction - 1);
    Running& its = running[t.index()];
    if (one_event || !order[place - 1].is_commit) {
      its = {state, state, place};
      for (const Operation& operation : history.operations(t)) {
        if (!run(history, operation, its.after)) return false;
      }
    }
    if (!order[place - 1].is_commit) continue;
    std::vector<bool> written(history.key_count(), false);
    for (const Operation& operation : history.operations(t)) {
      if (operation.is_item_write()) written[operation.key().index()] = true;
      if (operation.kind() != OperationKind::predicate_write) continue;
      for (const RowVersion& row : history.predicate_access(operation).rows) {
        written[row.key.index()] = true;
      }
    }
    for (const KeyId key : history.keys()) {
      if (!written[key.index()]) continue;
      if (last_commits[key.index()] > its.begin) return false;
      last_commits[key.index()] = place;
      state[key.index()] = its.after[key.index()];
    }
  }
  return true;
}

/// Transactions that run one after the other, each in its own session; a few lie.
class RandomRun {
 public:
  explicit RandomRun(Random& random) : random_(random) {
    tables_ = {HistoryBuilder::default_table, builder_.table("t")};
    for (int i = 0; i < 12; ++i) {
      const bool is_integer = random_.chance(80);
      const ValueId name = is_integer ? builder_.values().integer(i)
                                      : builder_.values().string("k" + std::to_string(i));
      tables_of_.push_back(tables_[random_.below(2)]);
      keys_.push_back(builder_.key(name, tables_of_.back()));
      names_.push_back(name);
      state_.push_back(ValuePool::nil);
    }
  }

  History make() && {
    const int count = 3 + number(5);
    for (int t = 0; t < count; ++t) {
      builder_.begin_transaction(builder_.add_session());
      for (int left = 1 + number(5); left > 0; --left) operation();
    }
    return std::move(builder_).finish();
  }

 private:
  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  Constant constant() {
    if (random_.chance(5)) return std::monostate();
    if (random_.chance(15)) return std::string(1, static_cast<char>('a' + number(4)));
    return std::int64_t{number(10)};
  }
  ValueId value_of(const Constant& constant) {
    if (const auto* integer = std::get_if<std::int64_t>(&constant)) {
      return builder_.values().integer(*integer);
    }
    const auto* text = std::get_if<std::string>(&constant);
    return text == nullptr ? ValuePool::nil : builder_.values().string(*text);
  }
  /// Nil, a scalar or a row.
  ValueId value() {
    if (random_.chance(15)) return ValuePool::nil;
    if (random_.chance(30)) return value_of(constant());
    const std::array columns = {Column{builder_.values().string("v"), value_of(constant())},
                                Column{builder_.values().string("w"), value_of(constant())}};
    return builder_.values().row(columns);
  }
  Predicate predicate(int depth) {
    using Kind = Predicate::Kind;
    if (depth > 0 && random_.chance(50)) {
      if (random_.chance(15)) return {Kind::negation, {}, {}, {predicate(depth - 1)}};
      Predicate result{random_.chance(75) ? Kind::conjunction : Kind::disjunction, {}, {}, {}};
      for (int left = number(4); left > 0; --left) result.children.push_back(predicate(depth - 1));
      return result;
    }
    static constexpr std::array kinds = {
        Kind::always,  Kind::equal,         Kind::not_equal, Kind::less, Kind::less_equal,
        Kind::greater, Kind::greater_equal, Kind::between,   Kind::in,   Kind::is_null};
    static constexpr std::array operands = {"v", "v", "w", Predicate::value_operand,
                                            Predicate::key_operand};
    Predicate result{kinds[random_.below(kinds.size())], {}, {}, {}};
    if (result.kind == Kind::always) return result;
    result.operand = operands[random_.below(operands.size())];
    int constants = result.kind == Kind::between ? 2 : 1;
    if (result.kind == Kind::is_null) constants = 0;
    if (result.kind == Kind::in) constants = number(4);
    for (; constants > 0; --constants) result.constants.push_back(constant());
    return result;
  }

  void operation() {
    const auto key = random_.below(keys_.size());
    if (random_.chance(20)) {
      builder_.read(keys_[key], random_.chance(2) ? value() : state_[key]);
    } else if (random_.chance(40)) {
      state_[key] = value();
      builder_.write(keys_[key], state_[key]);
    } else {
      const Predicate condition = predicate(2);
      const TableId table = tables_[random_.below(2)];
      const bool is_read = random_.chance(60);
      std::vector<RowVersion> rows;
      for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (tables_of_[i] != table) continue;
        const bool lies = random_.chance(1);
        const Truth truth = evaluate(condition, builder_.values(), names_[i], state_[i]);
        if ((truth == Truth::yes) == lies) continue;
        if (!is_read) state_[i] = value();
        rows.push_back({keys_[i], state_[i]});
      }
      builder_.add_predicate(
          is_read ? OperationKind::predicate_read : OperationKind::predicate_write, table,
          builder_.predicate(condition), rows);
    }
  }

  Random& random_;
  HistoryBuilder builder_;
  std::vector<TableId> tables_;
  std::vector<KeyId> keys_;
  std::vector<TableId> tables_of_;  // by key, as the next two
  std::vector<ValueId> names_;
  State state_;
};

/// Events in the order of the history, except for a few that change their places.
std::vector<Event> random_order(Random& random, const History& history, bool one_event) {
  std::vector<Event> order;
  for (const TransactionId t : history.transactions()) {
    if (!one_event) order.push_back(Event::begin(number_of(t)));
    order.push_back(Event::commit(number_of(t)));
  }
  for (std::uint64_t left = random.below(4); left > 0; --left) {
    const std::size_t at = random.below(order.size() - 1);
    if (order[at].transaction != order[at + 1].transaction) std::swap(order[at], order[at + 1]);
  }
  return order;
}

TEST(PredicateReplay, AcceptsWhatANaiveExecutionDoes) {
  Random random(1);
  std::array<std::array<int, 2>, 2> counts = {};
  for (int i = 0; i < 10000 * test_scale(); ++i) {
    const History history = RandomRun(random).make();
    Certificate certificate;
    certificate.history_digest = digest(history);
    certificate.holds = true;
    for (const bool one_event : {false, true}) {
      certificate.level = {one_event ? LevelId::serializable : LevelId::snapshot_isolation, true};
      certificate.order = random_order(random, history, one_event);
      const bool expected = is_execution(history, certificate.order, one_event);
      ASSERT_EQ(test::answer(history, certificate) == "confirmed", expected)
          << test::answer(history, certificate) << "\n"
          << *format_history(history, Format::litmus);
      ++counts[one_event ? 1 : 0][expected ? 1 : 0];
    }
  }
  for (const auto& of_level : counts) {
    for (const int count : of_level) EXPECT_GT(count, 2000 * test_scale());
  }
}

/// Looking at every row for every range would take minutes.
TEST(PredicateReplay, RangesOfLargeTablesAreCheap) {
  constexpr std::int64_t rows = 10000;
  constexpr std::int64_t width = 3;
  constexpr std::uint32_t transactions = 80000;
  HistoryBuilder builder;
  const ValueId column = builder.values().string("v");
  const auto row = [&](std::int64_t v) {
    return builder.values().row(std::array{Column{column, builder.values().integer(v)}});
  };
  // The column v of key k is k at first. Each change adds the number of rows, and the next range is
  // where the last one has moved to.
  std::vector<std::int64_t> state;
  for (std::int64_t key = 0; key < rows; ++key) {
    builder.set_initial(builder.key(key), row(key));
    state.push_back(key);
  }
  Certificate certificate;
  certificate.level = {LevelId::serializable, true};
  certificate.holds = true;
  const SessionId session = builder.add_session();
  for (std::uint32_t t = 1; t <= transactions; ++t) {
    builder.begin_transaction(session);
    const std::int64_t key = std::int64_t{t} * 7919 % (rows / width) * width;
    const std::int64_t first = state[static_cast<std::size_t>(key)];
    std::vector<RowVersion> changed;
    for (std::int64_t k = key; k < key + width; ++k) {
      state[static_cast<std::size_t>(k)] += rows;
      changed.push_back({builder.key(k), row(state[static_cast<std::size_t>(k)])});
    }
    const Predicate range{Predicate::Kind::between, "v", {first, first + width - 1}, {}};
    builder.add_predicate(OperationKind::predicate_write, HistoryBuilder::default_table,
                          builder.predicate(range), changed);
    certificate.order.push_back(Event::commit(t));
  }
  const History history = std::move(builder).finish();
  certificate.history_digest = digest(history);
  EXPECT_EQ(test::answer(history, certificate), "confirmed");
}

}  // namespace
}  // namespace isoscope
