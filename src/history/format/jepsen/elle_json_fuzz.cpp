#include <cstdlib>
#include <string>

#include "history/format/jepsen/formats.h"

/// What reads is written as EDN, and that reads as the same history, down to its native text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const auto native = [](const History& history) {
    const Result<std::string> text = format_history(history, Format::native);
    if (!text) std::abort();
    return *text;
  };
  const std::string input(reinterpret_cast<const char*>(data), size);
  const Result<History> first =
      format::read_elle_json(Source::from_memory("fuzz", input), ReadOptions{});
  if (!first) return 0;
  StringSink text;
  if (!format::write_edn(*first, text)) std::abort();
  const Result<History> second =
      format::read_edn(Source::from_memory("again", text.text()), ReadOptions{});
  if (!second || native(*first) != native(*second)) std::abort();
  return 0;
}
