#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope::test {

/// The definition of valid reads (and of item cut isolation) read aloud: try every set of
/// indeterminate transactions that may have committed, and for each read every way to explain it.
/// Exponential, for small histories without unreported writes and without keys that are both
/// appended to and written.
class ReferenceReads {
 public:
  using Transactions = std::set<TransactionId>;
  using Elements = std::vector<ValueId>;
  /// A register's value is a list of one element here; no value and the empty list are the empty
  /// vector.
  using Version = Elements;
  /// A finding: transaction, operation, key, kind.
  using Finding = std::tuple<TransactionId, std::uint32_t, KeyId, ReadFinding>;

  explicit ReferenceReads(const History& history) : history_(history) {}

  bool valid_reads() const { return some_choice(false); }
  bool cut_isolation() const { return some_choice(true); }

  /// Are all reads right when exactly these committed?
  bool right(const Transactions& committed, bool repeatable) const {
    return std::ranges::all_of(
        committed, [&](TransactionId t) { return findings_of(t, committed, repeatable).empty(); });
  }

  Transactions certainly_committed() const { return with_outcome(Outcome::committed); }

  /// The findings of committed transactions when as many indeterminate ones as possible count as
  /// committed. Kinds are right for registers only.
  std::set<Finding> findings() const {
    Transactions committed = certainly_committed();
    committed.merge(with_outcome(Outcome::indeterminate));
    for (bool changed = true; changed;) {
      changed = false;
      for (const TransactionId t : with_outcome(Outcome::indeterminate)) {
        if (!committed.contains(t) || findings_of(t, committed, false).empty()) continue;
        committed.erase(t);
        changed = true;
      }
    }
    std::set<Finding> all;
    for (const TransactionId t : certainly_committed()) all.merge(findings_of(t, committed, true));
    return all;
  }

  /// Could the reads of committed transactions be right if reading from anybody were allowed, at
  /// any point? Histories without lists only.
  bool reads_of_anybody() const {
    for (const TransactionId t : certainly_committed()) {
      for (const auto& [reader, at, key, kind] : findings_of(t, {t}, false)) {
        if (kind == ReadFinding::internal_inconsistency) return false;
        if (kind == ReadFinding::thin_air_read || kind == ReadFinding::future_read) return false;
        if (kind == ReadFinding::missed_row) return false;
      }
    }
    return true;
  }

 private:
  struct Step {
    enum Kind { read, write, append } kind;
    std::uint32_t at;
    KeyId key;
    ValueId value;
  };

  Transactions with_outcome(Outcome outcome) const {
    Transactions some;
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) == outcome) some.insert(t);
    }
    return some;
  }

  bool some_choice(bool repeatable) const {
    const Transactions open = with_outcome(Outcome::indeterminate);
    const std::vector<TransactionId> choices(open.begin(), open.end());
    for (std::uint32_t bits = 0; bits < (1u << choices.size()); ++bits) {
      Transactions committed = certainly_committed();
      for (std::size_t i = 0; i < choices.size(); ++i) {
        if ((bits >> i & 1) != 0) committed.insert(choices[i]);
      }
      if (right(committed, repeatable)) return true;
    }
    return false;
  }

  std::vector<Step> steps(TransactionId t) const {
    std::vector<Step> result;
    const auto operations = history_.operations(t);
    for (std::uint32_t at = 0; at < operations.size(); ++at) {
      const Operation& operation = operations[at];
      if (operation.is_predicate()) {
        const auto kind =
            operation.kind() == OperationKind::predicate_read ? Step::read : Step::write;
        for (const RowVersion& row : history_.predicate_access(operation).rows) {
          result.push_back({kind, at, row.key, row.value});
        }
      } else {
        const auto kind = operation.kind() == OperationKind::append ? Step::append
                          : operation.is_item_write()               ? Step::write
                                                                    : Step::read;
        result.push_back({kind, at, operation.key(), operation.value()});
      }
    }
    return result;
  }

  bool is_list(KeyId key) const {
    bool read_as_list = false;
    bool appended = false;
    bool written = false;
    for (const TransactionId t : history_.transactions()) {
      for (const Operation& operation : history_.operations(t)) {
        if (operation.is_predicate() || operation.key() != key) continue;
        read_as_list = read_as_list || operation.kind() == OperationKind::list_read;
      }
      for (const Step& step : steps(t)) {
        appended = appended || (step.key == key && step.kind == Step::append);
        written = written || (step.key == key && step.kind == Step::write);
      }
    }
    return appended || (read_as_list && !written);
  }

  Version version(KeyId key, ValueId value) const {
    if (value == ValuePool::nil || value == ValuePool::empty_list) return {};
    if (!is_list(key)) return {value};
    if (history_.values().kind(value) == ValueKind::list)
      return history_.values().list_elements(value);
    if (value == history_.initial_value(key)) return {};
    return {ValuePool::unreported};  // nobody can have made it
  }

  std::optional<Version> initial(KeyId key) const {
    const auto value = history_.initial_value(key);
    if (!value) return std::nullopt;
    return version(key, *value);
  }

  /// Is there an order of some of `appenders` whose appends make `rest`?
  bool made_of(const Elements& rest, KeyId key, const Transactions& appenders) const {
    if (rest.empty()) return true;
    for (const TransactionId t : appenders) {
      Elements own;
      for (const Step& step : steps(t)) {
        if (step.kind == Step::append && step.key == key) own.push_back(step.value);
      }
      if (own.empty() || own.size() > rest.size() ||
          !std::equal(own.begin(), own.end(), rest.begin()))
        continue;
      Transactions others = appenders;
      others.erase(t);
      if (made_of(Elements(rest.begin() + static_cast<std::ptrdiff_t>(own.size()), rest.end()), key,
                  others)) {
        return true;
      }
    }
    return false;
  }

  std::optional<Version> final_write(TransactionId t, KeyId key) const {
    std::optional<Version> last;
    for (const Step& step : steps(t)) {
      if (step.kind == Step::write && step.key == key) last = version(key, step.value);
    }
    return last;
  }

  /// Is `seen` a version of the key that others than `reader` made?
  bool explained(TransactionId reader, KeyId key, const Version& seen, bool after_own_append,
                 const Transactions& committed) const {
    Transactions others = committed;
    others.erase(reader);
    const auto start = initial(key);
    if (is_list(key)) {
      if (seen.empty() && !start) return after_own_append;
      const Version base = start.value_or(Version{});
      if (base.size() > seen.size() || !std::equal(base.begin(), base.end(), seen.begin()))
        return false;
      return made_of(Elements(seen.begin() + static_cast<std::ptrdiff_t>(base.size()), seen.end()),
                     key, others);
    }
    if (seen == start) return true;
    return std::ranges::any_of(others,
                               [&](TransactionId t) { return final_write(t, key) == seen; });
  }

  ReadFinding kind_of(TransactionId reader, const Step& read, const Transactions& committed) const {
    const Version seen = version(read.key, read.value);
    return kind_of(reader, read.at, read.key, committed, ReadFinding::thin_air_read,
                   [&](ValueId value) { return version(read.key, value) == seen; });
  }

  /// How a read can be wrong that would accept some of the values: the kind of the first write of
  /// one, or `otherwise`.
  template <class Accepts>
  ReadFinding kind_of(TransactionId reader, std::uint32_t at, KeyId key,
                      const Transactions& committed, ReadFinding otherwise,
                      const Accepts& accepts) const {
    bool aborted = false;
    bool overwritten = false;
    bool later = false;
    for (const TransactionId t : history_.transactions()) {
      for (const Step& step : steps(t)) {
        if (step.kind != Step::write || step.key != key || !accepts(step.value)) continue;
        if (t == reader) {
          later = later || step.at > at;
        } else if (committed.contains(t)) {
          overwritten = true;
        } else {
          aborted = true;
        }
      }
    }
    if (aborted) return ReadFinding::aborted_read;
    if (overwritten) return ReadFinding::intermediate_read;
    return later ? ReadFinding::future_read : otherwise;
  }

  std::set<Finding> findings_of(TransactionId t, const Transactions& committed,
                                bool repeatable) const {
    std::set<Finding> found;
    std::map<KeyId, Version> own;           // registers
    std::map<KeyId, Elements> own_appends;  // lists
    std::map<KeyId, Version> first_seen;
    for (const Step& step : steps(t)) {
      if (step.kind == Step::write) own[step.key] = version(step.key, step.value);
      if (step.kind == Step::append) own_appends[step.key].push_back(step.value);
      if (step.kind != Step::read || step.value == ValuePool::unreported) continue;
      Version seen = version(step.key, step.value);
      const auto add = [&](ReadFinding kind) { found.insert({t, step.at, step.key, kind}); };
      if (own.contains(step.key)) {
        if (own[step.key] != seen) add(ReadFinding::internal_inconsistency);
        continue;
      }
      const Elements& end = own_appends[step.key];
      if (seen.size() < end.size() || !std::equal(end.rbegin(), end.rend(), seen.rbegin())) {
        add(ReadFinding::internal_inconsistency);
        continue;
      }
      seen.resize(seen.size() - end.size());
      if (!explained(t, step.key, seen, !end.empty(), committed)) {
        add(is_list(step.key) ? ReadFinding::intermediate_read : kind_of(t, step, committed));
      }
      const auto [first, is_first] = first_seen.try_emplace(step.key, seen);
      if (repeatable && !is_first && first->second != seen) add(ReadFinding::non_repeatable_read);
    }
    add_predicate_findings(t, committed, found);
    return found;
  }

  /// A predicate looks at every key of its table, and selects a version of it or not.
  void add_predicate_findings(TransactionId t, const Transactions& committed,
                              std::set<Finding>& found) const {
    const auto operations = history_.operations(t);
    for (std::uint32_t at = 0; at < operations.size(); ++at) {
      if (!operations[at].is_predicate()) continue;
      const PredicateAccess access = history_.predicate_access(operations[at]);
      if (!access.reported) continue;
      const bool reads = operations[at].kind() == OperationKind::predicate_read;
      const auto selected = [&](KeyId key, ValueId value) {
        return evaluate(history_.predicate(access.predicate), history_.values(),
                        history_.key_name(key), value) == Truth::yes;
      };
      std::set<KeyId> listed;
      for (const RowVersion& row : access.rows) {
        listed.insert(row.key);
        if (reads && row.value != ValuePool::unreported &&
            !selected(row.key, as_row(row.key, row.value))) {
          found.insert({t, at, row.key, ReadFinding::internal_inconsistency});
        }
      }
      std::map<KeyId, ValueId> own;
      for (const Step& step : steps(t)) {
        if (step.at >= at || step.kind == Step::read) continue;
        own[step.key] =
            step.kind == Step::append ? ValuePool::empty_list : as_row(step.key, step.value);
      }
      for (const KeyId key : history_.keys()) {
        const bool wanted = listed.contains(key);
        if (history_.key_table(key) != access.table || (wanted && reads)) continue;
        if (own.contains(key)) {
          if (selected(key, own[key]) != wanted)
            found.insert({t, at, key, ReadFinding::internal_inconsistency});
          continue;
        }
        const auto accepts = [&](ValueId row) { return selected(key, row) == wanted; };
        if (!some_version(t, key, committed, accepts)) {
          const auto otherwise = wanted ? ReadFinding::thin_air_read : ReadFinding::missed_row;
          const auto would = [&](ValueId value) { return accepts(as_row(key, value)); };
          found.insert({t, at, key, kind_of(t, at, key, committed, otherwise, would)});
        }
      }
    }
  }

  /// What a predicate sees. It sees nothing where a key has no version, or an empty list. All other
  /// lists look the same to it. What is no version of a list is seen as it is.
  ValueId as_row(KeyId key, ValueId value) const {
    const Version seen = version(key, value);
    if (seen.empty()) return ValuePool::nil;
    return is_list(key) && history_.values().kind(value) == ValueKind::list ? ValuePool::empty_list
                                                                            : value;
  }

  /// Does a predicate accept some version of the key that others than `reader` made?
  template <class Accepts>
  bool some_version(TransactionId reader, KeyId key, const Transactions& committed,
                    const Accepts& accepts) const {
    const ValueId first = history_.initial_value(key).value_or(ValuePool::nil);
    if (accepts(as_row(key, first))) return true;
    for (const TransactionId t : committed) {
      std::optional<ValueId> last;
      for (const Step& step : steps(t)) {
        if (step.key != key || step.kind == Step::read) continue;
        last = step.kind == Step::append ? ValuePool::empty_list : as_row(key, step.value);
      }
      if (t != reader && last && accepts(*last)) return true;
    }
    return false;
  }

  const History& history_;
};

}  // namespace isoscope::test
