# Writes OUTPUT, a source with a function that returns the texts of the named files of a folder, as raw strings:
#   cmake -DFOLDER=levels -DENDING=level -DNAMES=cerone/SI|cerone/base -DHEADER=spec/shipped.h
#     -DNAMESPACE=isoscope::spec -DTYPE=ShippedLevel -DFUNCTION=embedded_levels -DOUTPUT=FILE -P embed_texts.cmake
string(REPLACE "|" ";" names "${NAMES}")
set(entries "")
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name}.${ENDING} text)
  string(FIND "${text}" ")${ENDING}\"" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${name}.${ENDING}: the text cannot contain )${ENDING}\"")
  endif()
  string(APPEND entries "    {\"${name}\", R\"${ENDING}(${text})${ENDING}\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made from ${ENDING} files by embed_texts.cmake.
#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::vector<${TYPE}> ${FUNCTION}() {
  return {
${entries}  };
}

}  // namespace ${NAMESPACE}
")
