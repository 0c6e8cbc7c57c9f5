#pragma once

#include <string>

#include "isoscope/certificate/bad_read.h"

namespace isoscope::report {

/// "aborted read"; where a predicate did it "aborted predicate read".
std::string bad_read_name(const History& history, const BadRead& bad);
/// What is wrong with the read, in one sentence: "T4 read y = 3, but only T2 wrote that, and T2
/// aborted."
std::string bad_read_sentence(const History& history, const BadRead& bad);

/// The operations the sentence is about, one line each, indented by `indent` spaces.
std::string bad_read_operations(const History& history, const BadRead& bad, std::size_t indent);

}  // namespace isoscope::report
