#include <cstddef>
#include <cstdint>
#include <vector>

/// A planted bug that fuzzing must find. It reads one byte past the end, which only a sanitizer
/// notices, and only after four bytes in a row are right, which blind guessing would need four
/// billion inputs for and coverage guidance a few thousand.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> bytes(data, data + size);
  if (size >= 4 && bytes[0] == 'b' && bytes[1] == 'i' && bytes[2] == 'r' && bytes[3] == 'd') {
    const volatile std::uint8_t past_the_end = *(bytes.data() + bytes.size());
    static_cast<void>(past_the_end);
  }
  return 0;
}
