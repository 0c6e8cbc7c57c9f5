#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

/// A planted bug that fuzzing must find. It reads one byte past the end, which only a sanitizer
/// notices, and only when the input starts with one word out of four billion, which blind guessing
/// does not hit and instrumented comparisons give away.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes(data, data + size);
  std::uint32_t word = 0;
  if (size < sizeof word) return 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  if (word == 0x64726962) {
    const volatile std::uint8_t past_the_end = *(bytes.data() + bytes.size());
    static_cast<void>(past_the_end);
  }
  return 0;
}
