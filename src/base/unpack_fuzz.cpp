#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/unpack.h"

namespace {

using namespace isoscope;

class Pieces : public ByteStream {
 public:
  Pieces(std::string_view bytes, std::size_t most) : bytes_(bytes), most_(most) {}

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = bytes_.copy(into, std::min(size, most_));
    bytes_.remove_prefix(got);
    return got;
  }

 private:
  std::string_view bytes_;
  std::size_t most_;
};

/// The unpacked bytes, at most `enough` of them (a few packed bytes can stand for gigabytes), and
/// why there are no more.
std::string unpacked(std::string_view bytes, std::size_t piece, std::size_t room) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  const auto stream = unpack_if_packed(std::make_unique<Pieces>(bytes, piece));
  std::string text;
  std::string into(room, '\0');
  while (text.size() < enough) {
    const std::size_t got = stream->read(into.data(), room);
    if (got == 0) return text + "; " + stream->failure().value_or(Error{}).text();
    text.append(into, 0, got);
  }
  text.resize(enough);
  return text;
}

}  // namespace

/// Whatever pieces the data comes in, and whatever room there is for the output, the same comes
/// out.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = unpacked(bytes, std::max<std::size_t>(size, 1), 100'000);
  if (unpacked(bytes, 1, 100'000) != whole) std::abort();
  if (unpacked(bytes, 3, 4'093) != whole) std::abort();
  return 0;
}
