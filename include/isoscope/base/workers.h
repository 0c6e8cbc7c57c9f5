#pragma once

#include <cstddef>
#include <functional>

namespace isoscope {

/// Does the parts of a job on several threads.
///
/// What the parts are must not depend on the number of threads, and no part may write what another
/// one reads or writes; then the result is the same for any number. Example:
///
///     workers.run(sums.size(), [&](std::size_t part) { sums[part] = sum_of(part); });
class Workers {
 public:
  /// At least one; 0 means as many as there are processors.
  explicit Workers(unsigned threads = 1);

  unsigned threads() const { return threads_; }
  /// Calls part(0) to part(parts - 1), each once, in any order, and returns when all are done. If
  /// one throws, those not begun are left out and the exception comes out here.
  void run(std::size_t parts, const std::function<void(std::size_t)>& part) const;

 private:
  unsigned threads_;
};

}  // namespace isoscope
