#pragma once

#include <cstdint>
#include <memory>

#include "isoscope/base/random.h"
#include "isoscope/store/run.h"

namespace isoscope::test {

/// Short transactions of every kind on very few keys, so that a handful of them is enough to get
/// into each other's way: registers with unique or repeated values, lists, rows with predicates. In
/// chains, a transaction that writes a key has read the other one, which shows what sessions miss
/// of others.
class SmallWorkload final : public Workload {
 public:
  enum class Flavour : std::uint8_t { registers, chains, repeated_values, lists, rows };
  static constexpr int flavours = 5;

  SmallWorkload(const WorkloadPlan& plan, HistoryBuilder& names, Flavour flavour)
      : names_(names), random_(plan.seed), flavour_(flavour) {}

  std::vector<RowVersion> initial_rows() override {
    if (flavour_ != Flavour::rows) return {};
    return {{row(0), integer(1)}, {row(1), integer(2)}};
  }

  Script next(std::size_t) override {
    if (flavour_ == Flavour::chains) {
      switch (random_.below(4)) {
        case 0:
          return writes_first();
        case 1:
          return writes_all();
        case 2:
          return reads_first_writes_second();
        default:
          return reads_second_then_first();
      }
    }
    // The shapes that anomalies are made of; the plain ones are the most common.
    switch (random_.below(10)) {
      case 0:
      case 1:
        return reads_all();
      case 2:
      case 3:
        return writes_all();
      case 4:
        return reads_then_writes_the_same();
      case 5:
        return reads_all_writes_one();
      case 6:
        return writes_twice();
      default:
        return anything(1 + random_.below(3));
    }
  }

 private:
  static constexpr std::uint64_t keys = 2;

  ValueId integer(std::int64_t value) { return names_.values().integer(value); }
  TableId table() { return names_.table("t"); }
  KeyId row(std::uint64_t number) {
    return names_.key(integer(static_cast<std::int64_t>(number)), table());
  }
  KeyId some_key() { return key(random_.below(keys)); }
  KeyId key(std::uint64_t number) {
    if (flavour_ == Flavour::rows) return row(number + random_.below(2));
    return names_.key(static_cast<std::int64_t>(number));
  }
  ValueId some_value() {
    if (flavour_ == Flavour::repeated_values) {
      return integer(static_cast<std::int64_t>(random_.below(2)) + 1);
    }
    // Odd and even ones: predicates tell them apart.
    return integer(static_cast<std::int64_t>(10 + 2 * next_value_++ + random_.below(2)));
  }

  Request read(KeyId key) {
    if (flavour_ == Flavour::rows && random_.chance(45)) {
      return {
          .kind = OperationKind::predicate_read, .table = table(), .predicate = some_predicate()};
    }
    const bool list = flavour_ == Flavour::lists;
    return {.kind = list ? OperationKind::list_read : OperationKind::read, .key = key};
  }
  Request write(KeyId key) {
    if (flavour_ == Flavour::lists) {
      return {.kind = OperationKind::append, .key = key, .value = some_value()};
    }
    if (flavour_ == Flavour::rows && random_.chance(25)) {
      return {.kind = OperationKind::predicate_write,
              .table = table(),
              .predicate = some_predicate(),
              .value = random_.chance(30) ? ValuePool::nil : some_value()};
    }
    if (flavour_ == Flavour::rows && random_.chance(20)) {
      return {.kind = OperationKind::remove, .key = key};
    }
    return {.kind = OperationKind::write, .key = key, .value = some_value()};
  }
  /// Rows with odd values, or with even ones; or large values, which an index finds.
  PredicateId some_predicate() {
    const auto number = [&](std::uint64_t bound) {
      return Constant(static_cast<std::int64_t>(random_.below(bound)));
    };
    Predicate predicate;
    predicate.operand = Predicate::value_operand;
    if (random_.chance(50)) {
      predicate.kind = Predicate::Kind::modulo;
      predicate.constants = {Constant(std::int64_t{2}), number(2)};
    } else {
      predicate.kind = Predicate::Kind::greater_equal;
      predicate.constants = {number(20)};
    }
    return names_.predicate(predicate);
  }

  Script reads_all() {
    const std::uint64_t first = random_.below(keys);
    for (std::uint64_t i = 0; i < keys; ++i) co_yield read(key((first + i) % keys));
    co_return Ending::commit;
  }
  Script writes_all() {
    for (std::uint64_t i = 0; i < keys; ++i) co_yield write(key(i));
    co_return Ending::commit;
  }
  Script reads_then_writes_the_same() {
    const KeyId chosen = some_key();
    co_yield read(chosen);
    co_yield write(chosen);
    if (random_.chance(30)) co_yield read(chosen);
    co_return Ending::commit;
  }
  Script reads_all_writes_one() {
    for (std::uint64_t i = 0; i < keys; ++i) co_yield read(key(i));
    co_yield write(some_key());
    co_return Ending::commit;
  }
  // The links of a chain: a transaction that sees the second key's value should see the first
  // one's.
  Script writes_first() {
    co_yield write(key(0));
    co_return Ending::commit;
  }
  Script reads_first_writes_second() {
    co_yield read(key(0));
    co_yield write(key(1));
    co_return Ending::commit;
  }
  Script reads_second_then_first() {
    co_yield read(key(1));
    co_yield read(key(0));
    co_return Ending::commit;
  }
  Script writes_twice() {
    const KeyId chosen = some_key();
    co_yield write(chosen);
    co_yield write(chosen);
    co_return Ending::commit;
  }
  Script anything(std::uint64_t operations) {
    for (std::uint64_t i = 0; i < operations; ++i) {
      const KeyId chosen = some_key();
      co_yield random_.chance(50) ? read(chosen) : write(chosen);
    }
    co_return Ending::commit;
  }

  HistoryBuilder& names_;
  Random random_;
  Flavour flavour_;
  std::uint64_t next_value_ = 0;
};

/// A small run with the bug; everything else is drawn from the seed. Predicates make many ways to
/// read the same, so runs with them have fewer transactions.
inline History small_run(StoreKind store, Bug bug, std::uint64_t seed) {
  struct Shape {
    std::size_t sessions;
    std::size_t transactions;
  };
  static constexpr Shape shapes[] = {{2, 2}, {3, 1}, {4, 1}, {2, 3}, {3, 2}, {5, 1}};
  Random random(seed);
  const auto flavour = static_cast<SmallWorkload::Flavour>(random.below(SmallWorkload::flavours));
  const Shape shape = shapes[random.below(flavour == SmallWorkload::Flavour::rows ? 3 : 6)];
  RunPlan plan;
  plan.store = store;
  plan.bug = bug;
  plan.bug_percent = 60;
  plan.workload.sessions = shape.sessions;
  plan.transactions = shape.transactions;
  plan.abort_percent = 10;
  plan.indeterminate_percent = random.chance(20) ? 20 : 0;
  plan.lag = 3;
  plan.seed = random.next();
  Progress silence;
  return run(
      plan,
      [&](const WorkloadPlan& workload, HistoryBuilder& names) {
        return std::make_unique<SmallWorkload>(workload, names, flavour);
      },
      Limits(), silence);
}

}  // namespace isoscope::test
