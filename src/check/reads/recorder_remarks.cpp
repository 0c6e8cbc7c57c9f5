#include "check/reads/recorder_remarks.h"

#include <algorithm>

#include "isoscope/history/recorder_slips.h"

namespace isoscope {

namespace {

bool explains(const History& history, const RecorderSlip& slip, const BadRead& bad) {
  if (slip.kind != RecorderSlip::Kind::unknown_column)
    return std::ranges::binary_search(slip.keys, bad.key.value, {}, &KeyId::value);
  return history.operations(bad.read.transaction)[bad.read.operation].is_predicate();
}

}  // namespace

std::vector<Remark> recorder_remarks(const History& history, std::span<const BadRead> findings) {
  std::vector<Remark> remarks;
  for (RecorderSlip& slip : recorder_slips(history)) {
    const bool matters = findings.empty() || std::ranges::any_of(findings, [&](const BadRead& bad) {
                           return explains(history, slip, bad);
                         });
    if (matters) remarks.push_back({Remark::Kind::recorder_slip, std::move(slip.text)});
  }
  return remarks;
}

}  // namespace isoscope
