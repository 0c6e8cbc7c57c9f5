#include "isoscope/certificate/verdict.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::holds:
      return "holds";
    case Answer::violated:
      return "violated";
    case Answer::unknown:
      return "unknown";
  }
  return "";
}

Result<Certificate> certificate_of(const Verdict& verdict, const History& history) {
  if (verdict.answer == Answer::violated && !verdict.assumed.empty()) {
    return Error{"a violation that rests on an assumption (" + names_of(verdict.assumed) +
                 ") has none (docs/assumptions.md)"};
  }
  if (!verdict.certificate || !settles(*verdict.certificate, verdict.level, history)) {
    return Error{verdict.answer == Answer::unknown
                     ? "an unknown verdict has none"
                     : "there are none yet for such a history (docs/certificates.md)"};
  }
  ISOSCOPE_REQUIRE(verdict.answer != Answer::unknown);
  ISOSCOPE_REQUIRE(verdict.certificate->holds == (verdict.answer == Answer::holds));
  Certificate certificate = *verdict.certificate;
  // The verifier would refuse what follows, and say so of an answer that is right.
  ISOSCOPE_REQUIRE(certificate.holds || !certificate.steps.empty());
  ISOSCOPE_REQUIRE(std::ranges::is_sorted(certificate.committed));
  const OrderEvents events = events_of(certificate.level);
  ISOSCOPE_REQUIRE(events != OrderEvents::none || certificate.order.empty());
  ISOSCOPE_REQUIRE(events != OrderEvents::none || certificate.sources.empty());
  certificate.history_digest = digest(history);
  return certificate;
}

Verdict strictly(Verdict verdict) {
  if (verdict.answer != Answer::holds) return verdict;
  if (std::ranges::none_of(verdict.remarks, is_gap, &Remark::kind)) return verdict;
  verdict.answer = Answer::unknown;
  verdict.reason = std::string(reason_of_gap);
  verdict.certificate.reset();
  return verdict;
}

ReadFindings ReadFindings::forbidden_by(Level level) {
  ReadFindings kinds;
  for (const ReadFinding kind : forbidden_findings(level)) kinds.add(kind);
  return kinds;
}

}  // namespace isoscope
