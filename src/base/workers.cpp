#include "isoscope/base/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace isoscope {

Workers::Workers(unsigned threads)
    : threads_(threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {}

void Workers::run(std::size_t parts, const std::function<void(std::size_t)>& part) const {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < parts; i = next++) part(i);
    } catch (...) {
      next = parts;
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min<std::size_t>(threads_, parts); ++i) {
      others.emplace_back(work);
    }
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace isoscope
