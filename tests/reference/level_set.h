#pragma once

#include <cstdint>
#include <initializer_list>

#include "isoscope/level/level.h"

namespace isoscope::reference {

/// A set of levels (all with session order, or all without).
class LevelSet {
 public:
  LevelSet() = default;
  LevelSet(std::initializer_list<LevelId> levels) {
    for (const LevelId id : levels) add(id);
  }

  void add(LevelId id) { bits_ |= bit(id); }
  void remove(LevelId id) { bits_ &= ~bit(id); }
  bool has(LevelId id) const { return (bits_ & bit(id)) != 0; }
  bool empty() const { return bits_ == 0; }

  friend LevelSet operator|(LevelSet a, LevelSet b) { return LevelSet(a.bits_ | b.bits_); }
  friend LevelSet operator&(LevelSet a, LevelSet b) { return LevelSet(a.bits_ & b.bits_); }
  friend LevelSet operator-(LevelSet a, LevelSet b) { return LevelSet(a.bits_ & ~b.bits_); }
  bool operator==(const LevelSet&) const = default;

  /// Calls visit(LevelId) for each, from weak to strong.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint64_t rest = bits_; rest != 0; rest &= rest - 1) {
      visit(static_cast<LevelId>(__builtin_ctzll(rest)));
    }
  }

 private:
  explicit LevelSet(std::uint64_t bits) : bits_(bits) {}
  static std::uint64_t bit(LevelId id) { return std::uint64_t{1} << static_cast<unsigned>(id); }

  std::uint64_t bits_ = 0;
};

}  // namespace isoscope::reference
