#pragma once

#include <cstdint>
#include <string_view>

#include "isoscope/base/byte_reader.h"

namespace isoscope::format {

/// A record of a log of Cobra's (docs/formats/cobra.md). Numbers that its kind does not have may be
/// anything.
struct CobraRecord {
  char kind = 0;                  // S, C, A, W or R
  std::uint64_t byte = 0;         // where it starts
  std::uint64_t transaction = 0;  // started, committed or aborted; for a read the writer
  std::uint64_t write = 0;
  std::uint64_t key = 0;
  std::uint64_t value = 0;

  bool is_operation() const { return kind == 'W' || kind == 'R'; }
};

/// The next record; false if there is none, and then end_of_cobra_log() tells why.
bool next_record(ByteReader& input, CobraRecord& record);
/// An Error unless the log ends here.
Status end_of_cobra_log(ByteReader& input);

/// Does the beginning of a log consist of records, the first one starting a transaction? The last
/// may be cut.
bool looks_like_cobra_log(std::string_view bytes);

}  // namespace isoscope::format
