#include "isoscope/protocol/abstract_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "isoscope/base/limits.h"
#include "isoscope/base/random.h"
#include "isoscope/spec/level_text.h"
#include "isoscope/spec/structure.h"
#include "isoscope/synth/synthesize.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

constexpr std::size_t x = 0, y = 1;

struct Access {
  std::size_t key;
  std::size_t from;
};

/// Commits transactions one after the other and collects what is broken at each level.
class Commits {
 public:
  /// `sessions`: by transaction, from 1, the client.
  Commits(std::size_t keys, std::vector<int> sessions)
      : earlier_(sessions.size() + 1, 0),
        store_(keys, sessions.size() + 1),
        check_(keys, sessions.size() + 1) {
    for (std::size_t t = 1; t <= sessions.size(); ++t) {
      for (std::size_t u = 1; u < t; ++u) {
        if (sessions[u - 1] == sessions[t - 1]) earlier_[t] |= Bits{1} << u;
      }
    }
  }

  Findings commit(std::size_t t, const std::vector<Access>& reads,
                  const std::vector<std::size_t>& writes) {
    Fingerprint fingerprint;
    fingerprint.read_from.assign(store_.keys(), Fingerprint::not_read);
    AbstractStore after = store_;
    for (const Access& read : reads) {
      fingerprint.read_from[read.key] = static_cast<std::uint8_t>(read.from);
      after.readers(read.key, read.from) |= Bits{1} << t;
    }
    for (const std::size_t key : writes) {
      fingerprint.written |= Bits{1} << key;
      after.append(key, t);
    }
    const Findings findings = check_.check({.before = store_,
                                            .after = after,
                                            .transaction = t,
                                            .fingerprint = fingerprint,
                                            .earlier_in_session = earlier_});
    for (std::size_t level = 0; level < abstract_level_count; ++level) {
      if (findings[level].obstacle != Obstacle::nothing) broken_ |= 1u << level;
    }
    store_ = after;
    return findings;
  }

  /// "RA UA": the levels at which every commit was possible.
  std::string possible() const {
    std::string text;
    for (const AbstractLevelEntry& entry : abstract_levels()) {
      if ((broken_ >> static_cast<unsigned>(entry.level) & 1) != 0) continue;
      text += (text.empty() ? "" : " ") + std::string(entry.name);
    }
    return text;
  }
  bool is_possible(AbstractLevel level) const {
    return (broken_ >> static_cast<unsigned>(level) & 1) == 0;
  }
  const AbstractStore& store() const { return store_; }
  std::span<const Bits> earlier() const { return earlier_; }

 private:
  std::vector<Bits> earlier_;
  AbstractStore store_;
  CommitCheck check_;
  unsigned broken_ = 0;
};

TEST(AbstractModel, OneAfterTheOther) {
  Commits run(2, {0, 1, 0});
  run.commit(1, {{x, 0}}, {x});
  run.commit(2, {{x, 1}}, {y});
  run.commit(3, {{x, 1}, {y, 2}}, {x, y});
  EXPECT_EQ(run.possible(), "RA UA TCC PSI PC SI SER SSER");
  EXPECT_TRUE(is_well_formed(run.store(), run.earlier()));
}

TEST(AbstractModel, LostUpdate) {
  Commits run(1, {0, 1});
  run.commit(1, {{x, 0}}, {x});
  run.commit(2, {{x, 0}}, {x});
  EXPECT_EQ(run.possible(), "RA TCC PC");
}

TEST(AbstractModel, WriteSkew) {
  Commits run(2, {0, 1});
  run.commit(1, {{x, 0}, {y, 0}}, {x});
  run.commit(2, {{x, 0}, {y, 0}}, {y});
  EXPECT_EQ(run.possible(), "RA UA TCC PSI PC SI");
}

TEST(AbstractModel, LongFork) {
  Commits run(2, {0, 1, 2, 3});
  run.commit(1, {}, {x});
  run.commit(2, {}, {y});
  run.commit(3, {{x, 1}, {y, 0}}, {});
  run.commit(4, {{x, 0}, {y, 2}}, {});
  EXPECT_EQ(run.possible(), "RA UA TCC PSI");
}

TEST(AbstractModel, FracturedRead) {
  Commits run(2, {0, 1});
  run.commit(1, {}, {x, y});
  const Findings findings = run.commit(2, {{x, 1}, {y, 0}}, {});
  EXPECT_EQ(run.possible(), "");
  EXPECT_EQ(findings[0], (Finding{Obstacle::not_last_write, y, 1}));
}

TEST(AbstractModel, CausalityViolation) {
  // The third sees the answer but not the question.
  Commits run(2, {0, 1, 2});
  run.commit(1, {}, {x});
  run.commit(2, {{x, 1}}, {y});
  run.commit(3, {{x, 0}, {y, 2}}, {});
  EXPECT_EQ(run.possible(), "RA UA");
}

TEST(AbstractModel, NotReadingOnesOwnWrites) {
  Commits run(1, {0, 0});
  run.commit(1, {}, {x});
  run.commit(2, {{x, 0}}, {});
  EXPECT_EQ(run.possible(), "RA UA");
}

TEST(AbstractModel, ReadsGoingBack) {
  Commits run(1, {0, 1, 1});
  run.commit(1, {}, {x});
  run.commit(2, {{x, 1}}, {});
  run.commit(3, {{x, 0}}, {});
  EXPECT_EQ(run.possible(), "RA UA");
}

TEST(AbstractModel, StaleRead) {
  Commits run(1, {0, 1});
  run.commit(1, {}, {x});
  run.commit(2, {{x, 0}}, {});
  EXPECT_EQ(run.possible(), "RA UA TCC PSI PC SI");
}

TEST(AbstractModel, PrefixThroughAReadOnlyTransaction) {
  // Session order then anti-dependency: 2, of the session of 3 that overlooked 4, comes before 4.
  Commits run(3, {0, 1, 1, 2, 3});
  run.commit(1, {}, {2});
  run.commit(2, {}, {y});
  run.commit(4, {}, {x});
  run.commit(3, {{x, 0}}, {});
  run.commit(5, {{x, 4}, {y, 0}}, {});
  EXPECT_EQ(run.possible(), "RA UA TCC PSI");
}

TEST(AbstractModel, Obstacles) {
  Commits run(1, {0, 0, 1});
  EXPECT_EQ(run.commit(1, {{x, 3}}, {})[0].obstacle, Obstacle::missing_version);
  Commits again(1, {0, 0, 1});
  again.commit(2, {}, {x});
  EXPECT_EQ(again.commit(1, {}, {x})[0].obstacle, Obstacle::not_fresh);

  AbstractStore before(1, 2), after(1, 2);
  const Fingerprint writes{{Fingerprint::not_read}, 1};
  const std::vector<Bits> earlier(2, 0);
  CommitCheck check(1, 2);
  const Commit commit{.before = before,
                      .after = after,
                      .transaction = 1,
                      .fingerprint = writes,
                      .earlier_in_session = earlier};
  EXPECT_EQ(check.check(commit)[0].obstacle, Obstacle::other_update);
  after.append(0, 1);
  Commit late = commit;
  late.in_time = false;
  const Findings findings = check.check(late);
  EXPECT_EQ(findings[static_cast<std::size_t>(AbstractLevel::ser)].obstacle, Obstacle::nothing);
  EXPECT_EQ(findings[static_cast<std::size_t>(AbstractLevel::sser)].obstacle,
            Obstacle::out_of_time);
  Commit blind = commit;
  blind.view_before = blind.view_after = 1;
  EXPECT_EQ(check.check(blind)[static_cast<std::size_t>(AbstractLevel::tcc)].obstacle,
            Obstacle::view_shift);
  EXPECT_EQ(check.check(blind)[static_cast<std::size_t>(AbstractLevel::ra)].obstacle,
            Obstacle::nothing);
}

TEST(AbstractModel, StoresThatAreNone) {
  const std::vector<Bits> earlier = {0, 0, Bits{1} << 1};
  AbstractStore store(1, 3);
  EXPECT_TRUE(is_well_formed(store, earlier));
  store.append(0, 2);
  store.append(0, 1);  // against session order
  EXPECT_FALSE(is_well_formed(store, earlier));
  AbstractStore unordered(1, 3);
  unordered.append(0, 1);
  unordered.installed(0) |= Bits{1} << 2;
  unordered.later(0, 0) |= Bits{1} << 2;
  EXPECT_FALSE(is_well_formed(unordered, earlier));
  AbstractStore twice(1, 3);
  twice.append(0, 1);
  twice.readers(0, 0) = twice.readers(0, 1) = Bits{1} << 2;
  EXPECT_FALSE(is_well_formed(twice, earlier));
}

TEST(AbstractModel, StrengthIsWhatTheTableSays) {
  using enum AbstractLevel;
  EXPECT_TRUE(implies(sser, ser));
  EXPECT_FALSE(implies(ser, sser));
  EXPECT_TRUE(implies(ser, si));
  EXPECT_TRUE(implies(si, psi));
  EXPECT_TRUE(implies(si, pc));
  EXPECT_FALSE(implies(pc, psi));
  EXPECT_FALSE(implies(psi, pc));
  EXPECT_TRUE(implies(psi, ua));
  EXPECT_TRUE(implies(psi, tcc));
  EXPECT_FALSE(implies(tcc, ua));
  EXPECT_TRUE(implies(ua, ra));
  EXPECT_EQ(find_abstract_level("sser"), sser);
  EXPECT_EQ(find_abstract_level("RC"), std::nullopt);
}

// A level's text allows a history exactly if its transactions can commit in some order. (Real time
// is not in these histories.)
TEST(AbstractModel, AgreesWithTheLevelTexts) {
  constexpr std::size_t count = 4, keys = 2;
  Random random(7);
  std::array<std::size_t, abstract_level_count> allowed_count = {};
  const int rounds = 60 * test_scale();
  for (int round = 0; round < rounds; ++round) {
    spec::Structure structure = spec::empty_structure(count, keys);
    std::vector<int> sessions(count);
    for (int& session : sessions) session = static_cast<int>(random.below(3));
    const bool with_sessions = random.chance(70);
    for (std::size_t i = 0; i < count && !with_sessions; ++i) sessions[i] = static_cast<int>(i);
    for (std::size_t t = 1; t <= count; ++t) {
      for (std::size_t u = 1; u < t; ++u) {
        if (sessions[u - 1] == sessions[t - 1]) structure.so.add(u, t);
      }
      for (std::size_t k = 0; k < keys; ++k) {
        if (random.chance(45)) structure.writes.add(t, k);
      }
    }
    std::vector<std::vector<Access>> reads(count + 1);
    std::vector<std::vector<std::size_t>> writes(count + 1);
    for (std::size_t t = 1; t <= count; ++t) {
      for (std::size_t k = 0; k < keys; ++k) {
        if (structure.writes.has(t, k)) writes[t].push_back(k);
        const std::size_t from = random.below(count + 1);
        if (random.chance(30) || from == t || !structure.writes.has(from, k)) continue;
        structure.wr[k].add(from, t);
        reads[t].push_back({k, from});
      }
    }
    unsigned possible = 0;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{1});
    do {
      Commits run(keys, sessions);
      for (const std::size_t t : order) run.commit(t, reads[t], writes[t]);
      for (const AbstractLevelEntry& entry : abstract_levels()) {
        if (run.is_possible(entry.level)) possible |= 1u << static_cast<unsigned>(entry.level);
      }
    } while (std::ranges::next_permutation(order).found);

    for (const AbstractLevelEntry& entry : abstract_levels()) {
      // Without session visibility the texts know no sessions at all.
      if (entry.real_time || (with_sessions && !entry.sessions)) continue;
      const auto text = spec::find_shipped(entry.text, "");
      ASSERT_TRUE(text);
      const auto definition = spec::read_definition(*text, spec::find_shipped);
      ASSERT_TRUE(definition) << definition.error().text();
      const auto allowed = synth::is_allowed(*definition, structure, Limits());
      ASSERT_TRUE(allowed);
      const bool is_possible = (possible >> static_cast<unsigned>(entry.level) & 1) != 0;
      EXPECT_EQ(allowed->execution.has_value(), is_possible) << entry.name << " round " << round;
      if (is_possible) ++allowed_count[static_cast<std::size_t>(entry.level)];
    }
  }
  EXPECT_GT(allowed_count[static_cast<std::size_t>(AbstractLevel::ser)], 3u);
  EXPECT_LT(allowed_count[static_cast<std::size_t>(AbstractLevel::tcc)],
            static_cast<std::size_t>(rounds));
}

TEST(AbstractModel, WitnessOrders) {
  // Write skew: 1 and 2 see only the start.
  WitnessedRun run;
  run.committed = 0b111;
  run.fingerprints.assign(3, {{Fingerprint::not_read, Fingerprint::not_read}, 0});
  run.fingerprints[1] = {{0, 0}, 0b01};
  run.fingerprints[2] = {{0, 0}, 0b10};
  run.before = {0, 0b001, 0b011};
  run.sees = {0, 0b001, 0b001};
  const std::vector<Bits> apart(3, 0), together = {0, 0, 0b010};
  run.earlier_in_session = apart;
  EXPECT_EQ(broken_axiom(run, AbstractLevel::si), "");
  EXPECT_EQ(broken_axiom(run, AbstractLevel::psi), "");
  EXPECT_EQ(broken_axiom(run, AbstractLevel::ser), "EXT");
  run.earlier_in_session = together;
  EXPECT_EQ(broken_axiom(run, AbstractLevel::si), "SESSION");
  EXPECT_EQ(broken_axiom(run, AbstractLevel::ra), "");
  run.earlier_in_session = apart;
  run.fingerprints[2].written = 0b01;
  EXPECT_EQ(broken_axiom(run, AbstractLevel::ua), "NOCONFLICT");
  run.before[2] = 0b001;
  EXPECT_EQ(broken_axiom(run, AbstractLevel::ra), "ORDER");
}

}  // namespace
}  // namespace isoscope::protocol
