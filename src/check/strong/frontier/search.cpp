#include "check/strong/frontier/search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

using Layout = FrontierLayout;

/// Paths are looked through when there are twice as many as were needed last time, and not fewer.
constexpr std::size_t few_paths = std::size_t{1} << 20;

}  // namespace

FrontierSearch::FrontierSearch(const FrontierModel& model, const Limits& limits)
    : m_(model),
      p_(model.problem()),
      limits_(&limits),
      by_earliest_(p_.size() - 1),
      stages_(p_.size(), Stage::ahead),
      under_way_at_(p_.key_count()),
      has_place_(p_.size(), 0),
      has_column_(p_.key_count(), 0),
      rows_(Layout::first_column) {
  std::iota(by_earliest_.begin(), by_earliest_.end(), Txn{1});
  std::ranges::stable_sort(by_earliest_, {}, [&](Txn t) { return m_.earliest(p_.begin(t)); });
  for (const KeyId key : p_.keys()) base_.push_back(m_.initial(key));
  layout_.places.assign(Layout::most_places, 0);
  const std::vector<std::uint32_t> nothing(Layout::first_column, 0);
  rows_.add(nothing, FrontierPaths::start);
}

TurnEnd FrontierSearch::run(std::uint64_t visits) {
  for (; next_goal_ < m_.goals().size(); ++next_goal_) {
    if (limits_->reached()) return TurnEnd::stopped;
    const std::uint32_t goal = m_.goals()[next_goal_];
    const Txn t = p_.transaction_of(goal);
    admit(m_.latest(goal));
    if (stages_[t] == Stage::over) continue;
    const std::vector<Txn> members = conflicting_with(t);
    if (!make_places(members)) return TurnEnd::gave_up;
    make_columns(members);
    FrontierRows reached(rows_.width());
    FrontierStep step(m_, layout_, base_, members, next_goal_);
    const std::uint64_t before = visits;
    const bool is_done = step.run(rows_, paths_, *limits_, visits, reached);
    visited_ += before - visits;
    if (!is_done) {
      return limits_->reached_now() ? TurnEnd::stopped : TurnEnd::not_yet;
    }
    if (reached.empty()) return TurnEnd::impossible;
    rows_ = std::move(reached);
    tidy();
    if (visits == 0) {
      ++next_goal_;
      return next_goal_ == m_.goals().size() ? TurnEnd::found : TurnEnd::not_yet;
    }
  }
  return TurnEnd::found;
}

std::vector<Txn> FrontierSearch::lost() const {
  std::vector<Txn> all;
  for (std::size_t i = 0; i < next_admitted_; ++i) {
    if (stages_[by_earliest_[i]] == Stage::under_way) all.push_back(by_earliest_[i]);
  }
  for (std::size_t goal = next_goal_; goal > 0; --goal) {
    const std::uint32_t event = m_.goals()[goal - 1];
    const Txn t = p_.transaction_of(event);
    if (event == p_.commit(t) && stages_[t] == Stage::over) all.push_back(t);
  }
  return all;
}

/// The transactions that may begin by now are under way. One that may not have committed and writes
/// nothing can as well be left out.
void FrontierSearch::admit(std::uint32_t now) {
  for (; next_admitted_ < by_earliest_.size(); ++next_admitted_) {
    const Txn t = by_earliest_[next_admitted_];
    if (m_.earliest(p_.begin(t)) > now) return;
    if (p_.open[t] != 0 && m_.writes(t).empty()) continue;
    stages_[t] = Stage::under_way;
    for (const FrontierModel::Read& read : m_.reads(t)) under_way_at_[read.key].push_back(t);
    for (const FrontierModel::Write& write : m_.writes(t)) {
      std::vector<Txn>& at = under_way_at_[write.key];
      if (at.empty() || at.back() != t) at.push_back(t);
    }
  }
}

void FrontierSearch::dismiss(Txn t) {
  ISOSCOPE_REQUIRE(stages_[t] == Stage::under_way);
  stages_[t] = Stage::over;
  for (const FrontierModel::Read& read : m_.reads(t)) std::erase(under_way_at_[read.key], t);
  for (const FrontierModel::Write& write : m_.writes(t)) std::erase(under_way_at_[write.key], t);
}

/// The transaction may not have committed, and nobody will see what it wrote.
bool FrontierSearch::is_useless(Txn t) const {
  return p_.open[t] != 0 && std::ranges::none_of(m_.writes(t), [&](const auto& write) {
           return write.is_list ||
                  (write.cell != FrontierModel::no_cell && m_.is_needed(write.cell, next_goal_));
         });
}

/// All transactions under way that have to do with the given one, those that have to do with one of
/// these, and so on.
std::vector<Txn> FrontierSearch::conflicting_with(Txn first) {
  ISOSCOPE_REQUIRE(stages_[first] == Stage::under_way);
  std::vector<Txn> found = {first};
  std::vector<std::uint8_t>& is_found = has_place_;  // 2: found
  is_found[first] |= 2;
  const auto find = [&](Txn t) {
    if (stages_[t] != Stage::under_way || (is_found[t] & 2) != 0) return;
    if ((is_found[t] & 1) == 0 && is_useless(t)) return;
    is_found[t] |= 2;
    found.push_back(t);
  };
  const auto writes = [&](Txn t, KeyId key) {
    return std::ranges::any_of(m_.writes(t), [&](const auto& w) { return w.key == key; });
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Txn t = found[i];
    for (const FrontierModel::Read& read : m_.reads(t)) {
      for (const Txn other : under_way_at_[read.key]) {
        if (writes(other, read.key)) find(other);
      }
    }
    for (const FrontierModel::Write& write : m_.writes(t)) {
      for (const Txn other : under_way_at_[write.key]) find(other);
    }
    for (const std::uint32_t event : {p_.begin(t), p_.commit(t)}) {
      for (const std::uint32_t before : m_.graph().predecessors(event)) {
        if (!p_.is_time(before)) find(p_.transaction_of(before));
      }
    }
  }
  for (const Txn t : found) is_found[t] &= 1;
  return found;
}

bool FrontierSearch::make_places(std::span<const Txn> members) {
  for (const Txn t : members) {
    if (has_place_[t] != 0) continue;
    const auto free = std::ranges::find(layout_.places, Txn{0});
    if (free == layout_.places.end()) return false;
    *free = t;
    has_place_[t] = 1;
  }
  return true;
}

void FrontierSearch::make_columns(std::span<const Txn> members) {
  const std::size_t before = layout_.columns.size();
  for (const Txn t : members) {
    for (const FrontierModel::Write& write : m_.writes(t)) {
      if (std::exchange(has_column_[write.key], 1) == 0) layout_.columns.push_back(write.key);
    }
  }
  if (layout_.columns.size() == before) return;
  ISOSCOPE_ENSURE(rows_.width() == Layout::first_column + before);
  FrontierRows wider(Layout::first_column + layout_.columns.size());
  std::vector<std::uint32_t> row;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    row.assign(rows_[i].begin(), rows_[i].end());
    for (std::size_t c = before; c < layout_.columns.size(); ++c) {
      row.push_back(base_[layout_.columns[c]]);
    }
    wider.add(row, rows_.path(i));
  }
  rows_ = std::move(wider);
}

/// Forgets transactions that have happened in all configurations, and columns on which all
/// configurations agree.
void FrontierSearch::tidy() {
  ISOSCOPE_REQUIRE(!rows_.empty());
  Layout::Places everywhere = ~Layout::Places{0};
  Layout::Places somewhere = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    everywhere &= Layout::happened(rows_[i]);
    somewhere |= Layout::happened(rows_[i]) | Layout::begun(rows_[i]);
  }
  Layout::Places forgotten = 0;
  Layout::Places useless = 0;
  for (std::size_t place = 0; place < layout_.places.size(); ++place) {
    Txn& t = layout_.places[place];
    if (t == 0) continue;
    const Layout::Places bit = Layout::Places{1} << place;
    const bool is_over = (everywhere & bit) != 0 || is_useless(t);
    if (!is_over && (somewhere & bit) != 0) continue;
    if (is_over) dismiss(t);
    if (is_over) forgotten |= bit;
    if ((everywhere & bit) == 0) useless |= bit;
    has_place_[t] = 0;
    t = 0;
  }
  std::vector<std::size_t> kept;
  std::vector<KeyId> keys;
  for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
    const std::uint32_t first = rows_[0][Layout::first_column + c];
    bool differs = false;
    for (std::size_t i = 1; i < rows_.size() && !differs; ++i) {
      differs = rows_[i][Layout::first_column + c] != first;
    }
    const KeyId key = layout_.columns[c];
    if (differs) {
      kept.push_back(c);
      keys.push_back(key);
    } else {
      base_[key] = first;
      has_column_[key] = 0;
    }
  }
  layout_.columns = std::move(keys);
  FrontierRows tidied(Layout::first_column + kept.size());
  std::vector<std::uint32_t> row(tidied.width());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    // Where a useless transaction has begun, others would have to wait for it. There is another
    // configuration in which it has not begun.
    if ((Layout::begun(rows_[i]) & useless) != 0) continue;
    Layout::set_happened(row, Layout::happened(rows_[i]) & ~forgotten);
    Layout::set_begun(row, Layout::begun(rows_[i]));
    for (std::size_t c = 0; c < kept.size(); ++c) {
      row[Layout::first_column + c] = rows_[i][Layout::first_column + kept[c]];
    }
    tidied.add(row, rows_.path(i));
  }
  ISOSCOPE_ENSURE(!tidied.empty());  // forgetting must not look like a refutation
  rows_ = std::move(tidied);
  if (paths_.size() < 2 * paths_kept_ + few_paths) return;
  paths_.keep_only(rows_.paths());
  paths_kept_ = paths_.size();
}

}  // namespace isoscope::strong
