#include "isoscope/certificate/verdict.h"

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

ReadFindings ReadFindings::forbidden_by(Level level) {
  ReadFindings kinds;
  for (const ReadFinding kind : forbidden_findings(level)) kinds.add(kind);
  return kinds;
}

}  // namespace isoscope
