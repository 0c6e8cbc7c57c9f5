#include <algorithm>
#include <functional>

#include "check/strong/search/repair.h"
#include "isoscope/base/contract.h"

// This file is about lists to which elements were appended more than once: which transaction left
// the list that was read, which one left what stood before that one's appends, and so on down to
// the initial list. That a version is just the list L is one statement, left(L, version), whichever
// read has L at its start; so a thousand reads of a growing list are about the statements of its
// longest.
//
// With V the last writer of the key before W, and B(W) what W appended:
//   read:  a reader that saw W's version and the list L:   left(L, W)
//   rest:  left(L, W)                   some V left what is before B(W) in L
//   next:  left(L, W), left(L - B(W), V)          V committed before W began
//   apart: the same, and another writer U:        U is earlier than V, or later than W
// A read is followed along what the solver chose, or where it was not asked yet along what its
// order has, or nearly has. If all of these clauses were there the order would have the list; so
// one is missing that the order contradicts, and is added.

namespace isoscope::strong {

namespace {

template <class A, class B>
std::uint64_t pair_of(Id<A> a, Id<B> b) {
  return std::uint64_t{a.value} << 32 | b.value;
}

}  // namespace

void Repair::note_states() {
  followed_.clear();
  true_states_.clear();
  for (const auto& [state, variable] : states_) {
    if (solver_->value(SatLiteral::positive(variable)).value_or(false)) true_states_.insert(state);
  }
}

bool Repair::repair_lists(std::span<const ReadId> wrong, std::span<const VersionId> chosen) {
  ISOSCOPE_REQUIRE(wrong.size() == chosen.size());
  // The longest lists first: what they are supposed to be made of serves those that are parts of
  // them, too.
  std::vector<ReadId> by_length(wrong.begin(), wrong.end());
  std::ranges::stable_sort(by_length, std::greater(),
                           [&](ReadId read) { return lists_.size(lists_.list(read)); });
  likely_writers_.clear();
  for (const ReadId read : by_length) {
    if (is_stopped()) return false;
    lists_.cut(p_.reads[read].key, lists_.list(read), likely_writers_);
  }
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (!repair_list(wrong[i], chosen[i])) return false;
  }
  return true;
}

/// False if a limit was reached.
bool Repair::repair_list(ReadId r, VersionId chosen) {
  const VersionId seen = lists_.seen_by(r);
  const bool is_certain_read = is_certain(p_.reads[r]);
  if (chosen == none) {
    const auto likely = likely_writers_.find(lists_.list(r));
    const auto candidates = p_.candidates_of(p_.reads[r]);
    const bool is_possible = !is_certain_read && likely != likely_writers_.end() &&
                             p_.versions[likely->second].writer != p_.reads[r].reader &&
                             std::ranges::find(candidates, likely->second) != candidates.end();
    chosen = is_possible ? likely->second : seen;
  }
  if (!is_certain_read && has_choice_.insert(r).second) {
    selected(r, chosen);  // the solver tries what was made first
    choose_among_candidates(r);
  }
  if (!is_certain_read && chosen != seen) {
    for (VersionId other = seen; other != none && commit_place(other) > commit_place(chosen);
         other = lists_.previous(other)) {
      if (p_.versions[other].writer != p_.reads[r].reader) add_between(r, chosen, other);
    }
  }
  if (has_left_.insert(pair_of(r, chosen)).second) {
    std::vector<SatLiteral> clause = {left(r, lists_.list(r), chosen)};
    if (!is_certain_read) clause.insert(clause.begin(), !selected(r, chosen));
    const std::uint32_t id = add_clause(clause);
    if (is_certain_read) known_lists_[id] = r;
  }
  return follow_list(r, chosen);
}

/// False if a limit was reached: a list of 3,000 elements with two different values takes thousands
/// of steps, and each has a clause with a statement for every second writer.
bool Repair::follow_list(ReadId r, VersionId version) {
  const ListBlocks& blocks = lists_.blocks(p_.reads[r].key);
  ValueId list = lists_.list(r);
  std::vector<VersionId> used;
  while (p_.versions[version].writer != 0 && followed_.insert(pair_of(list, version)).second) {
    if (is_stopped()) return false;
    used.push_back(version);
    const ValueId rest = blocks.before(version, list);
    const VersionId before = likely_before(rest, version, used);
    if (has_rest_.insert(pair_of(list, version)).second) {
      add_rest(r, list, version, before);
    }
    if (before == none) return true;
    add_next(r, list, version, before);
    // These are the versions that the order has between the two.
    for (VersionId other = lists_.previous(version);
         other != none && commit_place(other) > commit_place(before);
         other = lists_.previous(other)) {
      add_apart(r, list, version, before, other);
    }
    list = rest;
    version = before;
  }
  return true;
}

std::uint32_t Repair::commit_place(VersionId version) const {
  const Txn writer = p_.versions[version].writer;
  return writer == 0 ? 0 : place_[p_.commit(writer)];
}

/// The version that may have left the list before `version` was made: the one that the solver
/// chose, or else the last one before it, preferably one that is not `used` further behind. The
/// result is none if there is no such version.
VersionId Repair::likely_before(ValueId list, VersionId version,
                                std::span<const VersionId> used) const {
  std::vector<VersionId> candidates;
  lists_.blocks(p_.versions[version].key).find_candidates(list, candidates);
  VersionId best = none;
  const auto likely = likely_writers_.find(list);
  std::array<std::int64_t, 4> best_score = {};
  for (const VersionId v : candidates) {
    if (v == version) continue;
    const bool takes_part = takes_part_[p_.versions[v].writer] != 0;
    const auto behind = static_cast<std::int64_t>(commit_place(version)) -
                        static_cast<std::int64_t>(commit_place(v));
    // The nearest one before it is best. Among those behind it, the nearest is best, too.
    const bool is_before = takes_part && behind > 0;
    const bool is_used = std::ranges::find(used, v) != used.end();
    const std::array<std::int64_t, 4> score = {
        true_states_.contains(pair_of(list, v)) ? 1 : 0,
        likely != likely_writers_.end() && likely->second == v ? 1 : 0,
        (is_before    ? 2
         : takes_part ? 1
                      : 0) -
            (is_used ? 4 : 0),
        behind > 0 ? -behind : behind};
    if (best != none && score <= best_score) continue;
    best = v;
    best_score = score;
  }
  return best;
}

/// If the version is the list, some version left what was there before. The choice of the likeliest
/// is made first, so that the solver tries it first.
void Repair::add_rest(ReadId r, ValueId list, VersionId version, VersionId likely) {
  const ListBlocks& blocks = lists_.blocks(p_.reads[r].key);
  const ValueId rest = blocks.before(version, list);
  std::vector<SatLiteral> clause = {!left(r, list, version)};
  if (likely != none) clause.push_back(left(r, rest, likely));
  std::vector<VersionId> candidates;
  blocks.find_candidates(rest, candidates);
  for (const VersionId v : candidates) {
    if (v != version && v != likely) clause.push_back(left(r, rest, v));
  }
  add_clause(clause);
}

void Repair::add_next(ReadId r, ValueId list, VersionId version, VersionId before) {
  if (p_.versions[before].writer == 0) return;
  if (!has_next_.insert({list.value, version.value, before.value, none}).second) return;
  const ValueId rest = lists_.blocks(p_.reads[r].key).before(version, list);
  const SatLiteral clause[] = {!left(r, list, version), !left(r, rest, before),
                               earlier(before, version, false)};
  add_clause(clause);
}

void Repair::add_apart(ReadId r, ValueId list, VersionId version, VersionId before,
                       VersionId other) {
  if (!has_next_.insert({list.value, version.value, before.value, other.value}).second) return;
  const ValueId rest = lists_.blocks(p_.reads[r].key).before(version, list);
  std::vector<SatLiteral> clause = {!left(r, list, version), !left(r, rest, before),
                                    earlier(version, other, false)};
  if (p_.versions[before].writer != 0) clause.push_back(earlier(other, before, false));
  add_clause(clause);
}

/// The literal that says that the version is just the list with which the read's result begins.
SatLiteral Repair::left(ReadId r, ValueId list, VersionId version) {
  ISOSCOPE_REQUIRE(p_.versions[version].key == p_.reads[r].key);
  const auto [at, is_new] = states_.try_emplace(pair_of(list, version), 0);
  const std::uint32_t variable = is_new ? at->second = add_choice({.kind = Choice::Kind::state,
                                                                   .version = version,
                                                                   .read = r,
                                                                   .elements = lists_.size(list)})
                                        : at->second;
  const SatLiteral literal = SatLiteral::positive(variable);
  const Txn writer = p_.versions[version].writer;
  if (is_new && p_.open[writer] != 0) {
    const SatLiteral implied[] = {!literal, committed(writer)};
    add_clause(implied);
  }
  return literal;
}

}  // namespace isoscope::strong
