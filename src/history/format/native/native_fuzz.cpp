#include <cstdlib>
#include <string>

#include "history/format/native/formats.h"

/// Whatever reads must write, and what was written must read back to the same text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const auto read = [](std::string text) {
    return format::read_native(Source::from_memory("fuzz", std::move(text)), ReadOptions{});
  };
  const Result<History> first = read(std::string(reinterpret_cast<const char*>(data), size));
  if (!first) return 0;
  StringSink text;
  if (!format::write_native(*first, text)) std::abort();
  const Result<History> second = read(text.text());
  if (!second) std::abort();
  StringSink again;
  if (!format::write_native(*second, again) || again.text() != text.text()) std::abort();
  return 0;
}
