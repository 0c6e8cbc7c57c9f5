#include "isoscope/certificate/verdict.h"

namespace isoscope {

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::holds: return "holds";
    case Answer::violated: return "violated";
    case Answer::unknown: return "unknown";
  }
  return "";
}

ReadFindings ReadFindings::forbidden_by(Level level) {
  ReadFindings kinds;
  for (const ReadFinding kind :
       {ReadFinding::internal_inconsistency, ReadFinding::aborted_read, ReadFinding::intermediate_read,
        ReadFinding::future_read, ReadFinding::thin_air_read, ReadFinding::non_repeatable_read}) {
    if (forbids(level, kind)) kinds.add(kind);
  }
  return kinds;
}

}  // namespace isoscope
