# Writes OUTPUT, a source with the text of each of the named levels of the folder LEVELS as a raw string:
#   cmake -DLEVELS=FOLDER -DNAMES=cerone/SI|cerone/base -DOUTPUT=FILE -P embed_levels.cmake
string(REPLACE "|" ";" names "${NAMES}")
set(entries "")
foreach(name IN LISTS names)
  file(READ ${LEVELS}/${name}.level text)
  string(FIND "${text}" ")level\"" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${name}: a level text cannot contain )level\"")
  endif()
  string(APPEND entries "    {\"${name}\", R\"level(${text})level\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made from levels/ by embed_levels.cmake.
#include \"spec/shipped.h\"

namespace isoscope::spec {

std::vector<ShippedLevel> embedded_levels() {
  return {
${entries}  };
}

}  // namespace isoscope::spec
")
