#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

namespace {

// How many readers ahead to prefetch. Half or twice as many took as long.
constexpr Number places_ahead = 16;
constexpr Number sources_ahead = 8;
constexpr Number newer_ahead = 8;
constexpr Number reads_of_newer_ahead = 4;

/// The readers that are looked at next, each in view already, so that what their scans will ask for
/// is on its way.
class ViewsAhead {
 public:
  explicit ViewsAhead(const Overwrites& overwrites)
      : overwrites_(overwrites),
        last_(static_cast<Number>(overwrites.reads().history().transaction_count())),
        views_(newer_ahead, ReaderInView(overwrites)) {
    for (Number reader = 1; reader < newer_ahead; ++reader) fill(reader);
    for (Number reader = 1; reader < reads_of_newer_ahead; ++reader) prefetch_newer(reader);
  }

  const ReaderInView& at(Number reader) {
    ISOSCOPE_REQUIRE(reader >= 1 && reader <= last_);
    fill(reader + newer_ahead - 1);
    prefetch_newer(reader + reads_of_newer_ahead - 1);
    ISOSCOPE_ENSURE(views_[reader % newer_ahead].reader() == reader);  // not one that was left
    return views_[reader % newer_ahead];
  }

 private:
  void fill(Number reader) {
    const CertainReads& reads = overwrites_.reads();
    if (reader + places_ahead <= last_) {
      reads.prefetch_places(reader + places_ahead);
      overwrites_.prefetch_next(reader + places_ahead);
    }
    if (reader + sources_ahead <= last_) reads.prefetch_sources(reader + sources_ahead);
    if (reader > last_) return;
    ReaderInView& view = views_[reader % newer_ahead];
    view.look_at(reader);
    for (const CertainRead& read : view.reads()) overwrites_.order().prefetch_place(read.source);
    for (const Number other : view.newer()) {
      reads.prefetch_place(other);
      overwrites_.order().prefetch_place(other);
    }
  }
  void prefetch_newer(Number reader) const {
    if (reader > last_) return;
    for (const Number other : views_[reader % newer_ahead].newer()) {
      overwrites_.reads().prefetch_reads(other);
    }
  }

  const Overwrites& overwrites_;
  Number last_;
  std::vector<ReaderInView> views_;  // by reader, modulo their number
};

}  // namespace

void scan_readers(const Overwrites& overwrites, std::span<const std::unique_ptr<ReaderScan>> scans,
                  Collection& into) {
  ViewsAhead ahead(overwrites);
  for (Number reader = 1; reader <= overwrites.reads().history().transaction_count(); ++reader) {
    if (into.should_stop()) return;
    const ReaderInView& view = ahead.at(reader);
    if (view.reads().empty()) continue;
    for (const auto& scan : scans) scan->look_at(view, into);
  }
}

}  // namespace isoscope::direct
