# How every target of the project is compiled, and how the libraries depend on each other.
# src/layers.txt is the only place that says who may use whom: the link lines are read from it here,
# and tools/check-layers reads it for the includes.

add_library(isoscope_flags INTERFACE)
target_compile_options(isoscope_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Werror
  # Where files are compiled together, a local name may well be that of something in another file.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps in plain string concatenation (its bug 105651).
  target_compile_options(isoscope_flags INTERFACE -Wno-restrict)
endif()
if(ISOSCOPE_SANITIZE)
  target_compile_options(isoscope_flags INTERFACE
    -fsanitize=${ISOSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(isoscope_flags INTERFACE -fsanitize=${ISOSCOPE_SANITIZE})
endif()

# Half of the time a small file takes to compile is the standard library's headers, so they are parsed once. Every file
# still includes what it uses: the other presets go without this. (So should who
# builds often and has a compiler cache, which cannot keep what is compiled this way.)
option(ISOSCOPE_PRECOMPILE "parse the headers of the standard library once" ON)
set(ISOSCOPE_STANDARD_HEADERS <algorithm> <array> <bit> <charconv> <cstdint> <functional> <map> <memory> <optional> <set>
  <span> <string> <string_view> <tuple> <unordered_map> <unordered_set> <utility> <vector>)
# isoscope_precompile(TARGET FIRST [header...]): TARGET shares the headers that FIRST, a target compiled alike, parses.
function(isoscope_precompile target first)
  if(NOT ISOSCOPE_PRECOMPILE)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # From a precompiled header g++ 12 reports what it otherwise knows to be noise of the standard library.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${ISOSCOPE_STANDARD_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/layers.txt)
file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt layer_lines REGEX "^[a-z]+:")
foreach(line IN LISTS layer_lines)
  string(REGEX MATCH "^([a-z]+):(.*)$" _ "${line}")
  set(layer ${CMAKE_MATCH_1})
  list(APPEND ISOSCOPE_LAYERS ${layer})
  separate_arguments(ISOSCOPE_LAYER_${layer} UNIX_COMMAND "${CMAKE_MATCH_2}")
endforeach()

# isoscope_library(NAME [PRIVATE_LINKS lib...] [HOT regex...]): the library of src/NAME with its public headers in
# include/isoscope/NAME. Files whose path in that folder begins with one of HOT are never compiled with others. Its fuzz targets (*_fuzz.cpp) stand beside the code they try, and are built apart.
function(isoscope_library name)
  cmake_parse_arguments(arg "" "" "PRIVATE_LINKS;HOT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(isoscope_${name} STATIC ${sources})
  add_library(isoscope::${name} ALIAS isoscope_${name})
  set_target_properties(isoscope_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(isoscope_${name} PUBLIC cxx_std_20)
  target_include_directories(isoscope_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(isoscope_${name} PRIVATE $<BUILD_INTERFACE:isoscope_flags> ${arg_PRIVATE_LINKS})
  foreach(layer IN LISTS ISOSCOPE_LAYER_${name})
    target_link_libraries(isoscope_${name} PUBLIC isoscope_${layer})
  endforeach()
  isoscope_precompile(isoscope_${name} isoscope_base ${ISOSCOPE_COMMON_HEADERS})
  # g++ inlines less in large units: with all files in units, a check of 100,000 transactions took 3% more instructions. So
  # what checks and searches spend their time in is compiled file by file.
  if(arg_HOT)
    list(JOIN arg_HOT "|" hot)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/(${hot})")
  endif()
  isoscope_compile_together(isoscope_${name} ${sources})
endfunction()

# isoscope_embed_texts(NAME FOLDER ENDING HEADER TYPE FUNCTION): the texts FOLDER/**/*.ENDING become part of the library
# NAME, so that a program needs no files to know them. Its HEADER declares std::vector<TYPE> FUNCTION().
function(isoscope_embed_texts name folder ending header type function)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(GLOB_RECURSE files RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.${ending})
  list(TRANSFORM files REPLACE "\\.${ending}$" "" OUTPUT_VARIABLE names)
  list(JOIN names "|" names) # in the command, so that it runs again when a file comes or goes
  list(TRANSFORM files PREPEND ${folder}/)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DENDING=${ending} -DNAMES=${names} -DHEADER=${header}
      -DNAMESPACE=isoscope::${name} -DTYPE=${type} -DFUNCTION=${function} -DOUTPUT=${output} -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  target_sources(isoscope_${name} PRIVATE ${output})
endfunction()
