#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope {

/// Things in groups that are numbered from 0 on, one group after the other in one piece of memory.
///
///   (1,a) (0,b) (1,c) in 3 groups        0: b    1: a c    2: nothing
///
/// Within a group they stand in the order in which they were given. Cost: 4 bytes for each group
/// and the members; made in linear time, by counting first.
template <class Member = std::uint32_t>
class Groups {
 public:
  Groups() = default;
  /// `for_each(visit)` calls visit(group, member) for each member. It is called twice, and must
  /// give the same members in the same order.
  template <class ForEach>
  Groups(std::size_t count, const ForEach& for_each) {
    // While groups are filled the entry behind a group's is where its next member goes.
    starts_.assign(count + 2, 0);
    for_each([&](std::size_t group, const Member&) {
      ISOSCOPE_REQUIRE(group < count);
      ++starts_[group + 2];
    });
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    members_.resize(starts_.back());
    for_each(
        [&](std::size_t group, const Member& member) { members_[starts_[group + 1]++] = member; });
    starts_.pop_back();
  }

  std::size_t count() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::size_t member_count() const { return members_.size(); }
  std::span<const Member> of(std::size_t group) const {
    ISOSCOPE_REQUIRE(group + 1 < starts_.size());
    return {members_.data() + starts_[group], members_.data() + starts_[group + 1]};
  }
  std::span<const Member> all() const { return members_; }

  /// Hints that of(group) will be asked soon: first for where its members stand, some time later
  /// for these.
  void prefetch_place(std::size_t group) const { prefetch(&starts_[group]); }
  void prefetch_members(std::size_t group) const { prefetch(members_.data() + starts_[group]); }

 private:
  std::vector<std::uint32_t> starts_;  // by group, and one past the last
  std::vector<Member> members_;
};

}  // namespace isoscope
