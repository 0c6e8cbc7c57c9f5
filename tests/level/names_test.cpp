#include <gtest/gtest.h>

#include <map>

#include "isoscope/level/level.h"

namespace isoscope {
namespace {

using enum LevelId;

constexpr bool on = true;
constexpr bool off = false;

struct Meaning {
  const char* name;
  Level in_ours;
  Level in_elles;
};

// The 36 models of Elle and their 18 aliases, in the order of Elle's table.
const Meaning elle_names[] = {
    {"PL-SS", {strict_serializable, on}, {strict_serializable, on}},
    {"strict-serializable", {strict_serializable, on}, {strict_serializable, on}},
    {"strong-serializable", {strict_serializable, on}, {strict_serializable, on}},
    {"strong-session-serializable", {serializable, on}, {serializable, on}},
    {"strong-snapshot-isolation", {strong_snapshot_isolation, on}, {strong_snapshot_isolation, on}},
    {"PL-3", {serializable, off}, {serializable, off}},
    {"conflict-serializable", {serializable, off}, {serializable, off}},
    {"serializable", {serializable, on}, {serializable, off}},
    {"strong-session-snapshot-isolation", {snapshot_isolation, on}, {snapshot_isolation, on}},
    {"PL-SI", {snapshot_isolation, off}, {snapshot_isolation, off}},
    {"snapshot-isolation", {snapshot_isolation, on}, {snapshot_isolation, off}},
    {"linearizable", {strict_serializable, on}, {strict_serializable, on}},
    {"sequential", {serializable, on}, {serializable, on}},
    {"parallel-snapshot-isolation",
     {parallel_snapshot_isolation, on},
     {parallel_snapshot_isolation, off}},
    {"PL-3U", {update_serializable, off}, {update_serializable, off}},
    {"update-serializable", {update_serializable, on}, {update_serializable, off}},
    {"strong-PL-2", {strong_adya_read_committed, on}, {strong_adya_read_committed, on}},
    {"strong-read-committed", {strong_read_committed, on}, {strong_adya_read_committed, on}},
    {"prefix", {prefix_consistency, on}, {prefix_consistency, off}},
    {"causal", {causal, on}, {session_causal, on}},
    {"PL-FCV", {parallel_snapshot_isolation, off}, {parallel_snapshot_isolation, off}},
    {"forward-consistent-view",
     {parallel_snapshot_isolation, on},
     {parallel_snapshot_isolation, off}},
    {"update-atomic", {update_atomic, on}, {update_atomic, off}},
    {"causal-cerone", {causal, on}, {causal, off}},
    {"PL-2.99", {repeatable_read, off}, {repeatable_read, off}},
    {"repeatable-read", {repeatable_read, on}, {repeatable_read, off}},
    {"PL-2+", {parallel_snapshot_isolation, off}, {parallel_snapshot_isolation, off}},
    {"consistent-view", {parallel_snapshot_isolation, on}, {parallel_snapshot_isolation, off}},
    {"strong-session-PL-2", {adya_read_committed, on}, {adya_read_committed, on}},
    {"strong-session-read-committed", {read_committed, on}, {adya_read_committed, on}},
    {"read-atomic", {read_atomic, on}, {read_atomic, off}},
    {"PRAM", {pram, on}, {pram, on}},
    {"strong-PL-1", {strong_read_uncommitted, on}, {strong_read_uncommitted, on}},
    {"strong-read-uncommitted", {strong_read_uncommitted, on}, {strong_read_uncommitted, on}},
    {"monotonic-atomic-view", {monotonic_atomic_view, on}, {monotonic_atomic_view, off}},
    {"PL-MSR", {monotonic_snapshot_read, off}, {monotonic_snapshot_read, off}},
    {"monotonic-snapshot-read", {monotonic_snapshot_read, on}, {monotonic_snapshot_read, off}},
    {"PL-CS", {cursor_stability, off}, {cursor_stability, off}},
    {"cursor-stability", {cursor_stability, on}, {cursor_stability, off}},
    {"PL-2L", {monotonic_view, off}, {monotonic_view, off}},
    {"monotonic-view", {monotonic_view, on}, {monotonic_view, off}},
    {"strong-session-PL-1", {read_uncommitted, on}, {read_uncommitted, on}},
    {"strong-session-read-uncommitted", {read_uncommitted, on}, {read_uncommitted, on}},
    {"session-serializable", {serializable, on}, {serializable, on}},
    {"PL-2", {adya_read_committed, off}, {adya_read_committed, off}},
    {"read-committed", {read_committed, on}, {adya_read_committed, off}},
    {"writes-follow-reads", {writes_follow_reads, on}, {writes_follow_reads, on}},
    {"view-serializable", {serializable, off}, {serializable, off}},
    {"read-your-writes", {read_your_writes, on}, {read_your_writes, on}},
    {"monotonic-writes", {monotonic_writes, on}, {monotonic_writes, on}},
    {"monotonic-reads", {monotonic_reads, on}, {monotonic_reads, on}},
    {"PL-1", {read_uncommitted, off}, {read_uncommitted, off}},
    {"read-uncommitted", {read_uncommitted, on}, {read_uncommitted, off}},
    {"1SR", {serializable, off}, {serializable, off}},
};

TEST(Names, OfElleAreUnderstoodInBothDialects) {
  for (const Meaning& meaning : elle_names) {
    const auto ours = find_level(meaning.name);
    ASSERT_TRUE(ours) << meaning.name;
    EXPECT_EQ(*ours, meaning.in_ours) << meaning.name << ": " << text_of(*ours);
    const auto elles = find_level(meaning.name, NameDialect::elle);
    ASSERT_TRUE(elles) << meaning.name;
    EXPECT_EQ(*elles, meaning.in_elles) << meaning.name << ": " << text_of(*elles);
  }
}

// Elle's order of its models holds for what we take their names to mean.
TEST(Names, OfElleKeepTheirOrder) {
  const std::pair<const char*, std::vector<const char*>> order[] = {
      {"PL-SS",
       {"PL-3", "PL-SI", "linearizable", "session-serializable", "strong-session-serializable",
        "strong-snapshot-isolation"}},
      {"strong-session-serializable", {"PL-3", "strong-session-snapshot-isolation"}},
      {"strong-snapshot-isolation", {"strong-PL-2", "strong-session-snapshot-isolation"}},
      {"PL-3", {"PL-2.99", "PL-3U", "PL-SI", "view-serializable"}},
      {"strong-session-snapshot-isolation", {"PL-SI", "strong-session-PL-2"}},
      {"PL-SI",
       {"PL-FCV", "PL-MSR", "monotonic-atomic-view", "parallel-snapshot-isolation", "prefix"}},
      {"linearizable", {"sequential"}},
      {"sequential", {"causal"}},
      {"parallel-snapshot-isolation", {"causal-cerone", "update-atomic"}},
      {"PL-3U", {"PL-FCV"}},
      {"strong-PL-2", {"strong-PL-1", "strong-session-PL-2"}},
      {"prefix", {"causal-cerone"}},
      {"causal", {"PRAM", "writes-follow-reads"}},
      {"PL-FCV", {"PL-2+"}},
      {"update-atomic", {"read-atomic"}},
      {"causal-cerone", {"read-atomic"}},
      {"PL-2.99", {"PL-CS", "monotonic-atomic-view"}},
      {"PL-2+", {"PL-2L", "PL-CS"}},
      {"strong-session-PL-2", {"PL-2", "strong-session-PL-1"}},
      {"read-atomic", {"monotonic-atomic-view"}},
      {"PRAM", {"monotonic-reads", "monotonic-writes", "read-your-writes"}},
      {"strong-PL-1", {"strong-session-PL-1"}},
      {"monotonic-atomic-view", {"PL-2"}},
      {"PL-MSR", {"PL-2"}},
      {"PL-CS", {"PL-2"}},
      {"PL-2L", {"PL-2"}},
      {"strong-session-PL-1", {"PL-1"}},
      {"session-serializable", {"1SR"}},
      {"PL-2", {"PL-1"}},
  };
  for (const auto& [stronger, weaker_ones] : order) {
    const auto a = find_level(stronger, NameDialect::elle);
    ASSERT_TRUE(a) << stronger;
    for (const char* weaker : weaker_ones) {
      const auto b = find_level(weaker, NameDialect::elle);
      ASSERT_TRUE(b) << weaker;
      EXPECT_TRUE(implies(*a, *b)) << stronger << " " << weaker;
    }
  }
}

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST(Names, AreUniqueInEachDialectAndFindTheirLevel) {
  for (const NameDialect dialect : {NameDialect::isoscope, NameDialect::elle}) {
    std::map<std::string, Level> meaning;
    for (const LevelEntry& row : levels()) {
      for (const bool session_order : {true, false}) {
        if (!session_order && !depends_on_session_order(row.id)) continue;
        const Level level{row.id, session_order};
        for (const std::string_view name : names_of(level, dialect)) {
          EXPECT_TRUE(meaning.emplace(lower(name), level).second) << name;
          const auto found = find_level(name, dialect);
          ASSERT_TRUE(found) << name;
          EXPECT_EQ(*found, level) << name;
        }
      }
    }
    EXPECT_GT(meaning.size(), 70u);
  }
}

TEST(Names, EveryLevelHasOneInOurDialectForEachOfItsForms) {
  for (const LevelEntry& row : levels()) {
    ASSERT_FALSE(names_of(Level{row.id, true}).empty()) << row.name;
    EXPECT_EQ(names_of(Level{row.id, true}).front(), row.name);
    if (row.kind != LevelKind::transactional) continue;
    const auto strong = find_level("strong-session-" + std::string(row.name));
    ASSERT_TRUE(strong) << row.name;
    EXPECT_EQ(*strong, (Level{row.id, true}));
  }
}

TEST(Names, CaseBlanksAndUnderscoresDoNotMatter) {
  EXPECT_EQ(*find_level("READ COMMITTED"), (Level{read_committed, on}));
  EXPECT_EQ(*find_level("Snapshot_Isolation"), (Level{snapshot_isolation, on}));
  EXPECT_EQ(*find_level("pl-2.99"), (Level{repeatable_read, off}));
  EXPECT_EQ(*find_level("Strong-Session-PL-2"), (Level{adya_read_committed, on}));
}

std::string error_for(std::string_view name, NameDialect dialect = NameDialect::isoscope) {
  const auto level = find_level(name, dialect);
  return level ? "no error" : level.error().text();
}

TEST(Names, UnknownOnesGetSuggestions) {
  EXPECT_EQ(
      error_for("serialisable"),
      "unknown level 'serialisable'; did you mean serializable? 'isoscope levels' lists them all");
  EXPECT_NE(error_for("snapshot").find("snapshot-isolation"), std::string::npos);
  EXPECT_NE(error_for("raed-commited").find("read-committed"), std::string::npos);
  EXPECT_NE(error_for("PL-4").find("PL-3"), std::string::npos);
  EXPECT_NE(error_for("strict-serialisable", NameDialect::elle).find("strict-serializable"),
            std::string::npos);
  EXPECT_EQ(error_for("xyzzy"), "unknown level 'xyzzy'; 'isoscope levels' lists them all");
  EXPECT_EQ(error_for(""), "unknown level ''; 'isoscope levels' lists them all");
  EXPECT_NE(error_for("strong-session-strict-serializable"), "no error");
}

TEST(Names, StrangeOnesGiveOneShortLine) {
  const std::string error = error_for("a\nb\x01" + std::string(100'000, 'z'));
  EXPECT_LT(error.size(), 160u);
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace isoscope
