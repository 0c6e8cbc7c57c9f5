#include "check/weak/forced_edges.h"

namespace isoscope::weak {

/// The last writer of a key in the session is enough: the earlier ones come before it.
void follow_sessions(const KnownSources& sources, ForcedEdges& into) {
  struct Last {
    std::uint32_t chain = 0;
    Txn writer = 0;
  };
  std::vector<Last> last(sources.history().key_count());
  sources.for_each_in_sessions([&](Txn t, std::uint32_t chain, bool is_leaf) {
    for (std::uint32_t i = sources.first_read(t); i < sources.first_read(t + 1); ++i) {
      const Read& read = sources.reads()[i];
      const Last& before = last[read.key.index()];
      if (before.chain != chain || read.source == before.writer) continue;
      if (read.source != open_source) into.add(before.writer, read.source, t, i);
    }
    if (is_leaf) return;
    for (const KeyId key : sources.written_by(t)) last[key.index()] = {chain, t};
  });
}

}  // namespace isoscope::weak
