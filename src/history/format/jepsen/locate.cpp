#include "history/format/jepsen/locate.h"

#include <algorithm>

namespace isoscope::format {

Position locate(const Source& source, std::uint64_t offset) {
  const Position only_byte{offset, 0, 0};
  Result<ByteReader> reader = source.open_file(0);
  if (!reader) return only_byte;
  while (reader->offset() < offset) {
    const std::size_t seen = reader->window(1).size();
    if (seen == 0) return only_byte;
    reader->skip(
        static_cast<std::size_t>(std::min<std::uint64_t>(seen, offset - reader->offset())));
  }
  return reader->position();
}

Error located(const Source& source, Error error) {
  if (error.position.line == 0 && !error.source.empty()) {
    error.position = locate(source, error.position.byte);
  }
  return error;
}

}  // namespace isoscope::format
