#include <algorithm>
#include <array>

#include "check/weak/forced_edges.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::weak {

namespace {

constexpr Txn ahead = 3;  // how many transactions ahead to prefetch

/// The reads of one transaction, by key.
///
/// Most keys that are asked for are none of its keys. So a small filter is asked first, and the
/// table of all keys is filled only when that is not sure.
class ReadsByKey {
 public:
  explicit ReadsByKey(std::size_t keys) : last_(keys) {}

  void set(Txn reader, std::span<const Read> reads) {
    for (const Read& read : reads_) may_have_[bit_of(read.key) / 64] = 0;
    reader_ = reader;
    reads_ = reads;
    is_filled_ = false;
    for (const Read& read : reads) {
      may_have_[bit_of(read.key) / 64] |= std::uint64_t{1} << bit_of(read.key) % 64;
    }
  }
  static constexpr std::uint32_t none = UINT32_MAX;
  /// The place of the first read of the key among the transaction's reads.
  std::uint32_t first(KeyId key) {
    if ((may_have_[bit_of(key) / 64] >> bit_of(key) % 64 & 1) == 0) return none;
    if (!is_filled_) fill();
    const First& first = last_[key.index()];
    return first.by == reader_ ? first.place : none;
  }
  /// The place of the next read of the same key. To be asked after first().
  std::uint32_t next(std::uint32_t place) const {
    ISOSCOPE_REQUIRE(is_filled_ && place < next_.size());
    return next_[place];
  }

 private:
  static constexpr std::size_t bits = 16'384;
  /// Keys are numbered as they come, so that the last bits of their numbers differ.
  static std::size_t bit_of(KeyId key) { return key.index() % bits; }

  void fill() {
    is_filled_ = true;
    next_.assign(reads_.size(), none);
    for (auto i = static_cast<std::uint32_t>(reads_.size()); i-- > 0;) {
      First& first = last_[reads_[i].key.index()];
      if (first.by == reader_) next_[i] = first.place;
      first = {reader_, i};
    }
  }

  struct First {
    Txn by = 0;
    std::uint32_t place = 0;
  };
  Txn reader_ = 0;
  std::span<const Read> reads_;
  bool is_filled_ = false;
  std::array<std::uint64_t, bits / 64> may_have_{};
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
        if (read.source == open_source) continue;
        const auto written = sources.written_by(read.source);
        prefetch(written.data());
        prefetch(written.data() + written.size());
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
          const bool knows = visible == Visible::by_all_reads || sources.is_earlier(seen, read);
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
