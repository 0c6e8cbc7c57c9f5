# Writes OUTPUT, a source with the text of every PROTOCOLS/**/*.protocol as a raw string:
#   cmake -DPROTOCOLS=FOLDER -DOUTPUT=FILE -P embed_protocols.cmake
file(GLOB_RECURSE files RELATIVE ${PROTOCOLS} ${PROTOCOLS}/*.protocol)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  file(READ ${PROTOCOLS}/${file} text)
  string(FIND "${text}" ")protocol\"" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file}: a protocol cannot contain )protocol\"")
  endif()
  string(REGEX REPLACE "\\.protocol$" "" name "${file}")
  string(APPEND entries "    {\"${name}\", R\"protocol(${text})protocol\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made from protocols/ by embed_protocols.cmake.
#include \"protocol/language/shipped.h\"

namespace isoscope::protocol {

std::vector<ShippedModel> embedded_models() {
  return {
${entries}  };
}

}  // namespace isoscope::protocol
")
