#include "check/reads/recorder_remarks.h"
#include "isoscope/base/contract.h"
#include "isoscope/check/first_pass.h"

namespace isoscope {

std::string_view name_of(UndecidedRead::Why why) {
  switch (why) {
    case UndecidedRead::Why::unreported_write:
      return "it may have seen a write that was not reported";
    case UndecidedRead::Why::appended_and_written:
      return "its key is both appended to and written";
    case UndecidedRead::Why::repeated_appends:
      return "elements of its list were appended more than once, in too many combinations";
  }
  return "";
}

std::string text_of(const History& history, const UndecidedRead& undecided) {
  ISOSCOPE_REQUIRE(undecided.read.operation <
                   history.operations(undecided.read.transaction).size());
  return history.label(undecided.read.transaction) + "'s operation " +
         std::to_string(undecided.read.operation + 1) +
         " is undecided: " + std::string(name_of(undecided.why));
}

std::vector<Remark> remarks_about(const History& history, const FirstPassResult& result) {
  std::vector<Remark> remarks = remarks_about(coverage_of(history), Level{LevelId::valid_reads},
                                              history.indeterminate_cuts(), false);
  for (const UndecidedRead& undecided : result.undecided) {
    remarks.push_back({Remark::Kind::reads_undecided, text_of(history, undecided) + "."});
  }
  if (result.findings.empty()) return remarks;
  for (Remark& remark : recorder_remarks(history, result.findings))
    remarks.push_back(std::move(remark));
  return remarks;
}

}  // namespace isoscope
