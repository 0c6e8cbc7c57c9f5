#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

namespace {

class StaleReads final : public ReaderScan {
 public:
  explicit StaleReads(const Overwrites& overwrites) : order_(overwrites.order()) {}

  void look_at(const ReaderInView& view, Collection& into) override {
    for (std::size_t i = 0; i < view.reads().size(); ++i) {
      for (const Number other : view.newer(i)) {
        ISOSCOPE_ENSURE(other != view.reader());
        if (!order_.in_time(other, view.reader()) || order_.in_session(other, view.reader())) {
          continue;
        }
        into.add(
            {Anomaly::g_single_item_realtime,
             {Link::known_order(other, view.reader()), Link::overwritten(view.reads()[i], other)}});
        break;
      }
    }
  }

 private:
  const KnownOrder& order_;
};

}  // namespace

std::unique_ptr<ReaderScan> stale_reads(const Overwrites& overwrites) {
  return std::make_unique<StaleReads>(overwrites);
}

}  // namespace isoscope::direct
