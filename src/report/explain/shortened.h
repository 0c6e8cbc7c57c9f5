#pragma once

#include <string>

namespace isoscope::report {

/// A list of nine hundred elements tells nobody anything: only the beginning and the end of a long
/// text are kept.
std::string shortened(std::string text);

}  // namespace isoscope::report
