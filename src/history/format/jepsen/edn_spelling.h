#pragma once

#include <string>
#include <string_view>

namespace isoscope::format {

// Strings of a history as EDN that our reader takes for the same strings. The reader keeps
// keywords, and vectors that are keys, as strings of their text. So a string that starts like one
// of them is written as one, if it is one:
//
//   "a"  ->  "a"      ":a"  ->  :a      "[1 :a]" (a key)  ->  [1 :a]      ": a"  ->  no such EDN
//
// Each function returns false when there is no such EDN; what was appended is then of no use.

bool append_edn_value(std::string& to, std::string_view text);
bool append_edn_key(std::string& to, std::string_view text);

}  // namespace isoscope::format
