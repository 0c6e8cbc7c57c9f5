#include <cstdlib>
#include <string>

#include "history/format/litmus/formats.h"

/// Whatever reads must print, and what was printed must read back and print the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const auto read = [](std::string text) {
    const Source source = Source::from_memory("fuzz", std::move(text));
    return format::read_litmus(source, ReadOptions{});
  };
  const Result<History> first = read(std::string(reinterpret_cast<const char*>(data), size));
  if (!first) {
    if (first.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  StringSink text;
  if (!format::write_litmus(*first, text)) std::abort();
  const Result<History> second = read(text.text());
  if (!second) std::abort();
  StringSink again;
  if (!format::write_litmus(*second, again) || again.text() != text.text()) std::abort();
  return 0;
}
