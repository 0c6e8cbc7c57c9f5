#pragma once

#include <string>
#include <string_view>

namespace isoscope::format {

// Strings of a history as EDN that our reader takes for the same strings. It keeps keywords, and
// vectors as keys, as strings of their text; so a string that starts like one of them is written as
// one, if it is one:
//
//   "a"  ->  "a"      ":a"  ->  :a      "[1 :a]" (a key)  ->  [1 :a]      ": a"  ->  nothing stands
//   for it
//
// Each is false, and what was appended is of no use, when there is no such EDN.

bool append_edn_value(std::string& to, std::string_view text);
bool append_edn_key(std::string& to, std::string_view text);

}  // namespace isoscope::format
