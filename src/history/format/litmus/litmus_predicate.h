#pragma once

#include <string>

#include "history/format/litmus/litmus_lexer.h"
#include "isoscope/history/predicate.h"

namespace isoscope::format {

/// Predicates as the litmus notation writes them, in SQL's words:
///
///   v1 >= 10 and not v2 is null        mod(@value,3) = 0        name like "ab%" or @key in (1 2 3)
///
/// Each tree has one text and that text means this tree: "a and (b and c)" is not "a and b and c".
/// A conjunction or disjunction of fewer than two is written as a function: and(), and(v1 = 1);
/// or() is false.
void append_litmus_predicate(std::string& to, const Predicate& predicate);

Result<Predicate> read_litmus_predicate(LitmusLexer& lexer);

}  // namespace isoscope::format
