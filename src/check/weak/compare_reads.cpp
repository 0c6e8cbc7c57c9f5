#include <algorithm>

#include "check/weak/forced_edges.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::weak {

namespace {

constexpr Txn ahead = 3;  // how many transactions ahead to prefetch

/// The reads of one transaction, by key.
class ReadsByKey {
 public:
  explicit ReadsByKey(std::size_t keys) : last_(keys) {}

  void set(Txn reader, std::span<const Read> reads) {
    reader_ = reader;
    next_.assign(reads.size(), none);
    for (auto i = static_cast<std::uint32_t>(reads.size()); i-- > 0;) {
      First& first = last_[reads[i].key.index()];
      if (first.by == reader) next_[i] = first.place;
      first = {reader, i};
    }
  }
  static constexpr std::uint32_t none = UINT32_MAX;
  /// The place of the first read of the key among the transaction's reads.
  std::uint32_t first(KeyId key) const {
    const First& first = last_[key.index()];
    return first.by == reader_ ? first.place : none;
  }
  /// The place of the next read of the same key.
  std::uint32_t next(std::uint32_t place) const { return next_[place]; }

 private:
  struct First {
    Txn by = 0;
    std::uint32_t place = 0;
  };
  Txn reader_ = 0;
  std::vector<First> last_;          // by key
  std::vector<std::uint32_t> next_;  // by place
};

}  // namespace

void compare_reads(const KnownSources& sources, Visible visible, ForcedEdges& into) {
  ReadsByKey by_key(sources.history().key_count());
  std::vector<Txn> looked_at(sources.size(), 0);  // by source: the last reader
  for (Txn t = 1; t < sources.size(); ++t) {
    if (t + ahead < sources.size()) {
      for (const Read& read : sources.reads_of(t + ahead)) {
        if (read.source != open_source) prefetch(sources.written_by(read.source).data());
      }
    }
    const auto reads = sources.reads_of(t);
    if (reads.size() < 2) continue;
    by_key.set(t, reads);
    for (const Read& seen : reads) {
      const Txn source = seen.source;
      if (source == 0 || source == open_source || looked_at[source] == t) continue;
      looked_at[source] = t;
      const auto compare = [&](std::uint32_t place) {
        for (; place != ReadsByKey::none; place = by_key.next(place)) {
          const Read& read = reads[place];
          const bool knows = visible == Visible::by_all_reads || seen.operation < read.operation;
          if (!knows || read.source == source || read.source == open_source) continue;
          into.add(source, read.source, t, sources.first_read(t) + place);
          // If only earlier reads count, this read makes its own source visible to the next one.
          if (visible == Visible::by_earlier_reads) return;
        }
      };
      const auto written = sources.written_by(source);
      if (written.size() <= 4 * reads.size()) {
        for (const KeyId key : written) compare(by_key.first(key));
        continue;
      }
      for (std::uint32_t place = 0; place < reads.size(); ++place) {
        const bool is_first = by_key.first(reads[place].key) == place;
        if (is_first && std::ranges::binary_search(written, reads[place].key)) compare(place);
      }
    }
  }
}

}  // namespace isoscope::weak
