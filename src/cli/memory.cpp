#include "cli/memory.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "isoscope/base/limits.h"

namespace {

/// The limit of the process. It is global because operator new is.
std::atomic<std::size_t> memory_limit = std::numeric_limits<std::size_t>::max();

}  // namespace

namespace isoscope::cli {

void limit_memory(std::size_t bytes) { memory_limit = bytes; }

}  // namespace isoscope::cli

// Sanitizers have an allocator of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// No huge pages are used. Since what is needed soon is asked for early, a check of a million
// transactions gains only a twentieth of its processor time by them. On virtual machines that give
// freed memory back to their host they cost more than that: to get a gigabyte of huge pages anew
// took 0.5 to 3 s, a gigabyte of small pages 0.65 s.

namespace {

/// From here on it is worth the time to ask how much memory the process has.
constexpr std::size_t noticeable = std::size_t{1} << 20;

bool is_within_limit(std::size_t size) {
  const std::size_t limit = memory_limit.load(std::memory_order_relaxed);
  return limit == std::numeric_limits<std::size_t>::max() ||
         isoscope::resident_memory() + size <= limit;
}

void* allocate(std::size_t size) {
  if (size >= noticeable && !is_within_limit(size)) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
