#include <cstdlib>
#include <string>

#include "history/format/format_table.h"

/// What reads must be a history that the native format can hold; what does not is one line of
/// complaint.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isoscope;
  const Source source =
      Source::from_memory("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  const Result<History> history = format::read_viper(source, ReadOptions{});
  if (!history) {
    if (history.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  StringSink text;
  if (!format::write_native(*history, text)) std::abort();
  const Source written = Source::from_memory("written", text.text());
  if (!format::read_native(written, ReadOptions{})) std::abort();
  return 0;
}
