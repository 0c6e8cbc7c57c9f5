#include <array>
#include <cstddef>
#include <cstdint>

#include "isoscope/base/contract.h"
#include "isoscope/level/level.h"
#include "level/citation.h"

namespace isoscope {
namespace {

using enum LevelId;
using enum LevelKind;
using enum LevelAlias::Session;
using enum LevelAlias::Spoken;

// The words of the definitions (docs/levels.md has them with examples):
// - All is about committed transactions, and an initial one before all others that writes every
//   key's initial version.
// - A history is at a level if what was not recorded (which of several equal writes a read
//   returned; for every key an order of its versions) can be chosen so that the definition is true.
// - T -> U is a dependency if U reads a version that T wrote, or overwrites one; an anti-dependency
//   if T reads a version that U overwrites. With session order, a transaction also depends on the
//   earlier ones of its session.
// - "Older" and "between" speak of the version order. A commit order is an order of all
//   transactions with which the version orders agree.
// - Predicate reads count as reads of every key of their table, except where "item" is said.
//
// Each `implies` is true with session order and without, for registers and lists, with the same
// version orders on both sides; tests/level/order_test.cpp tries it on random histories, and finds
// one that separates any two levels between which the table says nothing. Where two names of the
// literature mean the same histories there is one row with two names. What remains: on histories
// without predicate reads monotonic-atomic-view is read-committed, and repeatable-read is
// serializable.
// clang-format off
constexpr std::array<LevelEntry, level_count> table = {{
    {
        .id = valid_reads,
        .name = "valid-reads",
        .title = "Valid reads",
        .plain = LevelEntry::Plain::same_level,
        .definition = "Every read returns the transaction's own latest write of the key or, if "
                      "there is none yet, the final write of another committed transaction.",
        .remark = "The lowest level that is about committed data; the first pass over a history "
                  "decides it.",
        // The premise of all levels there: reads-from gives every external read a committed writer.
        .citation = citation::biswas_enea,
        .forbids = {Anomaly::internal, Anomaly::thin_air_read, Anomaly::future_read, Anomaly::g1a,
                    Anomaly::g1b, Anomaly::predicate_read_miss, Anomaly::duplicate_elements,
                    Anomaly::cyclic_versions},
    },
    {
        .id = read_uncommitted,
        .name = "read-uncommitted",
        .title = "Read uncommitted",
        .aliases = {{"PL-1", off}, {"RU"}},
        .definition = "There is no cycle of write dependencies, and every read returns the "
                      "transaction's own latest write or what another transaction wrote, even if "
                      "that was aborted or overwritten.",
        .remark = "Not comparable with valid-reads: it allows aborted and intermediate reads, but "
                  "wants the writes of different keys in one order. Only lists show that order; "
                  "on registers nothing can refute it but a read that makes no sense.",
        .citation = citation::adya_icde,
        .forbids = {Anomaly::internal, Anomaly::thin_air_read, Anomaly::future_read,
                    Anomaly::predicate_read_miss, Anomaly::duplicate_elements,
                    Anomaly::cyclic_versions, Anomaly::incompatible_order, Anomaly::g0},
    },
    {
        .id = cut_isolation,
        .name = "cut-isolation",
        .title = "Item cut isolation",
        .plain = LevelEntry::Plain::same_level,
        .aliases = {{"item-cut-isolation"}, {"CI"}},
        .definition = "Reads are valid, and all item reads of one key in a transaction, up to its "
                      "own first write of the key, return the same version.",
        .citation = citation::bailis_hat,
        .implies = {valid_reads},
        .forbids = {Anomaly::non_repeatable_read},
    },
    {
        .id = read_your_writes,
        .name = "read-your-writes",
        .title = "Read your writes",
        .kind = session_guarantee,
        .plain = LevelEntry::Plain::valid_reads,
        .aliases = {{"RYW"}},
        .definition = "Reads are valid, and no transaction reads a version older than one that "
                      "its session wrote in an earlier transaction.",
        .citation = citation::terry,
        .implies = {valid_reads},
        .forbids = {Anomaly::missing_your_writes, Anomaly::incompatible_order},
    },
    {
        .id = monotonic_reads,
        .name = "monotonic-reads",
        .title = "Monotonic reads",
        .kind = session_guarantee,
        .plain = LevelEntry::Plain::valid_reads,
        .aliases = {{"MR"}},
        .definition = "Reads are valid, and no transaction reads a version older than one that "
                      "its session read in an earlier transaction.",
        .citation = citation::terry,
        .implies = {valid_reads},
        .forbids = {Anomaly::non_monotonic_reads, Anomaly::incompatible_order},
    },
    {
        .id = monotonic_writes_per_key,
        .name = "monotonic-writes-per-key",
        .title = "Monotonic writes, key by key",
        .kind = session_guarantee,
        .plain = LevelEntry::Plain::valid_reads,
        .definition = "Reads are valid, and the versions of one key that one session wrote are in "
                      "the order in which it wrote them.",
        .remark = "Weaker than Terry's, which also relates different keys. Only lists can show a "
                  "violation.",
        .citation = citation::bailis_hat,
        .implies = {valid_reads},
        .forbids = {Anomaly::non_monotonic_writes, Anomaly::incompatible_order},
    },
    {
        .id = writes_follow_reads_per_key,
        .name = "writes-follow-reads-per-key",
        .title = "Writes follow reads, key by key",
        .kind = session_guarantee,
        .definition = "Reads are valid, and a version comes after all versions of its key that "
                      "its writer, or an earlier transaction of the session, has read.",
        .remark = "Weaker than Terry's, which also relates different keys.",
        .citation = citation::terry,
        .implies = {valid_reads},
        .forbids = {Anomaly::incompatible_order},
    },
    {
        .id = monotonic_writes,
        .name = "monotonic-writes",
        .title = "Monotonic writes",
        .kind = session_guarantee,
        .plain = LevelEntry::Plain::valid_reads,
        .aliases = {{"MW"}},
        .definition = "Monotonic writes key by key; and once a transaction has read a write of T, "
                      "it reads no version older than one that T's session wrote before T.",
        .citation = citation::terry,
        .implies = {monotonic_writes_per_key},
    },
    {
        .id = writes_follow_reads,
        .name = "writes-follow-reads",
        .title = "Writes follow reads",
        .kind = session_guarantee,
        .aliases = {{"WFR"}},
        .definition = "Writes follow reads key by key, and in no circle across keys; and once a "
                      "transaction has read a write of T, it reads no version older than one that "
                      "T or an earlier transaction of T's session has read, nor than one that the "
                      "writer of that one had read, and so on.",
        .citation = citation::terry,
        .implies = {writes_follow_reads_per_key},
        .forbids = {Anomaly::missing_read_write_dependencies},
    },
    {
        .id = pram,
        .name = "pram",
        .title = "Pipelined RAM",
        .kind = session_guarantee,
        .plain = LevelEntry::Plain::valid_reads,
        .aliases = {{"pipelined-ram"}},
        .definition = "Read your writes, monotonic reads and monotonic writes under the same "
                      "version orders, each counting what the others make visible.",
        .remark = "As with Terry's guarantees, all observers agree on one order of the versions "
                  "of a key; the original PRAM lets each have its own.",
        .citation = citation::brzezinski,
        .implies = {read_your_writes, monotonic_reads, monotonic_writes},
    },
    {
        .id = adya_read_committed,
        .name = "adya-read-committed",
        .title = "Read committed, as Adya defines it",
        .aliases = {{"PL-2", off}, {"read-committed", as_spoken, only_elle}},
        .definition = "There are no aborted and no intermediate reads, and no cycle of "
                      "dependencies.",
        .remark = "Weaker than read-committed, which is about the order of a transaction's reads "
                  "too.",
        .citation = citation::adya_icde,
        // Session order and reads-from lie in one order with all versions, which is all that the
        // session guarantees ask for key by key.
        .implies = {read_uncommitted, monotonic_writes_per_key, writes_follow_reads_per_key},
        .forbids = {Anomaly::g1},
    },
    {
        .id = session_causal,
        .name = "session-causal",
        .title = "Session causality",
        .kind = session_guarantee,
        .aliases = {{"causal", as_spoken, only_elle}, {"session-causality"}},
        .definition = "The four session guarantees together, each counting what the others make "
                      "visible, under one commit order that contains session order and reads-from.",
        .remark = "Causal consistency that does not see transactions as units: a transaction may "
                  "read one write of T and miss another. All observers agree on the order of "
                  "versions, which the causal memory of Ahamad et al. does not ask for; that one "
                  "is not comparable with causal.",
        .citation = citation::brzezinski,
        .implies = {pram, writes_follow_reads, adya_read_committed},
    },
    {
        .id = cursor_stability,
        .name = "cursor-stability",
        .title = "Cursor stability",
        .aliases = {{"PL-CS", off}, {"CS"}},
        .definition = "Adya's read committed; and a transaction that overwrites a key which it "
                      "has read overwrites the version it has read, with no other version between.",
        .remark = "Adya's item cursors are not recorded in histories: every item read counts as "
                  "one by cursor.",
        .citation = citation::adya_thesis,
        .implies = {adya_read_committed},
        .forbids = {Anomaly::g_cursor},
    },
    {
        .id = monotonic_atomic_view,
        .name = "monotonic-atomic-view",
        .title = "Monotonic atomic view",
        .aliases = {{"MAV"}},
        .definition = "Adya's read committed; and once a transaction has read a write of T, its "
                      "later item reads return no version older than T's.",
        .remark = "Without predicate reads the same as read-committed.",
        .citation = citation::bailis_hat,
        .implies = {adya_read_committed},
        .forbids = {Anomaly::observed_transaction_vanishes},
    },
    {
        .id = read_committed,
        .name = "read-committed",
        .title = "Read committed",
        .aliases = {{"RC"}},
        .definition = "There is a commit order that contains session order and reads-from; and "
                      "once a transaction has read a write of T, its later reads return no "
                      "version older than T's.",
        .remark = "The level of Biswas and Enea, of AWDIT, Plume and dbcop. Adya's is "
                  "adya-read-committed.",
        .citation = citation::biswas_enea,
        // Its axiom, read for item reads alone, is the absence of observed-transaction-vanishes,
        // and the commit order leaves no room for a G1c.
        .implies = {monotonic_atomic_view},
    },
    {
        .id = monotonic_view,
        .name = "monotonic-view",
        .title = "Monotonic view",
        .aliases = {{"PL-2L", off}},
        .definition = "Adya's read committed; and once a transaction has read or overwritten a "
                      "write of T, its later reads return no version older than one of T's or of "
                      "a transaction that T depends on.",
        .remark = "What locking gives with long write locks and short read locks.",
        .citation = citation::adya_thesis,
        .implies = {read_committed, session_causal},
        .forbids = {Anomaly::g_monotonic},
    },
    {
        .id = monotonic_snapshot_read,
        .name = "monotonic-snapshot-read",
        .title = "Monotonic snapshot reads",
        .aliases = {{"PL-MSR", off}, {"MSR"}},
        .definition = "There is a commit order that contains session order and reads-from, of "
                      "which every read sees a prefix: one that ends before the transaction, has "
                      "the session's earlier ones, and only grows from read to read.",
        .remark = "What a database gives that takes a new snapshot for every statement. Of Adya's "
                  "PL-MSR the part about reads.",
        .citation = citation::adya_thesis,
        .implies = {read_committed, session_causal},
        .forbids = {Anomaly::g_msr},
    },
    {
        .id = repeatable_read,
        .name = "repeatable-read",
        .title = "Repeatable read",
        .aliases = {{"PL-2.99", off}, {"RR"}},
        .definition = "There are no aborted and no intermediate reads, and no cycle of "
                      "dependencies and item anti-dependencies.",
        .remark = "Serializable but for phantoms: without predicate reads the same as "
                  "serializable.",
        .citation = citation::adya_icde,
        .implies = {monotonic_atomic_view, cut_isolation, cursor_stability},
        .forbids = {Anomaly::g2_item},
    },
    {
        .id = read_atomic,
        .name = "read-atomic",
        .title = "Read atomic",
        .aliases = {{"RA"}, {"read-atomicity"}},
        .definition = "There is a commit order that contains session order and reads-from; and a "
                      "transaction that reads from T, or follows T in its session, reads no "
                      "version older than T's.",
        .citation = citation::cerone_concur,
        .implies = {read_committed, cut_isolation, read_your_writes},
        .forbids = {Anomaly::fractured_read, Anomaly::predicate_many_preceders},
    },
    {
        .id = update_atomic,
        .name = "update-atomic",
        .title = "Update atomic",
        .aliases = {{"UA"}},
        .definition = "Read atomic; and of two transactions that write the same key the later one "
                      "reads no version older than one that the earlier one wrote.",
        .citation = citation::cerone_concur,
        .implies = {read_atomic, cursor_stability},
        .forbids = {Anomaly::lost_update},
    },
    {
        .id = causal,
        .name = "causal",
        .title = "Transactional causal consistency",
        .aliases = {{"causal-cerone"}, {"causal-consistency", as_spoken, only_isoscope},
                    {"transactional-causal-consistency"}, {"TCC"}, {"CC"}},
        .definition = "There is a commit order that contains session order and reads-from; and a "
                      "transaction reads no version older than that of a transaction from which "
                      "session order and reads-from lead to it.",
        .citation = citation::cerone_concur,
        .implies = {read_atomic, session_causal},
        .forbids = {Anomaly::causality_violation},
    },
    {
        .id = prefix_consistency,
        .name = "prefix-consistency",
        .title = "Prefix consistency",
        .aliases = {{"prefix"}, {"PC"}},
        .definition = "There is a commit order that contains session order and reads-from, of "
                      "which every transaction sees a prefix: one that ends before the "
                      "transaction, has the session's earlier ones, and is the same for all its "
                      "reads.",
        .citation = citation::burckhardt,
        .implies = {causal, monotonic_snapshot_read},
        .forbids = {Anomaly::long_fork},
    },
    {
        .id = parallel_snapshot_isolation,
        .name = "parallel-snapshot-isolation",
        .title = "Parallel snapshot isolation",
        .aliases = {{"PSI"}, {"PL-2+", off}, {"consistent-view"}, {"PL-FCV", off},
                    {"forward-consistent-view"}, {"lazy-consistency"}},
        .definition = "There are no aborted and no intermediate reads, and no cycle of "
                      "dependencies and at most one anti-dependency.",
        .remark = "Causal, and of two transactions that write the same key one sees the other. "
                  "That is Adya's PL-2+, consistent view; and his PL-FCV too as long as start "
                  "points are not recorded, since taking all transactions as concurrent adds no "
                  "start dependency.",
        .citation = citation::cerone_podc,
        .implies = {causal, update_atomic, monotonic_view},
        .forbids = {Anomaly::g_single, Anomaly::g_sib},
    },
    {
        .id = snapshot_isolation,
        .name = "snapshot-isolation",
        .title = "Snapshot isolation",
        .aliases = {{"PL-SI", off}, {"SI"}},
        .definition = "There is a commit order that contains session order and reads-from, of "
                      "which every transaction sees a prefix as in prefix consistency; and none "
                      "that comes between this prefix and the transaction writes a key that the "
                      "transaction writes.",
        .remark = "In a dependency graph: every cycle has two anti-dependencies in a row.",
        .citation = citation::cerone_podc,
        .implies = {parallel_snapshot_isolation, prefix_consistency},
        .forbids = {Anomaly::g_nonadjacent, Anomaly::g_si},
    },
    {
        .id = update_serializable,
        .name = "update-serializable",
        .title = "Update serializability",
        .aliases = {{"PL-3U", off}},
        .definition = "There are no aborted and no intermediate reads; and whichever transaction "
                      "T one takes, there is no cycle of dependencies and of the "
                      "anti-dependencies that start at T or at an update transaction.",
        .remark = "Update transactions are serializable, and every reader sees a state of some "
                  "serial order of them; two readers can see different orders.",
        .citation = citation::adya_thesis,
        .implies = {parallel_snapshot_isolation},
        .forbids = {Anomaly::g_update},
    },
    {
        .id = serializable,
        .name = "serializable",
        .title = "Serializability",
        .aliases = {{"PL-3", off}, {"conflict-serializable", off}, {"view-serializable", off},
                    {"1SR", off}, {"session-serializable", on}, {"sequential", on}, {"SER"}},
        .definition = "There is a commit order that contains session order, in which every read "
                      "returns its transaction's own latest write or the last version before the "
                      "transaction.",
        .remark = "Conflict and view serializability differ only when the version order is given; "
                  "here it is chosen. Sequential consistency is this level with every transaction "
                  "taken as one operation.",
        .citation = citation::papadimitriou,
        .implies = {snapshot_isolation, repeatable_read, update_serializable},
        .forbids = {Anomaly::g2},
    },
    {
        .id = strong_read_uncommitted,
        .name = "strong-read-uncommitted",
        .title = "Strong read uncommitted",
        .kind = real_time,
        .aliases = {{"strong-PL-1"}},
        .definition = "Read uncommitted, where a transaction also depends on every one that ended "
                      "before it began.",
        .citation = citation::elle_program,
        .implies = {read_uncommitted},
        .forbids = {Anomaly::g0},
    },
    {
        .id = strong_adya_read_committed,
        .name = "strong-adya-read-committed",
        .title = "Strong read committed, as Adya defines it",
        .kind = real_time,
        .aliases = {{"strong-PL-2"}, {"strong-read-committed", as_spoken, only_elle}},
        .definition = "Adya's read committed, where a transaction also depends on every one that "
                      "ended before it began.",
        .citation = citation::elle_program,
        .implies = {adya_read_committed, strong_read_uncommitted},
        .forbids = {Anomaly::g1},
    },
    {
        .id = strong_read_committed,
        .name = "strong-read-committed",
        .title = "Strong read committed",
        .kind = real_time,
        .definition = "Read committed with a commit order in which a transaction comes after "
                      "every one that ended before it began.",
        .citation = citation::biswas_enea,
        .implies = {read_committed, strong_adya_read_committed},
    },
    {
        .id = strong_snapshot_isolation,
        .name = "strong-snapshot-isolation",
        .title = "Strong snapshot isolation",
        .kind = real_time,
        .aliases = {{"strong-SI"}},
        .definition = "Snapshot isolation where every transaction also sees all those that ended "
                      "before it began.",
        .citation = citation::daudjee_si,
        .implies = {snapshot_isolation, strong_read_committed},
        .forbids = {Anomaly::g_nonadjacent},
    },
    {
        .id = strict_serializable,
        .name = "strict-serializable",
        .title = "Strict serializability",
        .kind = real_time,
        .aliases = {{"PL-SS"}, {"strong-serializable"}, {"linearizable"}, {"SSER"}},
        .definition = "Serializable with a commit order in which a transaction comes after every "
                      "one that ended before it began.",
        .remark = "Linearizability is this level with the database taken as one object and every "
                  "transaction as one operation.",
        .citation = citation::papadimitriou,
        .implies = {serializable, strong_snapshot_isolation},
        .forbids = {Anomaly::g2},
    },
}};
// clang-format on

constexpr LevelEntry entry_of_recorded = {
    .id = recorded,
    .name = "recorded",
    .title = "The recorded levels",
    .definition =
        "There is a commit order that contains session order and reads-from, and each "
        "transaction's reads are as the level demands at which it ran.",
    .citation = citation::bouajjani,
};

// Rows stand at their index and imply earlier rows only.
constexpr bool is_sorted_from_weak_to_strong() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].id) != i) return false;
    for (const LevelId weaker : table[i].implies) {
      if (weaker >= table[i].id) return false;
    }
  }
  return true;
}
static_assert(is_sorted_from_weak_to_strong());

// For each level the set of all it implies, itself included.
static_assert(level_count <= 64, "a set of levels is one word");
constexpr std::array<std::uint64_t, level_count> closure = [] {
  std::array<std::uint64_t, level_count> sets{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    sets[i] = std::uint64_t{1} << i;
    for (const LevelId weaker : table[i].implies) sets[i] |= sets[static_cast<std::size_t>(weaker)];
  }
  return sets;
}();

}  // namespace

std::span<const LevelEntry> levels() { return table; }

const LevelEntry& entry_of(LevelId id) {
  if (id == recorded) return entry_of_recorded;
  ISOSCOPE_REQUIRE(static_cast<std::size_t>(id) < level_count);
  return table[static_cast<std::size_t>(id)];
}

bool implies(LevelId a, LevelId b) {
  if (a == recorded || b == recorded) return a == b;
  ISOSCOPE_REQUIRE(static_cast<std::size_t>(a) < level_count);
  ISOSCOPE_REQUIRE(static_cast<std::size_t>(b) < level_count);
  return (closure[static_cast<std::size_t>(a)] >> static_cast<std::size_t>(b) & 1) != 0;
}

}  // namespace isoscope
