#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "history/format/shared/fuzz_reader.h"

/// The first byte says where the rest is cut into one to three logs, and how values are told apart.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  ReadOptions options;
  options.format = Format::cobra;
  options.cobra_unique_values = choice % 2 == 1;
  const std::size_t count = 1 + choice / 2 % 3;
  std::vector<Source::NamedBytes> logs;
  // Cut before a transaction starts, where there is one, so that pieces of a good log are good
  // logs.
  std::size_t start = 0;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t cut =
        i == count ? bytes.size() : bytes.find('S', std::max(start, bytes.size() * i / count));
    const std::size_t end = std::min(cut, bytes.size());
    logs.push_back(
        {"T" + std::to_string(i) + ".log", std::string(bytes.substr(start, end - start))});
    start = end;
  }
  const Result<History> history =
      read_history(Source::from_memory_folder("fuzz", std::move(logs)), options);
  format::require_history_or_complaint(history);
  if (history) format::fuzz_require(history->session_count() == count);
  return 0;
}
