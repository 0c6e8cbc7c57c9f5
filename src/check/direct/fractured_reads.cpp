#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

namespace {

class FracturedReads final : public ReaderScan {
 public:
  explicit FracturedReads(const Overwrites& overwrites)
      : overwrites_(overwrites),
        looked_at_(overwrites.reads().history().transaction_count() + 1, 0),
        last_(overwrites.reads().history().key_count()) {}

  void look_at(const ReaderInView& view, Collection& into) override {
    const Number reader = view.reader();
    for (const CertainRead& read : view.reads()) last_[read.key.index()] = {reader, &read};
    for (const CertainRead& seen : view.reads()) {
      if (seen.source == 0 || looked_at_[seen.source] == reader) continue;
      looked_at_[seen.source] = reader;
      if (const CertainRead* missed = older_read(reader, seen.source)) {
        into.add({Anomaly::fractured_read,
                  {Link::read_from(seen), Link::overwritten(*missed, seen.source)}});
      }
    }
  }

 private:
  struct LastRead {
    Number by = 0;
    const CertainRead* read = nullptr;
  };

  /// The read of something that `source` wrote too, newer than what was read.
  const CertainRead* older_read(Number reader, Number source) const {
    ISOSCOPE_REQUIRE(source != 0 && source != reader);
    for (const auto& written : overwrites_.reads().written_by(source)) {
      const auto [by, read] = last_[written.key.index()];
      if (by == reader && overwrites_.is_overwritten_by(*read, source)) return read;
    }
    return nullptr;
  }

  const Overwrites& overwrites_;
  std::vector<Number> looked_at_;  // by source: the last reader that it was looked at for
  std::vector<LastRead> last_;     // by key
};

}  // namespace

std::unique_ptr<ReaderScan> fractured_reads(const Overwrites& overwrites) {
  return std::make_unique<FracturedReads>(overwrites);
}

}  // namespace isoscope::direct
