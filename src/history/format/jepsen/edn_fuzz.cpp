#include <cstdlib>
#include <string>

#include "history/format/jepsen/formats.h"
#include "history/format/shared/fuzz_reader.h"

/// What reads is written as EDN again, and that reads as the same history, down to its native text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const auto read = [](std::string text) {
    return format::read_fuzzed(Format::edn, std::move(text));
  };
  const auto native = [](const History& history) {
    const Result<std::string> text = format_history(history, Format::native);
    if (!text) std::abort();
    return *text;
  };
  const Result<History> first = read(std::string(reinterpret_cast<const char*>(data), size));
  if (!first) return 0;
  StringSink text;
  if (!format::write_edn(*first, text)) std::abort();
  const Result<History> second = read(text.text());
  if (!second || native(*first) != native(*second)) std::abort();
  return 0;
}
