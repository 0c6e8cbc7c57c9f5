#include "history/format/checkers/cobra_log.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "history/format/checkers/hex_text.h"

namespace isoscope::format {

namespace {

/// The record's size with its letter; 0 for what is none.
std::size_t size_of_record(char kind) {
  switch (kind) {
    case 'S':
    case 'C':
    case 'A':
      return 9;
    case 'W':
      return 25;
    case 'R':
      return 33;
    default:
      return 0;
  }
}

std::uint64_t u64_at(const char* bytes) {
  std::uint64_t number;
  std::memcpy(&number, bytes, sizeof number);
  return big_endian(number);
}

}  // namespace

bool next_record(ByteReader& input, CobraRecord& record) {
  record.byte = input.offset();
  record.kind = static_cast<char>(input.peek());
  const std::size_t size = size_of_record(record.kind);
  if (size == 0) return false;
  const std::string_view bytes = input.window(size);
  if (bytes.size() < size) return false;
  const char* numbers = bytes.data() + 1;
  if (record.kind != 'W') {
    record.transaction = u64_at(numbers);
    numbers += 8;
  }
  if (record.is_operation()) {
    record.write = u64_at(numbers);
    record.key = u64_at(numbers + 8);
    record.value = u64_at(numbers + 16);
  }
  input.skip(size);
  return true;
}

Status end_of_cobra_log(ByteReader& input) {
  if (input.at_end()) return input.stream_status();
  const std::uint64_t byte = input.offset();
  const std::size_t size = size_of_record(static_cast<char>(input.peek()));
  if (size == 0) {
    return input.error_at_byte(
        byte, "expected a record: S, C, A, W or R, found byte " + std::to_string(input.peek()));
  }
  return input.error_at_byte(byte, "expected a record of " + std::to_string(size) +
                                       " bytes, found the end of the file after " +
                                       std::to_string(input.window(size).size()));
}

bool looks_like_cobra_log(std::string_view bytes) {
  if (!bytes.starts_with('S') || bytes.size() < size_of_record('S')) return false;
  while (!bytes.empty()) {
    const std::size_t size = size_of_record(bytes[0]);
    if (size == 0) return false;
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
  return true;
}

}  // namespace isoscope::format
