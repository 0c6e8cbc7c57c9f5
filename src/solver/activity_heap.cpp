#include "solver/activity_heap.h"

#include <algorithm>

namespace isoscope {

namespace {

constexpr double growth = 1 / 0.95;
constexpr double too_much = 1e100;
constexpr double rescaling = 1e-100;

}  // namespace

void ActivityHeap::add_variable() {
  activity_.push_back(0);
  place_.push_back(0);
}

void ActivityHeap::bump(std::uint32_t variable) {
  activity_[variable] += bump_;
  if (activity_[variable] > too_much) {
    rescale();
  }
  if (place_[variable] != 0) {
    sift_up(place_[variable] - 1);
  }
}

void ActivityHeap::decay() { bump_ *= growth; }

/// Keeps the order, except that very small activities may become equal; then the heap would need
/// repair, so it is made anew.
void ActivityHeap::rescale() {
  for (double& activity : activity_) {
    activity *= rescaling;
  }
  bump_ *= rescaling;
  for (std::size_t index = heap_.size() / 2; index-- > 0;) {
    sift_down(index);
  }
}

void ActivityHeap::pop() {
  place_[heap_.front()] = 0;
  const std::uint32_t last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) {
    put(0, last);
    sift_down(0);
  }
}

void ActivityHeap::insert(std::uint32_t variable) {
  if (place_[variable] != 0) {
    return;
  }
  heap_.push_back(variable);
  put(heap_.size() - 1, variable);
  sift_up(heap_.size() - 1);
}

void ActivityHeap::put(std::size_t index, std::uint32_t variable) {
  heap_[index] = variable;
  place_[variable] = static_cast<std::uint32_t>(index) + 1;
}

void ActivityHeap::sift_up(std::size_t index) {
  const std::uint32_t variable = heap_[index];
  while (index > 0) {
    const std::size_t parent = (index - 1) / 2;
    if (!before(variable, heap_[parent])) {
      break;
    }
    put(index, heap_[parent]);
    index = parent;
  }
  put(index, variable);
}

void ActivityHeap::sift_down(std::size_t index) {
  const std::uint32_t variable = heap_[index];
  while (true) {
    std::size_t child = 2 * index + 1;
    if (child >= heap_.size()) {
      break;
    }
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) {
      ++child;
    }
    if (!before(heap_[child], variable)) {
      break;
    }
    put(index, heap_[child]);
    index = child;
  }
  put(index, variable);
}

}  // namespace isoscope
