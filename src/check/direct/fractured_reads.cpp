#include "check/direct/scans.h"

namespace isoscope::direct {

namespace {

/// The read of something that `source` wrote too, newer than what was read. Looked for among the
/// reads or among the writes, whichever are fewer.
const CertainRead* older_read(const Overwrites& overwrites, Number reader, Number source) {
  const CertainReads& reads = overwrites.reads();
  const auto its_reads = reads.of(reader);
  const auto keys = reads.written_by(source);
  if (its_reads.size() <= keys.size()) {
    for (const CertainRead& read : its_reads) {
      if (overwrites.is_overwritten_by(read, source)) return &read;
    }
    return nullptr;
  }
  for (const KeyId key : keys) {
    const CertainRead* read = reads.find(reader, key);
    if (read != nullptr && overwrites.is_overwritten_by(*read, source)) return read;
  }
  return nullptr;
}

}  // namespace

void find_fractured_reads(const Overwrites& overwrites, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  std::vector<Number> looked_at(reads.history().transaction_count() + 1, 0);  // by source: reader
  for (Number reader = 1; reader < looked_at.size() && !into.should_stop(); ++reader) {
    for (const CertainRead& seen : reads.of(reader)) {
      if (seen.source == 0 || looked_at[seen.source] == reader) continue;
      looked_at[seen.source] = reader;
      if (const CertainRead* missed = older_read(overwrites, reader, seen.source)) {
        into.add({Anomaly::fractured_read,
                  {Link::read_from(seen), Link::overwritten(*missed, seen.source)}});
      }
    }
  }
}

}  // namespace isoscope::direct
