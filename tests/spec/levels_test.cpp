// Each level text that says which level of the catalogue it defines, against the reference checker,
// which has the catalogue's definitions as programs: on random histories, and on the litmus corpus
// and what is one change away from it, which is where levels part.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/level/level.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/spec/level_text.h"
#include "litmus/corpus.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "spec/all_structures.h"
#include "spec/random_structure.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

/// All texts with a level in the catalogue, and how often each was held against the reference.
class Texts {
 public:
  Texts() {
    for (const ShippedLevel& shipped : shipped_levels()) {
      const LevelText text{std::string(shipped.name), std::string(shipped.text)};
      auto definition = read_definition(text, find_shipped);
      if (!definition) {
        ADD_FAILURE() << definition.error().text();
      } else if (definition->defines) {
        const auto level = find_level(*definition->defines);
        EXPECT_TRUE(level) << text.name;
        if (!level) continue;
        levels_.push_back(*level);
        definitions_.push_back(*std::move(definition));
      }
    }
    allowed_.resize(levels_.size());
    forbidden_.resize(levels_.size());
  }

  /// False if a text says something else than the reference (once that is reported, enough).
  bool agree(const History& history, const Structure& structure) {
    const std::vector<bool> expected = reference::satisfied(history, levels_);
    bool all_agree = true;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      // Which of two reads of a key came first is not in a structure.
      if (structure.has_non_repeatable_reads() && mentions(definitions_[i], Base::seen_before)) {
        continue;
      }
      const auto execution = find_execution(definitions_[i], structure);
      ++(expected[i] ? allowed_ : forbidden_)[i];
      if (execution.has_value() == expected[i]) continue;
      ADD_FAILURE() << definitions_[i].name << (expected[i] ? " forbids" : " allows")
                    << ", unlike the reference,\n"
                    << *format_history(history, Format::litmus);
      all_agree = false;
    }
    return all_agree;
  }

  bool agree(const History& history) {
    const auto structure = structure_of(history);
    return !structure || agree(history, *structure);
  }

  /// How many histories the reference has at the level, and how many not.
  std::pair<int, int> counts(Level level) const {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (levels_[i] == level) return {allowed_[i], forbidden_[i]};
    }
    return {};
  }
  const std::vector<Level>& levels() const { return levels_; }

 private:
  std::vector<Definition> definitions_;
  std::vector<Level> levels_;
  std::vector<int> allowed_;
  std::vector<int> forbidden_;
};

/// Does the level forbid any history of registers with valid, repeatable reads?
bool forbids_anything(Level level) {
  using enum LevelId;
  constexpr std::array vacuous = {valid_reads, read_uncommitted, cut_isolation,
                                  monotonic_writes_per_key, strong_read_uncommitted};
  return std::ranges::find(vacuous, level.id) == vacuous.end();
}

TEST(Levels, EveryLevelOfTheCatalogueHasAText) {
  const Texts texts;
  std::string missing;
  for (const LevelEntry& row : levels()) {
    const auto is_it = [&](Level level) { return level.id == row.id; };
    if (std::ranges::none_of(texts.levels(), is_it)) missing += std::string(row.name) + " ";
  }
  // A monotonic view also has what a transaction overwrote before it read, and the order of own
  // writes and reads is not in a structure.
  EXPECT_EQ(missing, "monotonic-view ");
}

TEST(Levels, AgreeWithTheReferenceOnAllSmallStructures) {
  Texts texts;
  constexpr long plain_stride = 53;
  const long count =
      AllStructures::for_each(test_scale() > 1 ? 1 : plain_stride, [&](const Structure& structure) {
        if (!HasFailure()) texts.agree(history_of(structure, false), structure);
      });
  EXPECT_EQ(count, 188'406);
}

TEST(Levels, AgreeWithTheReferenceOnRandomStructures) {
  Texts texts;
  Random random(2026);
  for (int i = 0; i < 1500 * test_scale(); ++i) {
    const Structure structure = i % 3 == 0 ? random_structure(random, 3 + random.below(2), 2)
                                           : random_run(random, 3 + random.below(2), 2);
    ASSERT_TRUE(texts.agree(history_of(structure, true), structure)) << i;
  }
  for (const Level level : texts.levels()) {
    const auto [allowed, forbidden] = texts.counts(level);
    EXPECT_GT(allowed, 100 * test_scale()) << text_of(level);
    EXPECT_EQ(forbidden > 5 * test_scale(), forbids_anything(level)) << text_of(level);
  }
}

TEST(Levels, AgreeWithTheReferenceOnHistories) {
  reference::RandomFeatures features;
  features.keys = 2;
  features.outcomes = features.lists = features.predicates = features.initial = false;
  Texts texts;
  Random random(1999);
  for (int i = 0; i < 1500 * test_scale(); ++i) {
    ASSERT_TRUE(texts.agree(reference::random_history(random, features))) << i;
  }
}

/// The history with one thing changed: an operation left out, another value read, two neighbouring
/// operations exchanged, or a transaction moved to a session of its own.
class Neighbour {
 public:
  Neighbour(const History& history, Random& random) : history_(history), random_(random) {}

  std::optional<History> make() {
    if (history_.operation_count() == 0) return std::nullopt;
    for (const TransactionId t : history_.transactions()) {
      const auto operations = history_.operations(t);
      moved_.push_back(false);
      operations_.emplace_back(operations.begin(), operations.end());
    }
    const std::size_t t = random_.below(operations_.size());
    change(operations_[t], t);
    HistoryBuilder builder;
    for (const TransactionId id : history_.transactions()) {
      const SessionId session = session_in(builder, id);
      builder.begin_transaction(session);
      builder.set_times(history_.begin_time(id), history_.end_time(id));
      builder.set_outcome(history_.outcome(id));
      for (const Operation& operation : operations_[id.index()]) {
        if (!add(builder, operation)) return std::nullopt;
      }
    }
    return std::move(builder).finish();
  }

 private:
  void change(std::vector<Operation>& operations, std::size_t transaction) {
    const std::uint64_t what = random_.below(operations.empty() ? 1 : 4);
    if (what == 0) {
      moved_[transaction] = true;
      return;
    }
    const std::size_t at = random_.below(operations.size());
    if (what == 1) {
      operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (what == 2 && at > 0) {
      std::swap(operations[at - 1], operations[at]);
    } else if (what == 3 && operations[at].kind() == OperationKind::read) {
      const KeyId key = operations[at].key();
      std::vector<ValueId> values = {ValuePool::nil};
      for (const TransactionId t : history_.transactions()) {
        for (const Operation& o : history_.operations(t)) {
          if (!o.is_predicate() && o.is_item_write() && o.key() == key) values.push_back(o.value());
        }
      }
      operations[at] =
          Operation::item(OperationKind::read, key, values[random_.below(values.size())]);
    }
  }

  SessionId session_in(HistoryBuilder& builder, TransactionId t) const {
    if (moved_[t.index()]) return builder.add_session();
    const std::size_t session = history_.session_of(t).index();
    return builder.session(builder.values().integer(static_cast<std::int64_t>(session) + 100));
  }

  /// False if it is on something else than registers that hold integers.
  bool add(HistoryBuilder& builder, const Operation& operation) const {
    const bool reads = operation.kind() == OperationKind::read;
    if (!reads && operation.kind() != OperationKind::write) return false;
    const ValueKind kind = history_.values().kind(operation.value());
    if (kind != ValueKind::nil && kind != ValueKind::integer) return false;
    const auto key = static_cast<std::int64_t>(operation.key().index());
    builder.add(operation.kind(), builder.key(key),
                kind == ValueKind::nil
                    ? ValuePool::nil
                    : builder.values().integer(history_.values().integer_of(operation.value())));
    return true;
  }

  const History& history_;
  Random& random_;
  std::vector<bool> moved_;
  std::vector<std::vector<Operation>> operations_;
};

TEST(Levels, AgreeWithTheReferenceOnTheLitmusCorpusAndAround) {
  Texts texts;
  Random random(11);
  int at_all = 0;
  for (const litmus::Case& each : litmus::corpus()) {
    const History history = each.read();
    if (!structure_of(history) || history.transaction_count() > 6) continue;
    ++at_all;
    ASSERT_TRUE(texts.agree(history)) << each.name;
    for (int i = 0; i < 4 * test_scale(); ++i) {
      const auto neighbour = Neighbour(history, random).make();
      ASSERT_TRUE(!neighbour || texts.agree(*neighbour)) << each.name;
    }
  }
  EXPECT_GT(at_all, 100);
}

}  // namespace
}  // namespace isoscope::spec
