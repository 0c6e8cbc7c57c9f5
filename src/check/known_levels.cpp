#include "check/known_levels.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

bool has_predicates(const History& history) {
  for (const TransactionId t : history.transactions()) {
    if (std::ranges::any_of(history.operations(t), &Operation::is_predicate)) return true;
  }
  return false;
}

}  // namespace

std::vector<Verdict> KnownLevels::take() {
  std::vector<Verdict> verdicts;
  for (Entry& entry : entries_) verdicts.push_back(std::move(entry.verdict));
  entries_.clear();
  return verdicts;
}

const Verdict* KnownLevels::at(Level level) const {
  for (const Entry& entry : entries_) {
    if (entry.verdict.level == level) return &entry.verdict;
  }
  return nullptr;
}

std::optional<KnownLevels::Consequence> KnownLevels::implied(std::size_t from, Level level) {
  ISOSCOPE_REQUIRE(from < entries_.size());
  const Verdict& other = entries_[from].verdict;
  const std::string name = text_of(other.level);
  if (other.answer == Answer::holds && implies(other.level, level)) {
    return Consequence{from, Answer::holds, name + " holds, and implies " + text_of(level)};
  }
  if (other.answer != Answer::violated) return std::nullopt;
  if (implies(level, other.level)) {
    return Consequence{from, Answer::violated,
                       name + " is violated, and " + text_of(level) + " implies it"};
  }
  if (implies(as_here(level), other.level)) {
    return Consequence{
        from, Answer::violated,
        name + " is violated, and " + text_of(level) + " is the same without predicates"};
  }
  return std::nullopt;
}

std::optional<KnownLevels::Consequence> KnownLevels::told(std::size_t from, Level level) {
  Entry& entry = entries_[from];
  if (entry.verdict.answer != Answer::violated || !violates_also(entry, level)) {
    return std::nullopt;
  }
  return Consequence{
      from, Answer::violated,
      "what violates " + text_of(entry.verdict.level) + " violates " + text_of(level) + ", too"};
}

std::optional<KnownLevels::Consequence> KnownLevels::consequence(std::size_t from, Level level) {
  ISOSCOPE_REQUIRE(from < entries_.size());
  auto known = implied(from, level);
  return known ? known : told(from, level);
}

std::optional<KnownLevels::Consequence> KnownLevels::consequence(Level level) {
  for (const auto look : {&KnownLevels::implied, &KnownLevels::told}) {
    for (std::size_t from = 0; from < entries_.size(); ++from) {
      if (auto known = (this->*look)(from, level)) return known;
    }
  }
  return std::nullopt;
}

/// Two levels differ from others only where there are predicates (docs/levels.md).
Level KnownLevels::as_here(Level level) {
  LevelId without_predicates = level.id;
  if (level.id == LevelId::repeatable_read) without_predicates = LevelId::serializable;
  if (level.id == LevelId::monotonic_atomic_view) without_predicates = LevelId::read_committed;
  if (without_predicates == level.id) return level;
  if (!has_predicates_) has_predicates_ = has_predicates(history_);
  return *has_predicates_ ? level : Level{without_predicates, level.session_order};
}

/// A story rules out levels with session order only.
bool KnownLevels::violates_also(Entry& entry, Level level) {
  // Every level has been asked about single reads before.
  const bool has_story = entry.verdict.certificate && entry.verdict.evidence.empty();
  if (!also_violated_ || !level.session_order || !has_story) return false;
  ISOSCOPE_REQUIRE(entry.verdict.answer == Answer::violated);
  if (!entry.also_violated) entry.also_violated = also_violated_(entry.verdict);
  return std::ranges::count(*entry.also_violated, level.id) != 0;
}

void take_over(const Verdict& from, const std::string& why, Verdict& to) {
  ISOSCOPE_REQUIRE(from.answer != Answer::unknown && from.coverage);
  ISOSCOPE_REQUIRE(!(from.level == to.level));
  ISOSCOPE_REQUIRE(to.answer == Answer::unknown || to.answer == from.answer);
  const Level level = to.level;
  to = from;
  to.level = level;
  to.settled_by = from.level;
  to.remarks =
      remarks_about(*to.coverage, level, to.indeterminate_cuts, to.answer == Answer::violated);
  for (const Remark& remark : from.remarks) {
    const bool stays =
        remark.kind == Remark::Kind::recorder_slip || remark.kind == Remark::Kind::assumption;
    if (stays) to.remarks.push_back(remark);
  }
  const bool certified = to.certificate && settles(*to.certificate, level);
  to.remarks.push_back(remark_of_implied(from.level, why, certified));
}

Remark remark_of_implied(Level by, const std::string& why, bool certified) {
  return {
      Remark::Kind::implied,
      "This follows: " + why + (certified ? ". The certificate is of " + text_of(by) + "." : ".")};
}

}  // namespace isoscope
