#include "isoscope/check/shrink.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "check/evidence_part.h"
#include "check/history_part.h"
#include "isoscope/check/check.h"

namespace isoscope {

namespace {

class Shrinker {
 public:
  Shrinker(Level level, const ShrinkOptions& options) : level_(level), options_(options) {}

  ShrinkResult run(const History& history) {
    ShrinkResult result;
    result.verdict = judge(history, options_.progress);
    result.stopped = result.verdict.stopped;
    if (result.verdict.answer == Answer::violated) {
      for (const BadRead& bad : result.verdict.evidence) wanted_.add(bad.kind);
      current_ = &history;
      verdict_ = result.verdict;
      minimise();
      result.minimal = !stopped_;
      result.stopped = stopped_;
      if (current_ == &history) smallest_ = part_of(history, PartOfHistory(history, true));
      result.history = std::move(smallest_);
      result.smallest = std::move(verdict_);
    }
    result.checks = checks_;
    return result;
  }

 private:
  Verdict judge(const History& history, Progress* progress) {
    ++checks_;
    return check(
        history, level_,
        {.limits = options_.limits, .progress = progress, .clock_skew = options_.clock_skew});
  }

  void minimise() {
    if (options_.progress != nullptr) options_.progress->phase("shrinking", 0);
    look_at_evidence();
    // A read without its writer may speak against another writer of the same value, which it was
    // never about: so at first it goes with its writer. Then whatever is not needed goes, the
    // earliest first, since a read is mostly of a late one.
    drops_reads_ = wanted_ == ReadFindings();
    repeat({&Shrinker::sessions, &Shrinker::transactions, &Shrinker::operations});
    if (!drops_reads_) return;
    drops_reads_ = false;
    singly_ = true;
    repeat({&Shrinker::transactions, &Shrinker::operations});
  }

  /// Leaves out the reads of values that a transaction that is left out wrote, or an operation.
  void drop_reads(PartOfHistory& part) const {
    std::set<std::pair<KeyId, ValueId>> gone;
    const auto visit = [&](const auto& what) {
      for (const TransactionId t : current_->transactions()) {
        if (current_->outcome(t) == Outcome::aborted) continue;
        for (std::size_t i = 0; i < current_->operations(t).size(); ++i) {
          what(t, i, current_->operations(t)[i]);
        }
      }
    };
    visit([&](TransactionId t, std::size_t i, const Operation& operation) {
      const bool kept = part.has(t) && part.has(t, i);
      const bool writes = operation.is_item_write() && operation.kind() != OperationKind::append;
      if (writes && !kept) gone.emplace(operation.key(), operation.value());
    });
    visit([&](TransactionId t, std::size_t i, const Operation& operation) {
      if (!operation.is_item_read()) return;
      if (gone.contains({operation.key(), operation.value()}) ||
          gone.contains({operation.key(), ValuePool::unreported})) {
        part.keep(t, i, false);
      }
    });
  }

  void look_at_evidence() {
    for (bool smaller = true; smaller && !stopped_;) {
      smaller = false;
      for (const PartOfHistory& part : evidence_parts(*current_, verdict_)) {
        const std::size_t before = current_->operation_count() + current_->transaction_count();
        if (!accept(part)) continue;
        smaller = current_->operation_count() + current_->transaction_count() < before;
        break;
      }
    }
  }

  /// Goes on with this part if it violates the level in the same way.
  bool accept(const PartOfHistory& part) {
    if (stopped_) return false;
    History smaller = part_of(*current_, part);
    Verdict verdict = judge(smaller, nullptr);
    stopped_ = verdict.stopped;
    if (options_.progress != nullptr) options_.progress->advance(checks_);
    if (verdict.answer != Answer::violated || !same_kind(verdict)) return false;
    smallest_ = std::move(smaller);
    current_ = &smallest_;
    verdict_ = std::move(verdict);
    return true;
  }

  /// A bad read stays one of the kinds found at first; without any, none appears.
  bool same_kind(const Verdict& verdict) const {
    if (verdict.evidence.empty()) return wanted_ == ReadFindings();
    return std::ranges::all_of(verdict.evidence,
                               [&](const BadRead& bad) { return wanted_.has(bad.kind); });
  }

  /// Something to leave out as a whole: a transaction, or one operation of it.
  struct Item {
    TransactionId transaction;
    std::optional<std::size_t> operation;
  };
  /// What is left out together.
  using Unit = std::vector<Item>;
  using Units = std::vector<Unit>;
  using UnitsOf = Units (Shrinker::*)() const;

  Units sessions() const {
    Units units;
    for (const SessionId session : current_->sessions()) {
      Unit unit;
      for (const TransactionId t : current_->session(session)) unit.push_back({t, {}});
      units.push_back(std::move(unit));
    }
    return units;
  }

  Units transactions() const {
    Units units;
    for (const TransactionId t : current_->transactions()) units.push_back({{t, {}}});
    return units;
  }

  Units operations() const {
    Units units;
    for (const TransactionId t : current_->transactions()) {
      for (std::size_t i = 0; i < current_->operations(t).size(); ++i) units.push_back({{t, i}});
    }
    return units;
  }

  void repeat(std::initializer_list<UnitsOf> all) {
    for (bool smaller = true; smaller && !stopped_;) {
      smaller = false;
      for (const UnitsOf units_of : all) smaller = leave_out(units_of) || smaller;
    }
  }

  /// Delta debugging: ever smaller runs of units, until no single one can go. The units of a
  /// smaller history are those of the larger one without what was left out, in the same order.
  bool leave_out(UnitsOf units_of) {
    bool any = false;
    Units units = (this->*units_of)();
    for (std::size_t width = singly_ ? 1 : std::max<std::size_t>(units.size() / 2, 1); width > 0;) {
      bool smaller = false;
      for (std::size_t first = 0; first < units.size() && !stopped_;) {
        const std::size_t last = std::min(first + width, units.size());
        PartOfHistory part(*current_, true);
        for (std::size_t i = first; i < last; ++i) {
          for (const Item& item : units[i]) {
            if (item.operation) {
              part.keep(item.transaction, *item.operation, false);
            } else {
              part.keep(item.transaction, false);
            }
          }
        }
        if (drops_reads_) drop_reads(part);
        if (accept(part)) {
          units = (this->*units_of)();
          smaller = true;
        } else {
          first = last;
        }
      }
      any = any || smaller;
      if (stopped_) return any;
      if (width > 1 || !smaller) width /= 2;
    }
    return any;
  }

  Level level_;
  const ShrinkOptions& options_;
  ReadFindings wanted_;               // the kinds of bad reads of the history given
  const History* current_ = nullptr;  // the history given, or smallest_
  History smallest_;
  Verdict verdict_;  // of current_
  bool drops_reads_ = false;
  bool singly_ = false;
  std::optional<StopReason> stopped_;
  std::uint64_t checks_ = 0;
};

}  // namespace

ShrinkResult shrink(const History& history, Level level, const ShrinkOptions& options) {
  return Shrinker(level, options).run(history);
}

}  // namespace isoscope
