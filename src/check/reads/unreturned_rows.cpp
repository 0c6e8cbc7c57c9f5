#include "check/reads/unreturned_rows.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "check/reads/key_values.h"
#include "isoscope/base/contract.h"

namespace isoscope {

UnreturnedRows::UnreturnedRows(JudgingRound& round)
    : round_(round),
      initial_(round.history.table_count(), RowIndex(round.history)),
      of_key_(round.history.key_count()) {
  for (const KeyId key : round.history.keys()) {
    const ValueId row = initial_row(key);
    if (row == ValuePool::nil) continue;
    TwoTransactions deleters;
    for (const Version& version : versions_of(key)) {
      if (version.value == ValuePool::nil) deleters.add(version.writer.value);
    }
    if (deleters.first == TwoTransactions::none) {
      initial_[round.history.key_table(key).index()].add({key, row});
    } else if (deleters.second == TwoTransactions::none) {
      deletions_.push_back({TransactionId(deleters.first), key});
    }
  }
  std::ranges::sort(deletions_, {}, [](const Deletion& d) { return std::tuple(d.writer, d.key); });
}

ValueId UnreturnedRows::initial_row(KeyId key) const {
  return isoscope::initial_row(round_.history, round_.accesses.use(key), key);
}

/// The final writes of a register by transactions that count as committed. All versions of a list
/// that was not empty at first are alike to a predicate, so a list has none to look at. What a key
/// holds that is both appended to and written is not defined.
std::span<const UnreturnedRows::Version> UnreturnedRows::versions_of(KeyId key) {
  Versions& known = of_key_[key.index()];
  if (!known.collected) {
    const auto accesses = round_.accesses.of(key);
    const bool is_mixed = round_.accesses.use(key) == KeyUse::both;
    round_.work += accesses.size();
    known.collected = true;
    known.first = static_cast<std::uint32_t>(versions_.size());
    for_each_run(accesses, [&](std::span<const Access> run) {
      if (is_mixed || !round_.counts(run[0].transaction)) return;
      const Access* write = final_write(run);
      if (write != nullptr && write->value != ValuePool::unreported)
        versions_.push_back({write->value, write->transaction});
    });
    known.last = static_cast<std::uint32_t>(versions_.size());
  }
  ISOSCOPE_ENSURE(known.first <= known.last && known.last <= versions_.size());
  return std::span(versions_).subspan(known.first, known.last - known.first);
}

std::span<const UnreturnedRows::Deletion> UnreturnedRows::only_deleted_by(TransactionId t) const {
  const auto own = std::ranges::equal_range(deletions_, t, {}, &Deletion::writer);
  return {own.begin(), own.end()};
}

bool UnreturnedRows::selects(const PredicateAccess& access, KeyId key, ValueId value) {
  const History& history = round_.history;
  ++round_.work;
  return evaluate(history.predicate(access.predicate), history.values(), history.key_name(key),
                  value) == Truth::yes;
}

bool UnreturnedRows::has_selected_version(OperationRef at, const PredicateAccess& access,
                                          KeyId key) {
  // A row that is compared and set again and again has many versions, and each is looked for by its
  // value.
  constexpr std::size_t many = 32;
  if (selects(access, key, initial_row(key))) return true;
  const std::span<const Version> versions = versions_of(key);
  if (versions.size() < many) {
    return std::ranges::any_of(versions, [&](const Version& version) {
      return version.writer != at.transaction && selects(access, key, version.value);
    });
  }
  const auto [index, is_new] = indexed_.try_emplace(key.value, round_.history);
  if (is_new) {
    round_.work += versions.size();
    for (const Version& version : versions) index->second.add({key, version.value, version.writer});
  }
  bool found = false;
  index->second.for_each_selected(access.predicate, round_.work, [&](const RowIndex::Row& row) {
    found = row.writer != at.transaction;
    return !found;
  });
  return found;
}

bool UnreturnedRows::has_unselected_version(OperationRef at, const PredicateAccess& access,
                                            KeyId key) {
  return std::ranges::any_of(versions_of(key), [&](const Version& version) {
    return version.writer != at.transaction && !selects(access, key, version.value);
  });
}

bool UnreturnedRows::is_undecided(OperationRef at, KeyId key, ReadFinding kind) {
  const auto undecided = [&](UndecidedRead::Why why) {
    round_.add_undecided(why, at, key, kind);
    return true;
  };
  if (round_.accesses.use(key) == KeyUse::both) {
    return undecided(UndecidedRead::Why::appended_and_written);
  }
  if (round_.unreported.by_other(key, at.transaction) ||
      round_.unreported.by_self(key, at.transaction, -1, at.operation)) {
    return undecided(UndecidedRead::Why::unreported_write);
  }
  return false;
}

void UnreturnedRows::check_changed(OperationRef at, const PredicateAccess& access, KeyId key) {
  ISOSCOPE_REQUIRE(round_.history.key_table(key) == access.table);
  if (has_selected_version(at, access, key) || is_undecided(at, key, ReadFinding::thin_air_read))
    return;
  round_.add(explained(at, access, key, true));
}

/// Judges a key that has an initial row which the predicate selects. False when there is no use in
/// looking at more.
bool UnreturnedRows::left_out(OperationRef at, const PredicateAccess& access, KeyId key,
                              Budget& budget) {
  ISOSCOPE_REQUIRE(initial_row(key) != ValuePool::nil);
  if (has_unselected_version(at, access, key) || is_undecided(at, key, ReadFinding::missed_row))
    return true;
  const BadRead finding = explained(at, access, key, false);
  const bool certain =
      finding.kind == ReadFinding::missed_row || finding.kind == ReadFinding::future_read;
  std::size_t& left = certain ? budget.certain : budget.other;
  if (left > 0) {
    --left;
    round_.add(finding);
  }
  return budget.certain > 0;
}

/// No version is as it must be (selected or not). But other writes may be: one that was aborted, or
/// overwritten by its own transaction, or comes later in the reader's. As with reads of values, the
/// finding has the name that the fewest levels forbid.
BadRead UnreturnedRows::explained(OperationRef at, const PredicateAccess& access, KeyId key,
                                  bool selected) {
  ISOSCOPE_REQUIRE(round_.history.operations(at.transaction)[at.operation].is_predicate());
  enum Part : std::uint8_t { aborted, overwritten, later };
  constexpr std::array kinds = {ReadFinding::aborted_read, ReadFinding::intermediate_read,
                                ReadFinding::future_read};
  std::array<std::vector<OperationRef>, kinds.size()> writes;
  BadRead finding;
  for (const Access& access_of_key : round_.accesses.of(key)) {
    ++round_.work;
    const TransactionId writer = access_of_key.transaction;
    if (access_of_key.kind() != Access::Kind::write) continue;
    if (access_of_key.value == ValuePool::unreported) continue;
    if (selects(access, key, access_of_key.value) != selected) continue;
    if (writer == at.transaction) {
      // What a predicate write itself writes is no excuse for selecting it.
      if (access_of_key.operation() > at.operation) writes[later].push_back(access_of_key.ref());
    } else if (round_.counts(writer)) {
      writes[overwritten].push_back(access_of_key.ref());
      // It may also have aborted.
      if (round_.presumed[writer.index()] == PresumedOutcome::assumed)
        finding.possible.add(ReadFinding::aborted_read);
    } else {
      writes[aborted].push_back(access_of_key.ref());
    }
  }
  finding.kind = selected ? ReadFinding::thin_air_read : ReadFinding::missed_row;
  finding.problem = selected ? ReadProblem::changed_unselected : ReadProblem::row_missing;
  finding.read = at;
  finding.key = key;
  finding.value = finding.element = ValuePool::nil;
  for (std::size_t part = kinds.size(); part > 0; --part) {
    if (writes[part - 1].empty()) continue;
    finding.kind = kinds[part - 1];
    finding.possible.add(finding.kind);
  }
  for (std::size_t part = 0; part < kinds.size(); ++part) {
    if (finding.kind != kinds[part]) continue;
    for (const OperationRef& write : writes[part]) finding.involve(write);
  }
  return finding;
}

}  // namespace isoscope
