#include "reference/reference_checker.h"

#include <gtest/gtest.h>

#include <string>

#include "isoscope/history/format.h"
#include "reference/scenario.h"

namespace isoscope::reference {
namespace {

using enum LevelId;

Result<History> parsed(const std::string& litmus) {
  return read_history(Source::from_memory("litmus", litmus + "\n"), {.format = Format::litmus});
}

bool at(const std::string& litmus, Level level, const Options& options = {}) {
  const auto history = parsed(litmus);
  EXPECT_TRUE(history) << litmus;
  return history && satisfies(*history, level, options);
}

/// The litmus history is at the first levels and not at the second ones.
void expect(const std::string& litmus, std::initializer_list<LevelId> satisfied,
            std::initializer_list<LevelId> violated, bool session_order = true) {
  for (const LevelId id : satisfied) {
    EXPECT_TRUE(at(litmus, {id, session_order})) << litmus << "\n" << text_of({id, session_order});
  }
  for (const LevelId id : violated) {
    EXPECT_FALSE(at(litmus, {id, session_order})) << litmus << "\n" << text_of({id, session_order});
  }
}

void expect_plain(const std::string& litmus, std::initializer_list<LevelId> satisfied,
                  std::initializer_list<LevelId> violated) {
  expect(litmus, satisfied, violated, false);
}

TEST(Reference, KnowsTheClassicAnomalies) {
  // Lost update.
  expect("r(x,nil) w(x,1) | r(x,nil) w(x,2)",
         {causal, prefix_consistency, read_atomic, monotonic_view, monotonic_snapshot_read},
         {snapshot_isolation, parallel_snapshot_isolation, update_atomic, cursor_stability,
          repeatable_read, serializable, update_serializable});
  // Write skew.
  expect("r(x,nil) w(y,1) | r(y,nil) w(x,1)",
         {snapshot_isolation, parallel_snapshot_isolation, strong_snapshot_isolation},
         {serializable, repeatable_read, update_serializable, strict_serializable});
  // Long fork.
  expect("w(x,1) | w(y,1) | r(x,1) r(y,nil) | r(y,1) r(x,nil)",
         {parallel_snapshot_isolation, update_serializable, causal, update_atomic},
         {prefix_consistency, snapshot_isolation, serializable, monotonic_snapshot_read});
  // Causality violation.
  expect("w(x,1) | r(x,1) w(y,1) | r(y,1) r(x,nil)",
         {read_atomic, read_committed, update_atomic, cursor_stability, monotonic_atomic_view},
         {causal, session_causal, writes_follow_reads, monotonic_view, prefix_consistency,
          parallel_snapshot_isolation});
  // Fractured read, seen in either order.
  expect("w(x,1) w(y,1) | r(x,nil) r(y,1)", {read_committed, monotonic_view, cut_isolation},
         {read_atomic, repeatable_read});
  expect("w(x,1) w(y,1) | r(x,1) r(y,nil)", {adya_read_committed, cut_isolation, session_causal},
         {read_committed, monotonic_atomic_view, read_atomic});
  // Circular information flow.
  expect("r(y,1) w(x,1) | r(x,1) w(y,1)",
         {valid_reads, cut_isolation, read_uncommitted, pram, writes_follow_reads_per_key},
         {adya_read_committed, read_committed, session_causal, writes_follow_reads});
  // What one overwrites one has seen.
  expect("a(x,1) w(y,1) | a(x,2) r(y,nil) | r(x,[1 2])", {read_committed, session_causal},
         {monotonic_view, parallel_snapshot_isolation});
  expect("a(x,1) w(y,1) | r(y,nil) a(x,2) | r(x,[1 2])", {monotonic_view, causal},
         {update_atomic, parallel_snapshot_isolation});
  // Non-repeatable read.
  expect("w(x,1) | r(x,nil) r(x,1)", {read_committed, monotonic_snapshot_read, monotonic_view},
         {cut_isolation, read_atomic, snapshot_isolation, serializable});
}

TEST(Reference, TheInitialTransactionComesBeforeAllOthers) {
  expect("a: T1 w(x,1) ; T2 r(x,nil)", {read_committed, monotonic_reads, valid_reads},
         {serializable, snapshot_isolation, read_atomic, read_your_writes});
  expect_plain("a: T1 w(x,1) ; T2 r(x,nil)", {serializable, read_your_writes}, {});
  expect("initial 7\nr(x,7) | w(x,7) w(y,1) | r(y,1) r(x,7)", {serializable}, {});
  expect("initial none\nr(x,nil)", {}, {valid_reads, read_uncommitted, serializable, pram});
  expect("initial none\na(x,1) r(x,[1])", {valid_reads, read_uncommitted, serializable}, {});
  expect("initial none\nr(x,[])", {}, {valid_reads, read_uncommitted, serializable});
}

TEST(Reference, SessionGuarantees) {
  expect("a: r(x,1) ; r(x,nil) | b: w(x,1)", {read_your_writes, monotonic_writes, read_committed},
         {monotonic_reads, pram, session_causal, causal});
  expect("a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) r(x,nil)",
         {monotonic_writes_per_key, read_your_writes, monotonic_reads, read_atomic},
         {monotonic_writes, pram, session_causal, monotonic_view});
  expect("a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(x,nil) r(y,1)", {monotonic_writes, session_causal},
         {causal});
  expect("a: w(x,1) | b: r(x,1) ; w(y,1) | c: r(y,1) r(x,nil)", {writes_follow_reads_per_key},
         {writes_follow_reads});
  expect("a: a(x,1) ; a(x,2) | r(x,[2 1])", {valid_reads, read_your_writes, monotonic_reads},
         {monotonic_writes_per_key, monotonic_writes, adya_read_committed, read_uncommitted});
  expect("a: r(x,[2 1]) ; a(x,2) | a(x,1)", {valid_reads, monotonic_writes, pram},
         {writes_follow_reads_per_key, adya_read_committed});
  // Without sessions there is nothing to guarantee but valid reads.
  expect_plain("a: r(x,1) ; r(x,nil) | b: w(x,1)", {monotonic_reads, pram, causal}, {});
  expect_plain("a(x,1) | a(x,2) | r(x,[1 2]) | r(x,[2 1])", {monotonic_reads, pram, valid_reads},
               {writes_follow_reads_per_key, read_uncommitted});
}

TEST(Reference, DuplicateValuesLeaveAChoice) {
  expect("w(x,1) w(y,1) | w(x,1) | r(x,1) r(y,nil)", {serializable}, {});
  expect("w(x,1) w(y,1) | w(x,1) w(y,2) | r(x,1) r(y,nil)", {session_causal}, {read_committed});
  expect("w(x,1) | r(x,1) w(x,2) | r(x,2) w(x,1) | r(x,1) w(x,3)", {serializable}, {});
  expect("w(x,1) | r(x,1) w(x,2) | r(x,1) w(x,3)", {causal}, {snapshot_isolation, update_atomic});
  expect("w(x,1) | w(x,1) | r(x,1) w(x,2) | r(x,1) w(x,3)", {serializable}, {});
}

TEST(Reference, OnlyCommittedTransactionsCount) {
  expect("T1! w(x,1) | r(x,1)", {read_uncommitted}, {valid_reads, pram, serializable});
  expect("T1! w(x,1) r(y,9) | r(x,nil)", {serializable}, {});
  expect("w(x,1) w(x,2) | r(x,1)", {read_uncommitted}, {valid_reads, read_committed});
  expect("r(x,9)", {}, {read_uncommitted, valid_reads});
  expect("r(x,1) w(x,1)", {}, {read_uncommitted, valid_reads, monotonic_reads});
  expect("w(x,1) r(x,nil)", {}, {read_uncommitted, valid_reads, monotonic_reads});
  expect("T1! w(x,1) | w(x,1) | r(x,1)", {serializable}, {});
}

TEST(Reference, IndeterminateTransactionsMayHaveCommitted) {
  expect("T1? w(x,1) | r(x,1)", {serializable}, {});
  expect("T1? w(x,1) | r(x,nil)", {serializable}, {});
  expect("T1? r(y,9) w(x,1) | r(x,1)", {read_uncommitted}, {valid_reads, serializable});
  expect("T1? w(x,1) w(y,1) | r(x,1) r(y,nil)", {adya_read_committed}, {read_committed});
  // Its session goes on as a new one, but it comes after what came before.
  expect("a: T1? w(x,1) ; T2 r(x,nil) ; T3 r(x,1)", {serializable}, {});
  expect("a: T1 w(x,1) ; T2? ; T3 r(x,nil)", {serializable, read_your_writes}, {});
  expect("a: T1 w(x,1) ; T2! ; T3 r(x,nil)", {}, {serializable, read_your_writes});
  expect("a: T1 w(x,1) ; T2? w(y,1) | r(y,1) r(x,nil)", {read_atomic},
         {serializable, causal, monotonic_writes});
  // Real time enters it and does not leave it.
  expect("T1?@1..2 w(x,1) | T2@5..6 r(x,nil) | T3@7..8 r(x,1)", {strict_serializable}, {});
  expect("T1@1..2 r(x,1) | T2?@5..6 w(x,1)", {serializable}, {strict_serializable});
}

TEST(Reference, RealTime) {
  const std::string stale = "T1@1..2 w(x,1) | T2@5..6 r(x,nil)";
  expect(stale, {serializable, strong_read_committed, strong_read_uncommitted},
         {strict_serializable, strong_snapshot_isolation});
  EXPECT_TRUE(at(stale, {strict_serializable}, {.clock_skew = 3}));
  EXPECT_FALSE(at(stale, {strict_serializable}, {.clock_skew = 2}));
  expect("T1@1.. w(x,1) | T2@5..6 r(x,nil)", {strict_serializable}, {});
  expect("T1@..2 w(x,1) | T2@5..6 r(x,nil)", {}, {strict_serializable});
  expect("T1@1..2 r(x,1) | T2@5..6 w(x,1)", {adya_read_committed, read_committed},
         {strong_adya_read_committed, strong_read_committed, strong_snapshot_isolation});
  expect("T1@1..2 a(x,1) | T2@5..6 a(x,2) | r(x,[2 1])", {read_uncommitted, serializable},
         {strong_read_uncommitted, strong_adya_read_committed});
  expect("a: T1@5..6 ; T2@1..2", {serializable, read_uncommitted},
         {strong_read_uncommitted, strong_adya_read_committed, strict_serializable});
  // Snapshots may be old, but not older than what had ended.
  expect("T1@1..6 w(x,1) | T2@2..9 r(x,nil) w(y,1) | T3@7..8 r(x,1) r(y,nil)",
         {strong_snapshot_isolation}, {serializable});
  expect("T1@1..9 w(x,1) | T2@5..6 r(x,1) | T3@7..8 r(x,nil)", {snapshot_isolation},
         {strong_snapshot_isolation, strict_serializable});
}

TEST(Reference, Lists) {
  expect("a(x,1) | a(x,2) | r(x,[1 2]) | r(x,[1])", {serializable}, {});
  expect("a(x,1) | a(x,2) | r(x,[1 2]) | r(x,[2])", {valid_reads, cut_isolation},
         {read_uncommitted, adya_read_committed, monotonic_reads});
  expect("a(x,1) a(x,2) | r(x,[1])", {read_uncommitted}, {valid_reads});
  expect("a(x,1) a(x,2) | a(x,3) | r(x,[1 3 2])", {}, {read_uncommitted, valid_reads});
  expect("T1! a(x,3) | a(x,1) a(x,2) | r(x,[1 3 2])", {read_uncommitted}, {valid_reads});
  expect("T1! a(x,3) | a(x,1) a(x,2) | r(x,[1 3 3])", {}, {read_uncommitted, valid_reads});
  expect("a(x,1) | r(x,[1 1])", {}, {read_uncommitted, valid_reads});
  expect("a(x,1) | a(x,1) | r(x,[1 1])", {serializable}, {});
  expect("a(x,1) r(x,[2 1]) | a(x,2)", {serializable}, {});
  expect("a(x,1) r(x,[1 2]) | a(x,2)", {}, {read_uncommitted, valid_reads});
  expect("r(x,[1 2]) a(x,1) | a(x,2)", {}, {read_uncommitted, valid_reads, read_your_writes});
  expect("r(x,[2]) a(x,1) | a(x,2) | r(x,[1 2])", {valid_reads},
         {read_uncommitted, adya_read_committed, read_your_writes, monotonic_reads});
  expect("r(x,[]) a(x,1) r(x,[2 1]) | a(x,2)", {read_committed}, {cut_isolation, read_atomic});
  expect("initial nil x=[5]\na(x,1) | r(x,[5 1]) | r(x,[5])", {serializable}, {});
  expect("initial nil x=[5]\na(x,1) | r(x,[1])", {}, {read_uncommitted, valid_reads});
  expect("r(x,nil) a(x,1) | r(x,nil) a(x,2) | r(x,[1 2])", {causal, prefix_consistency},
         {snapshot_isolation, cursor_stability});
  // The orders of two keys contradict each other: a G0.
  expect("a(x,1) a(y,1) | a(x,2) a(y,2) | r(x,[1 2]) r(y,[2 1])", {valid_reads, monotonic_writes},
         {read_uncommitted, adya_read_committed});
}

TEST(Reference, PredicateReads) {
  expect("w(x,5) | rp(@value = 5, {x:5})", {serializable}, {});
  expect("w(x,5) w(y,1) | r(y,1) rp(@value = 5, {})",
         {adya_read_committed, repeatable_read, monotonic_atomic_view, cursor_stability},
         {read_committed, read_atomic, serializable, snapshot_isolation});
  // The row may have been deleted, or changed to something else.
  expect("w(x,5) w(y,1) | r(y,1) rp(@value = 5, {}) | d(x)", {serializable}, {});
  expect("w(x,5) w(y,1) | r(y,1) rp(@value = 5, {}) | w(x,6)", {serializable}, {});
  expect("w(x,5) w(y,1) | r(y,1) rp(@value > 4, {}) | w(x,6)", {repeatable_read}, {read_committed});
  // Other tables, unknown rows, rows of one's own.
  expect("w(t.x,5) w(y,1) | r(y,1) rp(@value = 5, {})", {serializable}, {});
  expect("w(x,5) w(y,1) | r(y,1) rp(@value = 5, ?)", {serializable}, {});
  expect("w(x,5) rp(@value = 5, {})", {}, {read_uncommitted, valid_reads});
  expect("w(x,5) rp(@value = 5, {x:5})", {serializable}, {});
  expect("w(x,6) | rp(@value = 5, {x:6})", {}, {read_uncommitted, valid_reads});
  expect("initial 5\nrp(@value = 5, {}) | r(x,5)", {}, {valid_reads, read_uncommitted});
  expect("initial none\nrp(@value = 5, {}) | w(x,5)", {serializable}, {});
  // Phantoms: a row appears, or a row that was returned changes.
  expect("w(x,5) | rp(true, {}) rp(true, {x:5})", {repeatable_read, cut_isolation},
         {read_atomic, serializable});
  expect("w(x,5) | w(x,6) | rp(true, {x:5}) rp(true, {x:6})", {read_committed},
         {repeatable_read, cut_isolation, serializable});
  expect("w(x,5) | r(x,nil) rp(true, {x:5})", {read_committed}, {repeatable_read, cut_isolation});
  // Dirty rows.
  expect("T1! w(x,5) | rp(@value = 5, {x:5})", {read_uncommitted}, {valid_reads});
  expect("initial 5\nT1! w(x,6) | rp(@value = 5, {})", {read_uncommitted}, {valid_reads});
  // What one predicate reads it reads at once, so nothing of it is later; but it sees one state.
  expect("w(x,5) w(y,5) | rp(true, {x:5})", {read_committed, session_causal, monotonic_view},
         {read_atomic, monotonic_snapshot_read});
}

TEST(Reference, PredicateWrites) {
  expect("w(x,5) | wp(@value = 5, {x:6}) | r(x,6)", {serializable}, {});
  expect("wp(@value = 5, {x:6}) | r(x,6)", {}, {valid_reads, read_uncommitted});
  expect("w(x,5) w(y,1) | r(y,1) wp(@value = 5, {})", {repeatable_read}, {read_committed});
  expect("w(x,5) wp(@value = 5, {x:nil}) r(x,nil) rp(true, {})", {serializable}, {});
  expect("w(x,5) wp(@value = 5, {})", {}, {valid_reads, read_uncommitted});
  expect("w(x,5) wp(@value = 6, {x:7})", {}, {valid_reads, read_uncommitted});
  expect("w(x,5) | wp(@value = 5, {x:6}) | wp(@value = 5, {x:7})", {prefix_consistency},
         {snapshot_isolation, serializable});
}

TEST(Reference, KnowsItsLimits) {
  const auto within = [](const std::string& litmus) { return is_within_limits(*parsed(litmus)); };
  const std::string seven = "w(x,1)|w(x,1)|w(x,1)|w(x,1)|w(x,1)|w(x,1)|w(x,1)";
  EXPECT_TRUE(within("w(x,1) | w(x,2) | r(x,?) rp(true, ?) | a(l,1) r(l,[1])"));
  EXPECT_TRUE(within(seven + " | A! w(x,1) | B? w(x,1)"));
  EXPECT_FALSE(within(seven + " | A w(x,1) | B? w(x,1)"));
  EXPECT_FALSE(within("wp(true, ?)"));
  EXPECT_FALSE(within("w(x,1) | a(x,1)"));
  EXPECT_FALSE(within("A! wp(true, {x:1}) | a(x,1)"));
  EXPECT_TRUE(within("d(x) | r(x,[1])"));
}

}  // namespace
}  // namespace isoscope::reference
