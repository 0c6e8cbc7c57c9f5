#include "check/strong/frontier/step.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

using Layout = FrontierLayout;

}  // namespace

FrontierStep::FrontierStep(const FrontierModel& model, const FrontierLayout& layout,
                           const IdVector<KeyId, std::uint32_t>& base, std::span<const Txn> members,
                           std::uint32_t goal_number)
    : m_(model),
      p_(model.problem()),
      layout_(layout),
      goal_number_(goal_number),
      goal_(model.goals()[goal_number]),
      now_(model.latest(goal_)),
      writers_(layout.columns.size(), 0),
      readers_of_(layout.columns.size()),
      member_at_(Layout::most_places, none),
      met_(Layout::first_column + layout.columns.size()) {
  const auto column_of = [&](KeyId key) {
    const auto at = std::ranges::find(layout.columns, key);
    return at == layout.columns.end() ? no_column
                                      : static_cast<std::uint32_t>(at - layout.columns.begin());
  };
  for (const Txn t : members) {
    Member& member = members_.emplace_back();
    member.txn = t;
    member.place = place_of(t);
    member.is_open = p_.open[t] != 0;
    member.begin = needs_of(p_.begin(t));
    member.commit = needs_of(p_.commit(t));
    ISOSCOPE_REQUIRE(member.place != 0);
    for (const FrontierModel::Read& read : m_.reads(t)) {
      const std::uint32_t column = column_of(read.key);
      if (column == no_column) {
        member.may_read = member.may_read && m_.fits(read, base[read.key]);
      } else {
        member.reads.push_back({.column = column, .read = &read});
      }
    }
    member.is_quiet = true;
    for (const FrontierModel::Write& write : m_.writes(t)) {
      const std::uint32_t column = column_of(write.key);
      ISOSCOPE_REQUIRE(column != no_column);
      member.writes.push_back({column, &write});
      writers_[column] |= member.place;
      const bool is_seen = write.is_list || (write.cell != FrontierModel::no_cell &&
                                             m_.is_needed(write.cell, goal_number));
      member.is_quiet = member.is_quiet && !is_seen;
    }
    member_at_[static_cast<std::size_t>(std::countr_zero(member.place))] =
        static_cast<std::uint32_t>(members_.size() - 1);
    if (t == p_.transaction_of(goal_)) goal_member_ = members_.size() - 1;
  }
  ISOSCOPE_ENSURE(members_[goal_member_].txn == p_.transaction_of(goal_));
  connect();
}

FrontierStep::Places FrontierStep::place_of(Txn t) const {
  const auto at = std::ranges::find(layout_.places, t);
  return at == layout_.places.end() ? 0 : Places{1} << (at - layout_.places.begin());
}

/// A transaction that has no place and comes before a member has happened in all configurations.
FrontierStep::Needs FrontierStep::needs_of(std::uint32_t event) const {
  Needs needs;
  needs.in_time = m_.earliest(event) <= now_;
  for (const std::uint32_t before : m_.graph().predecessors(event)) {
    if (p_.is_time(before)) continue;
    const Txn t = p_.transaction_of(before);
    if (t == 0 || t == p_.transaction_of(event)) continue;
    (before == p_.commit(t) ? needs.happened : needs.begun) |= place_of(t);
  }
  return needs;
}

/// Finds out what members have to do with each other.
void FrontierStep::connect() {
  for (Member& member : members_) {
    for (ColumnRead& of : member.reads) {
      const KeyId key = layout_.columns[of.column];
      of.is_list = m_.is_list(key);
      readers_of_[of.column].push_back(&member);
      for (const std::uint32_t cell : m_.cells(*of.read)) {
        of.later = of.later || (!of.is_list && m_.last_writer(cell) > now_);
      }
    }
    if (p_.rules.writers_conflict) {
      for (const ColumnWrite& of : member.writes) member.rivals |= writers_[of.column];
      member.rivals &= ~member.place;
    }
  }
  for (Member& writer : members_) {
    for (const ColumnWrite& of : writer.writes) {
      for (Member& reader : members_) {
        if (&reader == &writer) continue;
        for (ColumnRead& read : reader.reads) {
          if (read.column != of.column) continue;
          if (read.is_list || m_.fits(*read.read, of.write->cell)) read.writers |= writer.place;
        }
      }
    }
  }
}

bool FrontierStep::has_goal(std::span<const std::uint32_t> row) const {
  const Places place = members_[goal_member_].place;
  if ((Layout::happened(row) & place) != 0) return true;
  return goal_ != p_.commit(p_.transaction_of(goal_)) && (Layout::begun(row) & place) != 0;
}

bool FrontierStep::can_begin(const Member& member, std::span<const std::uint32_t> row) const {
  const Places happened = Layout::happened(row);
  const Places begun = Layout::begun(row);
  if (!member.may_read || !member.begin.are_met(happened, begun)) return false;
  if ((begun & member.rivals) != 0) return false;
  return std::ranges::all_of(member.reads, [&](const ColumnRead& read) {
    return m_.fits(*read.read, row[Layout::first_column + read.column]);
  });
}

/// Whether anybody will see something that the member writes, or would have seen something that it
/// hides.
bool FrontierStep::is_visible(const Member& member, std::span<const std::uint32_t> row) const {
  if (!member.is_quiet) return !member.writes.empty();
  return std::ranges::any_of(member.writes, [&](const ColumnWrite& write) {
    return row[Layout::first_column + write.column] != FrontierModel::no_cell;
  });
}

FrontierStep::Places FrontierStep::needed_by(const Member& member,
                                             std::span<const std::uint32_t> row) const {
  const Places happened = Layout::happened(row);
  const bool has_begun = (Layout::begun(row) & member.place) != 0;
  Places needed =
      member.begin.happened | member.begin.begun | member.commit.happened | member.commit.begun;
  for (const ColumnRead& read : member.reads) {
    if (has_begun) break;
    const bool fits = m_.fits(*read.read, row[Layout::first_column + read.column]);
    if (!fits) {
      needed |= read.writers;
    } else if (!read.is_list && (read.later || (read.writers & ~happened) != 0)) {
      needed |= writers_[read.column];
    }
  }
  for (const ColumnWrite& write : member.writes) {
    needed |= writers_[write.column];
    const std::uint32_t cell = row[Layout::first_column + write.column];
    if (cell == FrontierModel::no_cell) continue;
    for (const Member* reader : readers_of_[write.column]) {
      if ((Layout::begun(row) & reader->place) != 0) continue;
      for (const ColumnRead& read : reader->reads) {
        if (read.column == write.column && m_.fits(*read.read, cell)) needed |= reader->place;
      }
    }
  }
  return needed & ~happened;
}

FrontierStep::Places FrontierStep::stubborn_set(std::span<const std::uint32_t> row) const {
  Places all = members_[goal_member_].place;
  for (Places left = all; left != 0;) {
    const auto place = static_cast<std::size_t>(std::countr_zero(left));
    left &= left - 1;
    ISOSCOPE_ENSURE(member_at_[place] != none);  // or a transaction that matters is no member
    const Places more = needed_by(members_[member_at_[place]], row) & ~all;
    all |= more;
    left |= more;
  }
  return all;
}

bool FrontierStep::is_doomed(std::span<const std::uint32_t> row) const {
  const Places happened = Layout::happened(row);
  const Places started = happened | Layout::begun(row);
  return std::ranges::any_of(members_, [&](const Member& member) {
    if (member.is_open || (started & member.place) != 0) return false;
    return std::ranges::any_of(member.reads, [&](const ColumnRead& read) {
      const std::uint32_t cell = row[Layout::first_column + read.column];
      if (read.is_list) return cell == FrontierModel::no_cell;
      return (read.writers & ~happened) == 0 && !read.later && !m_.fits(*read.read, cell);
    });
  });
}

void FrontierStep::forget_unread(std::span<std::uint32_t> row, std::uint32_t goal_number) const {
  for (std::uint32_t& cell : row.subspan(Layout::first_column)) {
    if (cell != FrontierModel::no_cell && !m_.is_needed(cell, goal_number)) {
      cell = FrontierModel::no_cell;
    }
  }
}

/// Lets those members happen in row_ that change nothing anybody will see.
void FrontierStep::happen_quietly() {
  for (bool again = true; again;) {
    again = false;
    for (const Member& member : members_) {
      const Places happened = Layout::happened(row_);
      if (((happened | Layout::begun(row_)) & member.place) != 0 || member.is_open) continue;
      if (is_visible(member, row_) || !can_begin(member, row_)) continue;
      if (!member.commit.are_met(happened, Layout::begun(row_))) continue;
      Layout::set_happened(row_, happened | member.place);
      events_.push_back(p_.begin(member.txn));
      if (!p_.rules.begin_is_commit) events_.push_back(p_.commit(member.txn));
      again = true;
    }
  }
}

void FrontierStep::commit(const Member& member) {
  for (const ColumnWrite& write : member.writes) {
    std::uint32_t& cell = row_[Layout::first_column + write.column];
    cell = m_.after(*write.write, cell);
  }
  Layout::set_happened(row_, Layout::happened(row_) | member.place);
  Layout::set_begun(row_, Layout::begun(row_) & ~member.place);
}

/// row_ is a configuration that can be; events_ happened since the path.
void FrontierStep::meet(std::uint32_t path, FrontierRows& reached) {
  forget_unread(row_, goal_number_);
  happen_quietly();
  if (is_doomed(row_)) return;
  if (!has_goal(row_)) return add_to(met_, path);
  forget_unread(row_, goal_number_ + 1);
  add_to(reached, path);
}

void FrontierStep::add_to(FrontierRows& rows, std::uint32_t path) {
  if (rows.contains(row_)) return;
  for (const std::uint32_t event : events_) path = paths_->with(path, event);
  rows.add(row_, path);
}

/// row_ is the configuration from which the member is tried.
void FrontierStep::try_member(const Member& member, std::uint32_t path, FrontierRows& reached) {
  ISOSCOPE_REQUIRE((Layout::happened(row_) & member.place) == 0);  // nothing happens twice
  const Places happened = Layout::happened(row_);
  const Places begun = Layout::begun(row_);
  if ((begun & member.place) == 0) {
    if (!can_begin(member, row_)) return;
    events_.push_back(p_.begin(member.txn));
    if (p_.rules.begin_is_commit) {
      commit(member);
    } else {
      Layout::set_begun(row_, begun | member.place);
    }
  } else {
    if (!member.commit.are_met(happened, begun)) return;
    commit(member);
    events_.push_back(p_.commit(member.txn));
  }
  meet(path, reached);
}

bool FrontierStep::run(const FrontierRows& from, FrontierPaths& paths, const Limits& limits,
                       std::uint64_t& visits, FrontierRows& reached) {
  ISOSCOPE_REQUIRE(from.width() == reached.width());
  paths_ = &paths;
  const auto start_from = [&](std::span<const std::uint32_t> row) {
    row_.assign(row.begin(), row.end());
    events_.clear();
  };
  for (std::size_t i = 0; i < from.size(); ++i) {
    start_from(from[i]);
    meet(from.path(i), reached);
  }
  std::size_t counted = 0;
  for (std::size_t i = 0; i < met_.size(); ++i) {
    const std::uint32_t path = met_.path(i);
    const Places happened = Layout::happened(met_[i]);
    for (Places left = stubborn_set(met_[i]) & ~happened; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(left));
      start_from(met_[i]);
      try_member(members_[member_at_[place]], path, reached);
    }
    const std::size_t now = met_.size() + reached.size();
    const std::uint64_t more = now - std::exchange(counted, now);
    if (more > visits) {
      visits = 0;
      return false;
    }
    visits -= more;
    if (limits.reached(static_cast<std::uint32_t>(more) + 1)) return false;
  }
  return true;
}

}  // namespace isoscope::strong
