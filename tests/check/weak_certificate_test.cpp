// Every verdict about a weak level comes with a certificate that the verifier confirms, on random
// histories with and without repeated values, session order, lists, times and indeterminate
// transactions. A certificate that was tampered with is refused.

#include <gtest/gtest.h>

#include <map>

#include "check/strong_case.h"
#include "check/unique_values.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using enum LevelId;
using Kind = ProofStep::Kind;

constexpr LevelId weak_levels[] = {valid_reads,
                                   cut_isolation,
                                   read_uncommitted,
                                   strong_read_uncommitted,
                                   read_your_writes,
                                   monotonic_reads,
                                   monotonic_writes_per_key,
                                   writes_follow_reads_per_key,
                                   monotonic_writes,
                                   writes_follow_reads,
                                   pram,
                                   adya_read_committed,
                                   session_causal,
                                   monotonic_atomic_view,
                                   read_committed,
                                   read_atomic,
                                   causal,
                                   strong_adya_read_committed,
                                   strong_read_committed};

class WeakCertificate : public testing::TestWithParam<Level> {};

struct Count {
  int holds = 0;
  int refuted = 0;  ///< by more than one read
  int bad_reads = 0;
  int unknown = 0;
  int without = 0;  ///< certificate
};

CheckOptions with_certificate(const History& history) {
  CheckOptions options{.certificate = true};
  options.clock_skew = history.transaction_count() % 2 == 0 ? 0 : 3;
  return options;
}

void confirm(const History& history, Level level, Count& count) {
  const CheckOptions options = with_certificate(history);
  const Verdict verdict = check(history, level, options);
  if (verdict.answer == Answer::unknown) {
    ++count.unknown;
  } else if (!verdict.certificate) {
    ++count.without;
  } else {
    ++(verdict.answer == Answer::holds ? count.holds
       : verdict.evidence.empty()      ? count.refuted
                                       : count.bad_reads);
    EXPECT_TRUE(test::is_confirmed(history, verdict, options.clock_skew)) << verdict.reason;
  }
}

bool allows_dirty_reads(Level level) {
  return level.id == read_uncommitted || level.id == strong_read_uncommitted;
}

test::UniqueValues unique_values(Random& random, Level level) {
  test::UniqueValues history(random);
  history.cuts_always = level.id == session_causal;
  history.has_lists = !allows_dirty_reads(level);
  return history;
}

reference::RandomFeatures repeated_values(int i) {
  return {.most_transactions = 5,
          .keys = 2 + i % 2,
          .lists = i % 3 == 1,
          .predicates = i % 5 == 4,
          .odd = i % 7 == 6};
}

/// Whether registers alone can violate the level by more than one read.
bool can_be_refuted(Level level) {
  if (is_vacuous(level) || level.id == valid_reads || level.id == cut_isolation) return false;
  if (level.id == strong_read_uncommitted) return level.session_order;
  const bool needs_sessions =
      level.id == read_uncommitted || level.id == writes_follow_reads_per_key ||
      level.id == monotonic_writes_per_key || level.id == adya_read_committed;
  return !needs_sessions || (level.id == adya_read_committed && level.session_order);
}

TEST_P(WeakCertificate, IsConfirmedWhereValuesAreUnique) {
  Random random(7'000 + static_cast<std::uint64_t>(GetParam().id) * 2 + GetParam().session_order);
  Count count;
  for (int i = 0; i < 4'000 * test_scale() && !HasFailure(); ++i) {
    confirm(unique_values(random, GetParam()).make(), GetParam(), count);
  }
  EXPECT_EQ(count.unknown, 0);
  EXPECT_EQ(count.without, 0);
  EXPECT_GT(count.holds, 500);
  EXPECT_GT(count.bad_reads, 500);
  EXPECT_GE(count.refuted, can_be_refuted(GetParam()) ? 20 : 0);
}

/// Where values repeat the engine with choices decides, too, and it writes none. Nor are there any
/// about single reads of lists with repeated elements.
TEST_P(WeakCertificate, IsConfirmedWhereValuesRepeat) {
  Random random(9'000 + static_cast<std::uint64_t>(GetParam().id) * 2 + GetParam().session_order);
  Count count;
  const int histories = 4'000 * test_scale();
  for (int i = 0; i < histories && !HasFailure(); ++i) {
    confirm(reference::random_history(random, repeated_values(i)), GetParam(), count);
  }
  EXPECT_GT(count.holds, histories * 2 / 5);
  EXPECT_GT(count.bad_reads, histories / 8);
  EXPECT_LT(count.without, histories / 7);
}

std::vector<Level> all_weak_levels() {
  std::vector<Level> levels;
  for (const LevelId id : weak_levels) {
    levels.push_back({id, true});
    levels.push_back({id, false});
  }
  return levels;
}

INSTANTIATE_TEST_SUITE_P(Levels, WeakCertificate, testing::ValuesIn(all_weak_levels()),
                         test::level_name);

/// The hops of the only step that says what a reader knew.
std::vector<Hop> hops_known(const std::string& litmus, LevelId level) {
  const History history = test::history_of(litmus);
  const Verdict verdict = check(history, {level}, {.certificate = true});
  EXPECT_TRUE(test::is_confirmed(history, verdict));
  if (!verdict.certificate) return {};
  const auto step = std::ranges::find(verdict.certificate->steps, Kind::sees, &ProofStep::kind);
  return step == verdict.certificate->steps.end() ? std::vector<Hop>{} : step->hops;
}

TEST(HopsOfWeakLevels, SayHowTheReaderKnew) {
  EXPECT_EQ(
      hops_known("a: T1 w(x,1) w(y,1) | b: T2 r(y,1) w(z,1) | c: T3 r(z,1) ; T4 r(x,nil)", causal),
      (std::vector<Hop>{Hop::by_read({2, 1}), Hop::by_read({3, 1}), Hop::session(4)}));
  EXPECT_EQ(hops_known("a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) ; T4 r(x,nil)", pram),
            (std::vector<Hop>{Hop::session(2), Hop::by_read({3, 1}), Hop::session(4)}));
  EXPECT_EQ(
      hops_known("a: T1 w(x,1) | b: T2 r(x,1) w(y,1) | c: T3 r(y,1) r(x,nil)", writes_follow_reads),
      (std::vector<Hop>{Hop::by_read({2, 1}), Hop::by_read({3, 1})}));
  // Several transactions of one session are one hop.
  EXPECT_EQ(hops_known("a: T1 w(x,1) ; T2 r(z,nil) ; T3 r(z,nil) ; T4 r(x,nil)", causal),
            (std::vector<Hop>{Hop::session(4)}));
}

/// Values repeat, and lists order the transactions that append to them. Some indeterminate ones
/// cannot have committed.
History ordered_by_lists(Random& random) {
  const auto number = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  HistoryBuilder builder;
  std::vector<ValueId> lists(2, ValuePool::empty_list);
  const auto list = [&](std::size_t i) { return builder.key(i == 0 ? "l" : "m"); };
  const int count = 3 + number(6);
  for (int t = 0; t < count; ++t) {
    builder.begin_transaction(builder.add_session());
    const KeyId x = builder.key(number(2) == 0 ? "x" : "y");
    const KeyId y = builder.key(number(2) == 0 ? "x" : "y");
    if (random.chance(60)) builder.read(x, builder.values().integer(1 + number(2)));
    if (random.chance(60)) builder.write(y, builder.values().integer(1 + number(2)));
    if (random.chance(10)) {
      builder.set_outcome(Outcome::indeterminate);
      builder.read(builder.key("z"), builder.values().integer(9));
      continue;
    }
    const auto which = static_cast<std::size_t>(number(2));
    const ValueId element = builder.values().integer(t);
    builder.append(list(which), element);
    lists[which] = builder.values().list_with(lists[which], element);
  }
  builder.begin_transaction(builder.add_session());
  for (std::size_t i = 0; i < 2; ++i) builder.list_read(list(i), lists[i]);
  return std::move(builder).finish();
}

TEST(StuckTransactions, AreRefutedByRemovingThemOneByOne) {
  int with_lemmas = 0;
  int refused = 0;
  Random random(12'000);
  for (int i = 0; i < 30'000 * test_scale() && !testing::Test::HasFailure(); ++i) {
    const History history = ordered_by_lists(random);
    const LevelId levels[] = {adya_read_committed, read_committed, read_atomic, causal};
    const Verdict verdict = check(history, {levels[i % 4]}, {.certificate = true});
    const bool is_stuck = verdict.reason.starts_with("whatever is chosen");
    if (!is_stuck || verdict.answer != Answer::violated) continue;
    EXPECT_TRUE(test::is_confirmed(history, verdict));
    if (!verdict.certificate) continue;
    Certificate certificate = *certificate_of(verdict, history);
    const auto lemma = std::ranges::find(certificate.steps, Kind::lemma, &ProofStep::kind);
    if (lemma == certificate.steps.end()) continue;
    ++with_lemmas;
    certificate.steps.erase(lemma);
    if (verify(history, certificate)) ++refused;
  }
  EXPECT_GT(with_lemmas, 200);
  EXPECT_GT(refused, 200);
}

/// Calls visit with histories and the verdicts of weak levels that have a certificate, complete
/// with its digest.
template <class Visit>
void for_each_certificate(const Visit& visit) {
  for (const Level level : all_weak_levels()) {
    Random random(11'000 + static_cast<std::uint64_t>(level.id) * 2 + level.session_order);
    for (int i = 0; i < 400; ++i) {
      const History history = i % 2 == 0
                                  ? unique_values(random, level).make()
                                  : reference::random_history(random, repeated_values(i / 2));
      const Verdict verdict = check(history, level, with_certificate(history));
      if (const auto certificate = certificate_of(verdict, history)) visit(history, *certificate);
    }
  }
}

/// Where a solver was needed, the step before its last lemma may have said all.
TEST(TamperedWeakCertificate, NeedsTheLastStep) {
  int tried = 0;
  for_each_certificate([&](const History& history, Certificate certificate) {
    if (certificate.holds || certificate.steps.back().kind == Kind::lemma) return;
    ++tried;
    certificate.steps.pop_back();
    EXPECT_TRUE(verify(history, certificate))
        << test::described(history) << test::text_of(certificate);
  });
  EXPECT_GT(tried, 5'000);
}

/// Some steps say what follows from others as well, so not every one of them is missed.
TEST(TamperedWeakCertificate, IsRefusedWithoutStepsOfEachKind) {
  std::map<Kind, int> refused;
  for_each_certificate([&](const History& history, const Certificate& certificate) {
    for (std::size_t i = 0; i < certificate.steps.size(); ++i) {
      Certificate other = certificate;
      other.steps.erase(other.steps.begin() + static_cast<std::ptrdiff_t>(i));
      if (verify(history, other)) ++refused[certificate.steps[i].kind];
    }
  });
  for (const Kind kind :
       {Kind::order, Kind::read, Kind::from, Kind::took, Kind::list, Kind::member, Kind::inside,
        Kind::path, Kind::sees, Kind::follows, Kind::circle, Kind::stuck}) {
    EXPECT_GT(refused[kind], 0) << static_cast<int>(kind);
  }
}

TEST(TamperedWeakCertificate, IsRefusedWithoutTheHopsThatLeadToTheReader) {
  std::map<std::size_t, int> refused;  // by number of hops
  for_each_certificate([&](const History& history, Certificate certificate) {
    const auto step = std::ranges::find(certificate.steps, Kind::sees, &ProofStep::kind);
    if (step == certificate.steps.end()) return;
    const std::size_t hops = step->hops.size();
    step->hops.pop_back();
    EXPECT_TRUE(verify(history, certificate)) << test::described(history);
    ++refused[hops];
  });
  for (const std::size_t hops : {1, 2}) EXPECT_GT(refused[hops], 10);
}

TEST(TamperedWeakCertificate, IsRefusedWithAnotherExecution) {
  int commits = 0;
  int versions = 0;
  int committed = 0;
  int sources = 0;
  for_each_certificate([&](const History& history, const Certificate& certificate) {
    const auto is_refused = [&](const auto& tamper) {
      Certificate other = certificate;
      tamper(other);
      return verify(history, other).has_value() ? 1 : 0;
    };
    if (!certificate.holds || events_of(certificate.level) == OrderEvents::none) return;
    const bool is_of_versions = events_of(certificate.level) == OrderEvents::versions;
    (is_of_versions ? versions : commits) +=
        is_refused([](Certificate& other) { std::ranges::reverse(other.order); });
    if (!certificate.committed.empty()) {
      committed += is_refused([](Certificate& other) { other.committed.pop_back(); });
    }
    if (!certificate.sources.empty()) {
      sources += is_refused([](Certificate& other) {
        other.sources.front().writer = other.sources.front().read.transaction;
      });
    }
  });
  EXPECT_GT(commits, 500);
  EXPECT_GT(versions, 100);
  EXPECT_GT(committed, 50);
  EXPECT_GT(sources, 0);
}

}  // namespace
}  // namespace isoscope
