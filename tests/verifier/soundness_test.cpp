#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "test_scale.h"
#include "verifier/axiom_model.h"
#include "verifier/random_cases.h"

// The verifier against the reference checker on small random histories.
// Orders: all are tried, and one is accepted exactly if the level holds.
// Axioms: all clauses that the verifier would accept as steps are true together in some order of
// events exactly if the level holds. So they say nothing wrong, and enough to refute whatever can
// be refuted.
// Steps: whatever random steps, paths and lemmas make, it is no refutation if the level holds.

namespace isoscope {
namespace {

using namespace test;

/// How many cases there were of each level, and of which the level holds.
class Counts {
 public:
  void add(const Case& one) { ++counts_[{one.level.id, one.holds}]; }
  void expect_each(int least) {
    for (const LevelEntry& entry : levels()) {
      EXPECT_GT((counts_[{entry.id, true}]), least) << entry.name;
      EXPECT_GT((counts_[{entry.id, false}]), least) << entry.name;
    }
  }

 private:
  std::map<std::pair<LevelId, bool>, int> counts_;
};

// --- orders

/// Tries every order of events, and all sources of reads, of every choice of transactions.
class Orders {
 public:
  explicit Orders(const Case& one) : case_(one), certificate_(empty_certificate(one)) {
    certificate_.holds = true;
  }

  bool some_is_accepted() {
    std::vector<std::uint32_t> open;
    for (const TransactionId t : case_.history.transactions()) {
      if (case_.history.outcome(t) == Outcome::indeterminate) open.push_back(number_of(t));
    }
    for (std::uint32_t bits = 0; bits < (1u << open.size()); ++bits) {
      certificate_.committed.clear();
      for (std::size_t i = 0; i < open.size(); ++i) {
        if ((bits >> i & 1) != 0) certificate_.committed.push_back(open[i]);
      }
      choose_events_and_reads();
      if (extend(events_)) return true;
    }
    return false;
  }

  /// Something was refused that the verifier does not know how to judge, or there are more sources
  /// than are tried.
  bool incomplete() const { return incomplete_; }

 private:
  void choose_events_and_reads() {
    const OrderEvents kind = events_of(case_.level);
    const KeyNumbers numbers(case_.history);
    events_.clear();
    choices_.clear();
    verifier::Reads reads(case_.history, writes_);
    const auto add = [&](const verifier::Read& read) -> Status {
      if (read.candidates.size() > 1) choices_.push_back({read.number, read.candidates});
      return Done{};
    };
    for (const TransactionId t : case_.history.transactions()) {
      const bool chosen = std::ranges::count(certificate_.committed, number_of(t)) != 0;
      if (case_.history.outcome(t) != Outcome::committed && !chosen) continue;
      if (kind == OrderEvents::begins_and_commits) events_.push_back(Event::begin(number_of(t)));
      if (kind == OrderEvents::commits || kind == OrderEvents::begins_and_commits) {
        events_.push_back(Event::commit(number_of(t)));
      }
      if (kind == OrderEvents::versions) {
        for (const verifier::Writes::Write& write : writes_.of(t)) {
          events_.push_back(Event::version(number_of(t), numbers.number(write.key)));
        }
      }
      const verifier::Shape shape = verifier::rules_of(case_.level).shape;
      const bool has_sources =
          shape == verifier::Shape::commits || shape == verifier::Shape::versions;
      if (has_sources) static_cast<void>(reads.for_each(t, add));
    }
  }

  bool extend(std::vector<Event>& left) {
    if (left.empty()) return choose_sources(0, 256);
    const std::uint32_t key = std::ranges::min(left, {}, &Event::key).key;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Event event = left[i];
      const bool begun = std::ranges::count(left, Event::begin(event.transaction)) == 0;
      if ((event.is_commit && !begun) || event.key != key) continue;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      certificate_.order.push_back(event);
      const bool found = extend(left);
      certificate_.order.pop_back();
      left.insert(left.begin() + static_cast<std::ptrdiff_t>(i), event);
      if (found) return true;
    }
    return false;
  }

  /// Gives the reads from `next` on their sources, as long as there are few ways to do that.
  bool choose_sources(std::size_t next, std::size_t most) {
    if (next == choices_.size() || most == 0) return is_accepted();
    const auto& [read, candidates] = choices_[next];
    if (most < candidates.size()) {
      incomplete_ = true;
      return is_accepted();
    }
    for (const std::uint32_t writer : candidates) {
      certificate_.sources.push_back({read, writer});
      const bool found = choose_sources(next + 1, most / candidates.size());
      certificate_.sources.pop_back();
      if (found) return true;
    }
    return false;
  }

  bool is_accepted() {
    const auto refusal = verify(case_.history, certificate_);
    if (refusal && refusal->reason.find("not supported") != std::string::npos) incomplete_ = true;
    return !refusal;
  }

  const Case& case_;
  Certificate certificate_;
  const verifier::Writes writes_{case_.history};
  std::vector<Event> events_;
  std::vector<std::pair<ReadNumber, std::vector<std::uint32_t>>> choices_;
  bool incomplete_ = false;
};

TEST(Soundness, SomeOrderIsAcceptedIfAndOnlyIfTheLevelHolds) {
  Random random(1);
  Counts counts;
  for (int i = 0; i < 8000 * test_scale(); ++i) {
    const Case one = random_case(random);
    Orders orders(one);
    const bool accepted = orders.some_is_accepted();
    if (orders.incomplete() && one.holds && !accepted) continue;
    counts.add(one);
    ASSERT_EQ(accepted, one.holds) << text_of(one);
  }
  counts.expect_each(20 * test_scale());
}

// --- refutations

TEST(Soundness, AxiomsAreTrueTogetherIfAndOnlyIfTheLevelHolds) {
  Random random(3);
  Counts counts;
  std::map<ProofStep::Kind, int> accepted;
  for (int i = 0; i < 8000 * test_scale(); ++i) {
    const Case one = random_case(random);
    Model model(one);
    if (model.incomplete() && !one.holds) continue;
    counts.add(one);
    for (const auto& [kind, count] : model.accepted()) accepted[kind] += count;
    ASSERT_EQ(model.exists(), one.holds) << text_of(one);
  }
  counts.expect_each(20 * test_scale());
  EXPECT_EQ(accepted.size(), 17u);  // every kind but paths and lemmas
  for (const auto& [kind, count] : accepted) {
    EXPECT_GT(count, 30 * test_scale()) << static_cast<int>(kind);
  }
}

/// What verify says about a certificate with these steps.
enum class Reply { complete, more, refused };

class Refutations {
 public:
  explicit Refutations(const Case& one) : case_(one), certificate_(empty_certificate(one)) {}

  Reply reply() const {
    const auto refusal = verify(case_.history, certificate_);
    if (!refusal) return Reply::complete;
    return refusal->reason == "the steps lead to no contradiction" ? Reply::more : Reply::refused;
  }

  /// Adds the step, if it is accepted.
  bool add(ProofStep step) {
    certificate_.steps.push_back(std::move(step));
    complete_ = complete_ || reply() == Reply::complete;
    if (complete_ || reply() == Reply::more) return true;
    certificate_.steps.pop_back();
    return false;
  }

  bool complete() const { return complete_; }
  const std::vector<ProofStep>& steps() const { return certificate_.steps; }

 private:
  const Case& case_;
  Certificate certificate_;
  bool complete_ = false;
};

TEST(Soundness, RandomStepsRefuteOnlyWhatIsViolated) {
  Random random(2);
  std::array<int, 2> counts = {0, 0};
  std::map<ProofStep::Kind, int> accepted;
  int refuted = 0;
  for (int i = 0; i < 50 * test_scale(); ++i) {
    const Case one = random_case(random);
    ++counts[one.holds ? 1 : 0];
    Refutations refutation(one);
    std::vector<ProofStep> axioms = all_axioms(one.history, one.level);
    for (std::size_t left = axioms.size(); left > 1; --left) {
      std::swap(axioms[left - 1], axioms[random.below(left)]);
    }
    const std::vector<Event> events = all_events(one.history, one.level);
    const auto event = [&] { return events[random.below(events.size())]; };
    for (std::size_t next = 0, tries = 0; !refutation.complete() && tries < 1500; ++tries) {
      ProofStep step;
      if (random.chance(60) && next < axioms.size()) {
        step = axioms[next++];
      } else if (random.chance(50)) {
        step.kind = ProofStep::Kind::path;
        for (std::uint64_t length = 2 + random.below(4); length > 0; --length) {
          step.events.push_back(event());
        }
        if (random.chance(50)) step.events.push_back(step.events.front());
      } else {
        step.kind = ProofStep::Kind::lemma;
        for (std::uint64_t left = random.below(3); left > 0; --left) {
          step.literals.push_back(ProofLiteral::order(event(), event()));
        }
        for (std::uint64_t left = 1 + random.below(3); left > 0; --left) {
          step.hints.push_back(
              static_cast<std::uint32_t>(random.below(refutation.steps().size() + 2)));
        }
      }
      const ProofStep::Kind kind = step.kind;
      if (refutation.add(std::move(step))) ++accepted[kind];
    }
    if (refutation.complete()) {
      ++refuted;
      ASSERT_FALSE(one.holds) << text_of(one);
    }
  }
  EXPECT_GT(counts[1], 10 * test_scale());
  EXPECT_GT(refuted, 5 * test_scale());
  EXPECT_GT(accepted[ProofStep::Kind::path], 1000 * test_scale());
  EXPECT_GT(accepted[ProofStep::Kind::lemma], 500 * test_scale());
}

}  // namespace
}  // namespace isoscope
