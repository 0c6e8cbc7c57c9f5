// The first pass decides valid-reads and cut-isolation as the reference checker does, on random
// histories of rows and predicates.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "reference/reference_checker.h"
#include "test_scale.h"

namespace isoscope {
namespace {

/// A few transactions over two small tables and a list, with predicates of every kind. What a
/// transaction sees of a key is mostly one of the values that somebody wrote before, and predicates
/// mostly say what such values make true; so about as many histories are right as are wrong.
class RandomRows {
 public:
  explicit RandomRows(Random& random) : random_(random) {}

  History make() && {
    tables_ = {HistoryBuilder::default_table, builder_.table("t")};
    for (int i = 0; i < 3; ++i) add_row(builder_.values().integer(i), tables_[0]);
    for (const char* name : {"ab", "b"}) add_row(builder_.values().string(name), tables_[1]);
    list_ = builder_.key(std::int64_t{9});
    choose_initial();
    const SessionId session = builder_.add_session();
    noise_ = random_.chance(50) ? 0 : 8;
    const int transactions = 1 + number(4);
    for (int i = 0; i < transactions; ++i) transaction(session);
    return std::move(builder_).finish();
  }

 private:
  struct Row {
    KeyId key;
    ValueId name;
    TableId table;
  };

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  void add_row(ValueId name, TableId table) {
    rows_.push_back({builder_.key(name, table), name, table});
  }

  ValueId scalar() {
    return random_.chance(80) ? builder_.values().integer(number(4))
                              : builder_.values().string(random_.chance(50) ? "a" : "ab");
  }

  ValueId value() {
    if (random_.chance(50)) return scalar();
    std::vector<Column> columns;
    for (const char* name : {"v", "w"}) {
      if (random_.chance(75)) {
        columns.push_back(
            {builder_.values().string(name), random_.chance(15) ? ValuePool::nil : scalar()});
      }
    }
    return builder_.values().row(columns);
  }

  void choose_initial() {
    const bool none = random_.chance(40);
    if (none) builder_.set_initial_default(std::nullopt);
    for (const auto& [key, name, table] : rows_) {
      if (random_.chance(50)) {
        const ValueId row = value();
        builder_.set_initial(key, row);
        versions_[key] = {row};
      } else if (!none) {
        versions_[key] = {ValuePool::nil};
      }
    }
    if (random_.chance(5)) {
      const ValueId list = builder_.values().list_with(ValuePool::empty_list, scalar());
      builder_.set_initial(list_, list);
    }
  }

  /// What the transaction sees of the key.
  ValueId seen(KeyId key) {
    if (random_.chance(noise_)) return random_.chance(30) ? ValuePool::nil : value();
    if (const auto own = own_.find(key); own != own_.end()) return own->second;
    const std::vector<ValueId>& of_key = versions_[key];
    return of_key.empty() ? ValuePool::nil : of_key[random_.below(of_key.size())];
  }

  void wrote(KeyId key, ValueId value) {
    const auto own = own_.find(key);
    if (own != own_.end() && random_.chance(6 * noise_)) versions_[key].push_back(own->second);
    own_[key] = value;
  }

  Constant constant() {
    if (random_.chance(5)) return {};
    if (random_.chance(75)) return std::int64_t{number(4)};
    return std::string(random_.chance(50) ? "a" : "b");
  }

  Predicate predicate(int depth) {
    using enum Predicate::Kind;
    Predicate result;
    const int kind = number(depth > 0 ? 15 : 12);
    result.kind = static_cast<Predicate::Kind>(kind);
    if (result.kind == conjunction || result.kind == disjunction || result.kind == negation) {
      const int children = result.kind == negation ? 1 : number(3);
      for (int i = 0; i < children; ++i) result.children.push_back(predicate(depth - 1));
      return result;
    }
    if (result.kind == always) return result;
    const std::vector<std::string> operands = {"@key", "@value", "v", "w"};
    result.operand = operands[random_.below(operands.size())];
    switch (result.kind) {
      case between:
        result.constants = {constant(), constant()};
        break;
      case in:
        for (int i = number(4); i > 0; --i) result.constants.push_back(constant());
        break;
      case is_null:
        break;
      case prefix:
        result.constants = {std::string(random_.chance(50) ? "a" : "ab")};
        break;
      case modulo:
        result.constants = {std::int64_t{2}, std::int64_t{number(2)}};
        break;
      default:
        result.constants = {constant()};
    }
    return result;
  }

  void transaction(SessionId session) {
    builder_.begin_transaction(session);
    const int outcome = number(100);
    const bool aborted = outcome < 15;
    builder_.set_outcome(aborted        ? Outcome::aborted
                         : outcome < 45 ? Outcome::indeterminate
                                        : Outcome::committed);
    own_.clear();
    for (int left = 1 + number(4); left > 0; --left) operation();
    if (aborted && !random_.chance(noise_)) return;
    for (const auto& [key, last] : own_) versions_[key].push_back(last);
  }

  void operation() {
    if (random_.chance(45)) return predicate_operation();
    if (random_.chance(5)) {
      builder_.append(list_, builder_.values().integer(next_element_++));
      return;
    }
    const KeyId key = rows_[random_.below(rows_.size())].key;
    const int kind = number(100);
    if (kind < 30) {
      builder_.read(key, random_.chance(5) ? ValuePool::unreported : seen(key));
    } else if (kind < 50) {
      builder_.remove(key);
      wrote(key, ValuePool::nil);
    } else {
      const ValueId written = value();
      builder_.add(kind < 75 ? OperationKind::write : OperationKind::insert, key, written);
      wrote(key, written);
    }
  }

  void predicate_operation() {
    const TableId table = tables_[random_.below(tables_.size())];
    const Predicate condition = predicate(2);
    const bool reads = random_.chance(60);
    std::vector<RowVersion> listed_rows;
    for (const auto& [key, name, its_table] : rows_) {
      if (its_table != table) continue;
      const ValueId row = seen(key);
      bool listed = evaluate(condition, builder_.values(), name, row) == Truth::yes;
      if (random_.chance(noise_)) listed = !listed;
      if (!listed || (reads && row == ValuePool::nil)) continue;
      if (reads) {
        listed_rows.push_back({key, random_.chance(5) ? ValuePool::unreported : row});
      } else {
        listed_rows.push_back({key, random_.chance(30) ? ValuePool::nil : value()});
        wrote(key, listed_rows.back().value);
      }
    }
    // Nothing is said about the list; often it would have to be.
    const bool reported = !reads || !random_.chance(10);
    builder_.add_predicate(
        reads ? OperationKind::predicate_read : OperationKind::predicate_write, table,
        builder_.predicate(condition),
        reported ? std::optional(std::span<const RowVersion>(listed_rows)) : std::nullopt);
  }

  Random& random_;
  HistoryBuilder builder_;
  std::vector<TableId> tables_;
  std::vector<Row> rows_;
  KeyId list_;
  std::int64_t next_element_ = 1;
  unsigned noise_ = 0;  // percent
  std::map<KeyId, std::vector<ValueId>> versions_;
  std::map<KeyId, ValueId> own_;  // of the transaction
};

TEST(PredicateEquivalence, TheFirstPassAnswersAsTheReferenceDoes) {
  Random random(51);
  std::map<std::pair<LevelId, bool>, int> answers;
  int below_read_uncommitted = 0;
  std::map<ReadFinding, int> kinds;
  for (int i = 0; i < 50'000 * test_scale(); ++i) {
    const History history = RandomRows(random).make();
    for (const LevelId level : {LevelId::valid_reads, LevelId::cut_isolation}) {
      const bool slow = reference::satisfies(history, {level});
      const Verdict fast = check(history, {level});
      ASSERT_EQ(fast.answer, slow ? Answer::holds : Answer::violated)
          << name_of(level) << "\n"
          << *format_history(history, Format::native);
      ++answers[{level, slow}];
      for (const BadRead& finding : fast.evidence) ++kinds[finding.kind];
    }
    // What speaks against weaker and stronger levels is true too.
    for (const LevelId level : {LevelId::read_uncommitted, LevelId::read_committed}) {
      if (check(history, {level}).answer != Answer::violated) continue;
      ASSERT_FALSE(reference::satisfies(history, {level}))
          << name_of(level) << "\n"
          << *format_history(history, Format::native);
      below_read_uncommitted += level == LevelId::read_uncommitted;
    }
  }
  EXPECT_GT(below_read_uncommitted, 1000);
  for (const LevelId level : {LevelId::valid_reads, LevelId::cut_isolation}) {
    EXPECT_GT((answers[{level, true}]), 3000);
    EXPECT_GT((answers[{level, false}]), 3000);
  }
  for (std::size_t kind = 0; kind < read_finding_count; ++kind) {
    EXPECT_GT(kinds[static_cast<ReadFinding>(kind)], 100)
        << name_of(static_cast<ReadFinding>(kind));
  }
}

}  // namespace
}  // namespace isoscope
