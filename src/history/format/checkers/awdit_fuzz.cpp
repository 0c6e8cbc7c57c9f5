#include "history/format/shared/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  isoscope::format::require_history_or_complaint(isoscope::Format::awdit, data, size);
  return 0;
}
