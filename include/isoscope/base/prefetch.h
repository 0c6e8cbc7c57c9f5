#pragma once

namespace isoscope {

/// Asks for what stands at the address, which need not be valid, so that it is in the processor's
/// caches when it is needed some hundred instructions later. Nothing changes but the time.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // Without this the compiler (GCC 12) takes a function that only prefetches for one that does
  // nothing, and leaves out the call.
  __asm__ volatile("");
}

/// The same for what will be written.
inline void prefetch_to_write(const void* address) {
  __builtin_prefetch(address, 1);
  __asm__ volatile("");
}

}  // namespace isoscope
