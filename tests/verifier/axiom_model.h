#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "verifier/axioms.h"
#include "verifier/random_cases.h"

namespace isoscope::test {

/// All paths of hops of a history, in which no transaction stands twice but for the last one.
class HopPaths {
 public:
  HopPaths(const History& history, Level level) : history_(history), writes_(history) {
    verifier::Reads reads(history, writes_);
    const verifier::Rules& rules = verifier::rules_of(level);
    letters_ = std::string(rules.inner) + std::string(rules.last) + std::string(rules.whole);
    for (const TransactionId t : history.transactions()) {
      if (history.outcome(t) == Outcome::aborted) continue;
      const auto add = [&](const verifier::Read& read) -> Status {
        for (const std::uint32_t w : read.candidates) candidates_.push_back({read, w});
        return Done{};
      };
      static_cast<void>(reads.for_each(t, add));
    }
  }

  std::vector<std::vector<Hop>> all(std::uint32_t from, std::uint32_t to) {
    paths_.clear();
    extend({}, from, to, {});
    return paths_;
  }

 private:
  bool has(char letter) const { return letters_.find(letter) != letters_.npos; }

  void extend(const std::vector<Hop>& hops, std::uint32_t present, std::uint32_t to,
              const std::set<std::uint32_t>& passed) {
    if (present == 0 || hops.size() == 4) return;
    std::vector<Hop> next;
    for (std::uint32_t t = 1; t <= history_.transaction_count(); ++t) {
      if (t == present || history_.outcome(TransactionId(t - 1)) == Outcome::aborted) continue;
      if (history_.session_of(TransactionId(t - 1)) ==
              history_.session_of(TransactionId(present - 1)) &&
          has('s')) {
        next.push_back(Hop::session(t));
      }
      if (has('w')) next.push_back(Hop::overwrite(t));
      if (has('o') && (hops.empty() || t == to)) next.push_back(Hop::earlier(t));
    }
    for (const auto& [read, writer] : candidates_) {
      const std::uint32_t reader = read.number.transaction;
      if (has('r') && writer == present) next.push_back(Hop::by_read(read.number));
      if (!has('a') || reader != present) continue;
      for (std::uint32_t t = 1; t <= history_.transaction_count(); ++t) {
        if (writes_.find(TransactionId(t - 1), read.key) == nullptr || t == writer) continue;
        next.push_back(Hop::antidependency(t, read.number, writer));
      }
    }
    for (const Hop& hop : next) {
      std::vector<Hop> more = hops;
      more.push_back(hop);
      if (hop.transaction == to) paths_.push_back(more);
      std::set<std::uint32_t> seen = passed;
      seen.insert(present);
      if (hop.transaction != to && !seen.contains(hop.transaction)) {
        extend(more, hop.transaction, to, seen);
      }
    }
  }

  const History& history_;
  const verifier::Writes writes_;
  std::string letters_;
  std::vector<std::pair<verifier::Read, std::uint32_t>> candidates_;
  std::vector<std::vector<Hop>> paths_;
};

/// Versions of keys at session guarantees; elsewhere begins and commits.
inline std::vector<Event> all_events(const History& history, Level level) {
  std::vector<Event> events;
  if (events_of(level) == OrderEvents::versions) {
    for (std::uint32_t key = 1; key <= history.key_count(); ++key) {
      for (std::uint32_t t = 0; t <= history.transaction_count(); ++t) {
        events.push_back(Event::version(t, key));
      }
    }
    return events;
  }
  for (std::uint32_t t = 0; t <= history.transaction_count(); ++t) {
    events.push_back(Event::begin(t));
    events.push_back(Event::commit(t));
  }
  return events;
}

/// Those about the first elements of a list that was read.
inline void add_list_axioms(const History& history, ReadNumber read,
                            std::vector<ProofStep>& steps) {
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
inline std::vector<ProofStep> all_axioms(const History& history, Level level) {
  using Kind = ProofStep::Kind;
  std::vector<ProofStep> steps;
  const auto count = static_cast<std::uint32_t>(history.transaction_count());
  for (const Event a : all_events(history, level)) {
    for (const Event b : all_events(history, level)) {
      steps.push_back({.kind = Kind::order, .events = {a, b}});
    }
  }
  for (std::uint32_t bits = 3; bits < (1u << count); ++bits) {
    ProofStep stuck{.kind = Kind::stuck};
    for (std::uint32_t t = 1; t <= count; ++t) {
      if ((bits >> (t - 1) & 1) != 0) stuck.events.push_back(Event::commit(t));
    }
    steps.push_back(stuck);
  }
  if (needs_version_3(level.id)) {
    for (std::uint32_t t = 1; t <= count; ++t) {
      for (const std::vector<Hop>& hops : HopPaths(history, level).all(t, t)) {
        steps.push_back({.kind = Kind::circle, .writer = t, .hops = hops});
      }
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
            for (const Kind kind : {Kind::between, Kind::list, Kind::follows}) {
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
    HopPaths paths(one.history, one.level);
    for (ProofStep step : all_axioms(one.history, one.level)) {
      const bool added = add(step);
      if (step.kind == ProofStep::Kind::between) {
        step.kind = ProofStep::Kind::sees;
        if (!needs_version_3(one.level.id) || !has_candidate(axioms, step)) continue;
        for (std::vector<Hop>& hops : paths.all(step.other, step.read.transaction)) {
          step.hops = std::move(hops);
          add(step);
        }
      }
      if (!added || step.kind != ProofStep::Kind::next) continue;
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
    const OrderEvents kind = events_of(case_.level);
    const verifier::Writes writes(case_.history);
    const KeyNumbers numbers(case_.history);
    for (const TransactionId t : case_.history.transactions()) {
      if (case_.history.outcome(t) == Outcome::aborted || kind == OrderEvents::none) continue;
      if (kind == OrderEvents::versions) {
        for (const verifier::Writes::Write& write : writes.of(t)) {
          events.push_back(Event::version(number_of(t), numbers.number(write.key)));
        }
        continue;
      }
      if (kind == OrderEvents::begins_and_commits) events.push_back(Event::begin(number_of(t)));
      events.push_back(Event::commit(number_of(t)));
    }
    for (committed_ = 0; committed_ < (1u << open_.size()); ++committed_) {
      places_ = {{Event::begin(0), 0}, {Event::commit(0), 1}};
      for (const Event event : events) {
        if (event.is_version()) places_[Event::version(0, event.key)] = 1;
      }
      if (extend(events)) return true;
    }
    return false;
  }

 private:
  /// Whether the read can be from the writer, as the step `took` or `from` would say.
  static bool has_candidate(verifier::Axioms& axioms, const ProofStep& step) {
    const Result<verifier::Clause> read =
        axioms.clause({.kind = ProofStep::Kind::read, .read = step.read});
    if (!read) return false;
    return std::ranges::count(*read, ProofLiteral::selection(step.read, step.writer)) != 0;
  }

  /// Keys have orders of their own: the versions of one come before those of the next.
  bool extend(const std::vector<Event>& left) {
    if (left.empty()) return all_true();
    const std::uint32_t key = std::ranges::min(left, {}, &Event::key).key;
    for (const Event event : left) {
      if (event.is_commit && std::ranges::count(left, Event::begin(event.transaction)) != 0) {
        continue;
      }
      if (event.key != key) continue;
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

}  // namespace isoscope::test
