#include "isoscope/base/result.h"

namespace isoscope {

std::string Error::text() const {
  if (source.empty()) return what;
  if (position.line != 0) {
    return source + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) +
           ": " + what;
  }
  return source + ": byte " + std::to_string(position.byte) + ": " + what;
}

}  // namespace isoscope
