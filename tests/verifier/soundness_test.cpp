#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/verifier/verify.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "test_scale.h"
#include "verifier/axioms.h"

// The verifier against the reference checker on small random histories.
// Orders: all are tried, and one is accepted exactly if the level holds.
// Axioms: all clauses that the verifier would accept as steps are true together in some order of
// events exactly if the level holds. So they say nothing wrong, and enough to refute whatever can
// be refuted.
// Steps: whatever random steps, paths and lemmas make, it is no refutation if the level holds.

namespace isoscope {
namespace {

struct Case {
  History history;
  Level level;
  std::int64_t skew = 0;
  bool cuts = true;
  bool holds = false;
};

/// The history with every third of its committed transactions made indeterminate; as it is if the
/// notation does not have all of it (rows that are lists).
History with_more_doubt(const History& history, Random& random) {
  std::string text = reference::text_of(history);
  for (std::size_t at = text.find(" T"); at != text.npos; at = text.find(" T", at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", at + 2);
    if (end != text.npos && text[end] != '!' && text[end] != '?' && random.chance(33)) {
      text.insert(end, "?");
    }
  }
  const Source source = Source::from_memory("history", text);
  Result<History> changed = read_history(source, {.format = Format::litmus});
  return changed ? *std::move(changed) : history;
}

Case random_case(Random& random) {
  static constexpr std::array levels = {LevelId::serializable, LevelId::strict_serializable,
                                        LevelId::snapshot_isolation,
                                        LevelId::strong_snapshot_isolation};
  reference::RandomFeatures features;
  features.most_transactions = 4;
  features.keys = random.chance(50) ? 2 : 3;
  features.predicates = random.chance(60);
  features.lists = random.chance(60);
  features.appended_once = random.chance(50);
  features.times = random.chance(50);
  features.odd = random.chance(30);
  Case result{.history = reference::random_history(random, features), .level = {}};
  if (random.chance(30)) result.history = with_more_doubt(result.history, random);
  result.level = {levels[random.below(levels.size())], random.chance(60)};
  result.skew = static_cast<std::int64_t>(random.chance(50) ? 0 : random.below(20));
  result.cuts = random.chance(50);
  result.holds = reference::satisfies(
      result.history, result.level, {.clock_skew = result.skew, .indeterminate_cuts = result.cuts});
  return result;
}

std::string text_of(const Case& one) {
  return text_of(one.level) + ", skew " + std::to_string(one.skew) + (one.cuts ? "" : ", no cuts") +
         "\n" + reference::text_of(one.history);
}

Certificate empty_certificate(const Case& one) {
  Certificate certificate;
  certificate.level = one.level;
  certificate.clock_skew = one.skew;
  certificate.indeterminate_cuts = one.cuts;
  certificate.history_digest = digest(one.history);
  return certificate;
}

// --- orders

/// Tries every order of events of every choice of transactions.
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
      std::vector<Event> events;
      for (const TransactionId t : case_.history.transactions()) {
        const bool chosen = std::ranges::count(certificate_.committed, number_of(t)) != 0;
        if (case_.history.outcome(t) != Outcome::committed && !chosen) continue;
        if (!has_one_event(case_.level.id)) events.push_back(Event::begin(number_of(t)));
        events.push_back(Event::commit(number_of(t)));
      }
      if (extend(events)) return true;
    }
    return false;
  }

 private:
  bool extend(std::vector<Event>& left) {
    if (left.empty()) return !verify(case_.history, certificate_);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Event event = left[i];
      const bool begun = std::ranges::count(left, Event::begin(event.transaction)) == 0;
      if (event.is_commit && !begun) continue;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      certificate_.order.push_back(event);
      const bool found = extend(left);
      certificate_.order.pop_back();
      left.insert(left.begin() + static_cast<std::ptrdiff_t>(i), event);
      if (found) return true;
    }
    return false;
  }

  const Case& case_;
  Certificate certificate_;
};

TEST(Soundness, SomeOrderIsAcceptedIfAndOnlyIfTheLevelHolds) {
  Random random(1);
  std::array<int, 2> counts = {0, 0};
  for (int i = 0; i < 4000 * test_scale(); ++i) {
    const Case one = random_case(random);
    ++counts[one.holds ? 1 : 0];
    ASSERT_EQ(Orders(one).some_is_accepted(), one.holds) << text_of(one);
  }
  EXPECT_GT(counts[0], 800 * test_scale());
  EXPECT_GT(counts[1], 800 * test_scale());
}

// --- refutations

std::vector<Event> all_events(const History& history) {
  std::vector<Event> events;
  for (std::uint32_t t = 0; t <= history.transaction_count(); ++t) {
    events.push_back(Event::begin(t));
    events.push_back(Event::commit(t));
  }
  return events;
}

/// Those about the first elements of a list that was read.
void add_list_axioms(const History& history, ReadNumber read, std::vector<ProofStep>& steps) {
  using Kind = ProofStep::Kind;
  const auto count = static_cast<std::uint32_t>(history.transaction_count());
  const Operation& operation =
      history.operations(TransactionId(read.transaction - 1))[read.operation - 1];
  std::size_t longest = 0;
  const auto look_at = [&](ValueId value) {
    if (history.values().kind(value) != ValueKind::list) return;
    longest = std::max(longest, history.values().list_size(value));
  };
  if (operation.kind() == OperationKind::predicate_read) {
    for (const RowVersion& row : history.predicate_access(operation).rows) look_at(row.value);
  } else if (!operation.is_predicate()) {
    look_at(operation.value());
  }
  for (std::uint32_t w = 0; w <= count; ++w) {
    steps.push_back({.kind = Kind::left, .read = read, .writer = w});
  }
  for (read.elements = 0; read.elements <= longest; ++read.elements) {
    steps.push_back({.kind = Kind::read, .read = read});
    for (std::uint32_t w = 0; w <= count; ++w) {
      for (const Kind kind : {Kind::from, Kind::took, Kind::left, Kind::rest}) {
        steps.push_back({.kind = kind, .read = read, .writer = w});
      }
      for (std::uint32_t v = 0; v <= count; ++v) {
        steps.push_back({.kind = Kind::next, .read = read, .writer = w, .other = v});
      }
    }
  }
}

/// Every axiom there can be, right or wrong, except for paths; those that keep a third transaction
/// apart from two are made from what is said of the two.
std::vector<ProofStep> all_axioms(const History& history) {
  using Kind = ProofStep::Kind;
  std::vector<ProofStep> steps;
  const auto count = static_cast<std::uint32_t>(history.transaction_count());
  for (const Event a : all_events(history)) {
    for (const Event b : all_events(history)) {
      steps.push_back({.kind = Kind::order, .events = {a, b}});
    }
  }
  for (std::uint32_t t = 0; t <= count; ++t) {
    for (std::uint32_t s = 0; s <= count; ++s) {
      steps.push_back({.kind = Kind::conflict, .writer = t, .other = s});
    }
  }
  const auto keys = static_cast<std::uint32_t>(history.key_count());
  for (std::uint32_t t = 1; t <= count; ++t) {
    const auto operations = history.operations(TransactionId(t - 1));
    for (std::uint32_t i = 1; i <= operations.size(); ++i) {
      const bool is_predicate = operations[i - 1].is_predicate();
      for (std::uint32_t key = 0; key <= (is_predicate ? keys + 1 : 1); ++key) {
        const ReadNumber read = {t, i, key};
        steps.push_back({.kind = Kind::read, .read = read});
        steps.push_back({.kind = Kind::inside, .read = read});
        add_list_axioms(history, read, steps);
        for (std::uint32_t w = 0; w <= count; ++w) {
          for (const Kind kind : {Kind::from, Kind::took, Kind::member}) {
            steps.push_back({.kind = kind, .read = read, .writer = w});
          }
          for (std::uint32_t v = 0; v <= count; ++v) {
            for (const Kind kind : {Kind::between, Kind::list}) {
              steps.push_back({.kind = kind, .read = read, .writer = w, .other = v});
            }
          }
        }
      }
    }
  }
  return steps;
}

/// Looks for an order of events and a set of committed transactions in which all axioms are true.
class Model {
 public:
  explicit Model(const Case& one) : case_(one) {
    Certificate claim;
    claim.level = one.level;
    claim.clock_skew = one.skew;
    claim.indeterminate_cuts = one.cuts;
    verifier::Axioms axioms(one.history, claim);
    const auto add = [&](const ProofStep& step) {
      Result<verifier::Clause> clause = axioms.clause(step);
      if (!clause) {
        incomplete_ |= clause.error().what.find("not supported") != std::string::npos;
        return false;
      }
      ++accepted_[step.kind];
      clauses_.push_back(*std::move(clause));
      return true;
    };
    for (ProofStep step : all_axioms(one.history)) {
      if (!add(step) || step.kind != ProofStep::Kind::next) continue;
      step.kind = ProofStep::Kind::apart;
      for (step.third = 0; step.third <= one.history.transaction_count(); ++step.third) add(step);
    }
    for (const verifier::Clause& clause : clauses_) {
      for (const ProofLiteral& literal : clause) {
        if (literal.kind != ProofLiteral::Kind::selection) continue;
        selections_.try_emplace(literal.negated ? !literal : literal, selections_.size() + 1);
      }
    }
    for (const TransactionId t : one.history.transactions()) {
      if (one.history.outcome(t) == Outcome::indeterminate) open_.push_back(number_of(t));
    }
  }

  /// Some read says less than it could: only what is refuted counts.
  bool incomplete() const { return incomplete_; }
  const std::map<ProofStep::Kind, int>& accepted() const { return accepted_; }

  bool exists() {
    std::vector<Event> events;
    for (const TransactionId t : case_.history.transactions()) {
      if (case_.history.outcome(t) == Outcome::aborted) continue;
      if (!has_one_event(case_.level.id)) events.push_back(Event::begin(number_of(t)));
      events.push_back(Event::commit(number_of(t)));
    }
    for (committed_ = 0; committed_ < (1u << open_.size()); ++committed_) {
      places_ = {{Event::begin(0), 0}, {Event::commit(0), 1}};
      if (extend(events)) return true;
    }
    return false;
  }

 private:
  bool extend(const std::vector<Event>& left) {
    if (left.empty()) return all_true();
    for (const Event event : left) {
      if (event.is_commit && std::ranges::count(left, Event::begin(event.transaction)) != 0) {
        continue;
      }
      std::vector<Event> others = left;
      std::erase(others, event);
      places_[event] = static_cast<int>(100 - left.size());
      if (extend(others)) return true;
    }
    return false;
  }

  /// What reads returned, and which transaction left which list, may be chosen.
  bool all_true() {
    std::vector<std::vector<int>> left;
    for (const verifier::Clause& clause : clauses_) {
      std::vector<int> open;
      bool is_true = false;
      for (const ProofLiteral& literal : clause) {
        if (literal.kind == ProofLiteral::Kind::selection) {
          const int number = selections_.at(literal.negated ? !literal : literal);
          open.push_back(literal.negated ? -number : number);
        } else {
          is_true |= holds(literal);
        }
      }
      if (is_true) continue;
      if (open.empty()) return false;
      left.push_back(std::move(open));
    }
    return satisfiable(left, std::vector<int>(selections_.size() + 1, 0));
  }

  /// Clauses of variables from 1 on, negative where negated; `values` are 1, -1, or 0 for open.
  static bool satisfiable(const std::vector<std::vector<int>>& clauses, std::vector<int> values) {
    for (;;) {
      bool changed = false;
      int choice = 0;
      for (const std::vector<int>& clause : clauses) {
        bool is_true = false;
        std::vector<int> open;
        for (const int literal : clause) {
          const int value = values[static_cast<std::size_t>(std::abs(literal))];
          is_true |= value != 0 && (value > 0) == (literal > 0);
          if (value == 0) open.push_back(literal);
        }
        if (is_true) continue;
        if (open.empty()) return false;
        choice = open.front();
        if (open.size() > 1) continue;
        values[static_cast<std::size_t>(std::abs(choice))] = choice > 0 ? 1 : -1;
        changed = true;
      }
      if (changed) continue;
      if (choice == 0) return true;
      int& value = values[static_cast<std::size_t>(std::abs(choice))];
      value = choice > 0 ? 1 : -1;
      if (satisfiable(clauses, values)) return true;
      value = -value;
    }
  }

  bool holds(const ProofLiteral& literal) const {
    if (literal.kind == ProofLiteral::Kind::order) {
      return places_.at(literal.before) < places_.at(literal.after);
    }
    const auto at = std::ranges::find(open_, literal.writer) - open_.begin();
    return ((committed_ >> at & 1) != 0) != literal.negated;
  }

  const Case& case_;
  bool incomplete_ = false;
  std::map<ProofStep::Kind, int> accepted_;
  std::vector<verifier::Clause> clauses_;
  std::map<ProofLiteral, int> selections_;  // their numbers
  std::vector<std::uint32_t> open_;         // indeterminate transactions
  std::uint32_t committed_ = 0;             // a bit for each of these
  std::map<Event, int> places_;
};

TEST(Soundness, AxiomsAreTrueTogetherIfAndOnlyIfTheLevelHolds) {
  Random random(3);
  std::array<int, 2> counts = {0, 0};
  std::map<ProofStep::Kind, int> accepted;
  for (int i = 0; i < 7000 * test_scale(); ++i) {
    const Case one = random_case(random);
    Model model(one);
    if (model.incomplete() && !one.holds) continue;
    ++counts[one.holds ? 1 : 0];
    for (const auto& [kind, count] : model.accepted()) accepted[kind] += count;
    ASSERT_EQ(model.exists(), one.holds) << text_of(one);
  }
  EXPECT_GT(counts[0], 1000 * test_scale());
  EXPECT_GT(counts[1], 1000 * test_scale());
  EXPECT_EQ(accepted.size(), 13u);  // every kind but paths and lemmas
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
    std::vector<ProofStep> axioms = all_axioms(one.history);
    for (std::size_t left = axioms.size(); left > 1; --left) {
      std::swap(axioms[left - 1], axioms[random.below(left)]);
    }
    const std::vector<Event> events = all_events(one.history);
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
