#include "check/strong/saturation/saturation_prefetcher.h"

namespace isoscope::strong {

namespace {

// How far ahead to prefetch, in reads, places of the order or transactions. Half or twice as much
// took as long.
constexpr std::uint32_t source_of_read = 32;
constexpr std::size_t rows_of_event = 40;
constexpr std::size_t version_before = 24;
constexpr std::size_t reader_before = 16;
constexpr std::size_t second_reader_before = 8;
constexpr std::size_t clocks_before = 4;
constexpr std::size_t source = 8;
constexpr std::size_t clocks_of_source = 4;
constexpr std::size_t candidates = 8;
constexpr std::size_t clocks_of_candidates = 4;

}  // namespace

void SaturationPrefetcher::at_read(ReadId read) const {
  const ReadId r(read.index() + source_of_read);
  if (r.index() >= p_.reads.size() || p_.reads[r].has_candidate_set != 0) return;
  prefetch(&p_.versions[p_.reads[r].candidate]);
}

void SaturationPrefetcher::at_collecting(std::span<const std::uint32_t> order,
                                         const Digraph& before, std::size_t place) const {
  if (place + clocks_before >= order.size()) return;
  for (const std::uint32_t event : before.predecessors(order[place + clocks_before])) {
    clocks_.prefetch(event);
  }
}

void SaturationPrefetcher::at_event(std::span<const std::uint32_t> order, std::size_t place) const {
  if (place + rows_of_event < order.size() && !p_.is_time(order[place + rows_of_event])) {
    prefetch_rows(p_, p_.transaction_of(order[place + rows_of_event]));
  }
  for_each_write(order, place + version_before,
                 [&](const Version& version) { prefetch(&p_.versions[version.previous]); });
  for_each_write(order, place + reader_before, [&](const Version& version) {
    const Version& before = p_.versions[version.previous];
    if (before.writer != 0) {
      clocks_.prefetch_place(p_.begin(before.writer));
      clocks_.prefetch(p_.commit(before.writer));
      if (before.previous_writer != 0) clocks_.prefetch_place(p_.begin(before.previous_writer));
    }
    if (before.first_reader != none) prefetch(&p_.readers[before.first_reader]);
  });
  for_each_write(order, place + second_reader_before, [&](const Version& version) {
    const ReadId r = p_.versions[version.previous].first_reader;
    if (r == none) return;
    clocks_.prefetch_place(p_.begin(p_.readers[r].reader));
    if (p_.readers[r].next != none) prefetch(&p_.readers[p_.readers[r].next]);
  });
}

void SaturationPrefetcher::at_reads(std::span<const Txn> transactions) const {
  if (transactions.size() > source) {
    for_each_source(transactions[source], [](const Version& version) { prefetch(&version); });
  }
  if (transactions.size() > clocks_of_source) {
    for_each_source(transactions[clocks_of_source], [&](const Version& version) {
      clocks_.prefetch(p_.begin(version.writer));
      for (const Txn other : {version.previous_writer, version.next_writer}) {
        if (other != none) clocks_.prefetch_place(p_.commit(other));
      }
    });
  }
}

void SaturationPrefetcher::at_open_reads(std::span<const ReadId> reads) const {
  if (reads.size() > candidates) {
    for (const VersionId version : p_.candidates_of(p_.reads[reads[candidates]])) {
      prefetch(&p_.versions[version]);
    }
  }
  if (reads.size() > clocks_of_candidates) {
    const Read& read = p_.reads[reads[clocks_of_candidates]];
    clocks_.prefetch(p_.begin(read.reader));
    for (const VersionId version : p_.candidates_of(read)) {
      clocks_.prefetch(p_.commit(p_.versions[version].writer));
    }
  }
}

}  // namespace isoscope::strong
