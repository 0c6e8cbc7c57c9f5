#include "check/direct/scans.h"

namespace isoscope::direct {

void find_fractured_reads(const Overwrites& overwrites, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  std::vector<Number> looked_at(reads.history().transaction_count() + 1, 0);  // by source: reader
  struct LastRead {
    Number by = 0;
    const CertainRead* read = nullptr;
  };
  std::vector<LastRead> last(reads.history().key_count());  // by key
  // The read of something that `source` wrote too, newer than what was read.
  const auto older_read = [&](Number reader, Number source) -> const CertainRead* {
    for (const auto& written : reads.written_by(source)) {
      const auto [by, read] = last[written.key.index()];
      if (by == reader && overwrites.is_overwritten_by(*read, source)) return read;
    }
    return nullptr;
  };
  for (Number reader = 1; reader < looked_at.size() && !into.should_stop(); ++reader) {
    for (const CertainRead& read : reads.of(reader)) last[read.key.index()] = {reader, &read};
    for (const CertainRead& seen : reads.of(reader)) {
      if (seen.source == 0 || looked_at[seen.source] == reader) continue;
      looked_at[seen.source] = reader;
      if (const CertainRead* missed = older_read(reader, seen.source)) {
        into.add({Anomaly::fractured_read,
                  {Link::read_from(seen), Link::overwritten(*missed, seen.source)}});
      }
    }
  }
}

}  // namespace isoscope::direct
