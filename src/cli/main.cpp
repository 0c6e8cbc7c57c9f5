#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "cli/command.h"

// Sanitizers have an allocator of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// Large arrays on huge pages, for the whole program.
//
// A check of a million transactions jumps around in a few arrays of a hundred megabytes, and
// without this half of its time goes into looking up where their small pages are. The kernel gives
// huge pages only to who asks for them (transparent_hugepage/enabled is mostly "madvise"), and
// malloc does not. Measured on 1,000,000 transactions of 8 operations: deriving the order took 7.7
// s instead of 14 s.

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Smaller ones fit the processor's caches, and the unused rest of a page would be felt.
constexpr std::size_t large = 4 * huge_page;

void* allocate(std::size_t size) {
  if (size < large) return std::malloc(size == 0 ? 1 : size);
  void* memory = std::aligned_alloc(huge_page, (size + huge_page - 1) / huge_page * huge_page);
  // Only a hint: it works without, too.
  if (memory != nullptr) madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif

int main(int count, char** words) { return isoscope::cli::run(count, words); }
