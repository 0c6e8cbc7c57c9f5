#include <cstdlib>
#include <string>

#include "isoscope/history/format.h"

/// Any bytes are a history, which then has a native text, or a complaint of one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  ReadOptions options;
  options.format = Format::dbcop_json;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Result<History> history = read_history(Source::from_memory("fuzz", bytes), options);
  if (history) {
    if (!format_history(*history, Format::native)) std::abort();
  } else if (history.error().what.empty() ||
             history.error().text().find('\n') != std::string::npos) {
    std::abort();
  }
  return 0;
}
