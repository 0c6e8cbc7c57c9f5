#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isoscope {

/// How much each variable took part in recent conflicts, and a heap of those that wait for a
/// decision, the most active on top (ties: the lowest variable).
///
/// Activities are as in Eén and Sörensson, An extensible SAT solver, 2003: rather than let all
/// decay, let the next bump weigh more. They are doubles that are only added to each other or
/// scaled, never both in one expression, so a compiler cannot fuse operations and every machine
/// gets the same.
class ActivityHeap {
 public:
  void add_variable();

  double activity(std::uint32_t variable) const { return activity_[variable]; }
  void bump(std::uint32_t variable);
  /// Called once per conflict.
  void decay();

  /// Whether `a` is to be decided before `b`.
  bool before(std::uint32_t a, std::uint32_t b) const {
    return activity_[a] > activity_[b] || (activity_[a] == activity_[b] && a < b);
  }

  bool empty() const { return heap_.empty(); }
  std::uint32_t top() const { return heap_.front(); }
  void pop();
  /// Nothing happens if it is in already.
  void insert(std::uint32_t variable);

 private:
  void rescale();
  void sift_up(std::size_t index);
  void sift_down(std::size_t index);
  void put(std::size_t index, std::uint32_t variable);

  std::vector<double> activity_;
  std::vector<std::uint32_t> place_;  ///< 1 + index in heap_, or 0
  std::vector<std::uint32_t> heap_;
  double bump_ = 1;
};

}  // namespace isoscope
