#include "history/format/shared/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  isoscope::format::require_round_trip(isoscope::Format::dbcop_bincode, data, size);
  return 0;
}
