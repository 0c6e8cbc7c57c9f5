#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

/// Several transactions may have read one version and written the key, but only one of them can
/// have overwritten it. Each further one is a lost update, which is told of it and the one before.
void find_lost_updates(const Overwrites& overwrites, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  for (std::uint32_t version = 0; version < reads.version_count(); ++version) {
    const CertainRead* before = nullptr;
    const auto updates = reads.updates_of(version);
    if (updates.size() < 2) continue;
    for (const CertainReads::Update& update : updates) {
      const CertainRead& read = reads.read(update.read);
      ISOSCOPE_ENSURE(read.is_update && read.reader == update.reader);
      if (into.should_stop()) return;
      if (read.after_own) continue;
      // A list may show more than that.
      if (before != nullptr && overwrites.is_overwritten_by(*before, read.reader) &&
          overwrites.is_overwritten_by(read, before->reader)) {
        into.add(
            {Anomaly::lost_update,
             {Link::overwritten(*before, read.reader), Link::overwritten(read, before->reader)}});
      }
      before = &read;
    }
  }
}

}  // namespace isoscope::direct
