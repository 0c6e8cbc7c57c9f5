# Several files compiled as one: the headers of the project are parsed, and templates instantiated, once for all of them.
# Every file still compiles by itself, because the other presets go without this. docs/decisions/0012-unity-builds.md has
# the figures.
#
# The headers that most files include are parsed once for all of them, like those of the standard library. A folder that is
# built often should not do so: a change of one of them compiles everything again.
set(ISOSCOPE_COMMON_HEADERS)
if(ISOSCOPE_UNITY)
  set(ISOSCOPE_COMMON_HEADERS <atomic> <chrono> <variant> <isoscope/base/groups.h> <isoscope/base/json_writer.h>
    <isoscope/certificate/verdict.h> <isoscope/check/check_options.h> <isoscope/graph/digraph.h>
    <isoscope/history/history_builder.h> <isoscope/protocol/model.h>)
endif()

# Names of an anonymous namespace are the business of one file, so two files may well use the same one; the compiler
# refuses such files in one unit. Hence the files are dealt out to units by the names that they declare, and nobody has to
# rename anything.
option(ISOSCOPE_UNITY "compile several files at once: faster from nothing, slower after a small change" OFF)
set(ISOSCOPE_UNITY_SIZE 8)

# isoscope_declared_names(FILE NAMES ALIASES): what FILE declares outside of other braces, read off its formatting: such a
# declaration begins in the first column. A file that cannot share a unit has the name ALONE. An alias is kept with what it
# stands for (NAME=...), because two files may have the same one.
function(isoscope_declared_names file names_result aliases_result)
  set(names)
  set(aliases)
  file(STRINGS ${file} lines REGEX "^[a-zA-Z#]")
  foreach(line IN LISTS lines)
    if(line MATCHES "^using (enum|namespace) |^enum [^c]|^enum {|operator (new|delete)")
      list(APPEND names ALONE)  # It would change what the names in its neighbours mean.
    elseif(line MATCHES "^using ([A-Za-z0-9_]+) =")
      string(MAKE_C_IDENTIFIER "${line}" meaning)
      list(APPEND aliases ${CMAKE_MATCH_1}=${meaning})
    elseif(line MATCHES "^#define ([A-Za-z0-9_]+)|^(class|struct|enum class|union) ([A-Za-z0-9_]+)")
      list(APPEND names ${CMAKE_MATCH_1} ${CMAKE_MATCH_3})
    elseif(line MATCHES "^(#|namespace|using|template|return|public|private|case)")
      continue()
    elseif(line MATCHES "^[^(={;]*[ &*]([A-Za-z0-9_]+)(\\[[^]]*\\])? ?[(={;]")
      list(APPEND names ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${names_result} ${names} PARENT_SCOPE)
  set(${aliases_result} ${aliases} PARENT_SCOPE)
endfunction()

# isoscope_compile_together(TARGET FILE...): deals out FILEs of TARGET to units of at most ISOSCOPE_UNITY_SIZE. A unit has
# files of one folder, because they include much the same; a file goes to the first unit that has none of its names.
function(isoscope_compile_together target)
  if(NOT ISOSCOPE_UNITY)
    return()
  endif()
  set(units)
  foreach(file IN LISTS ARGN)
    get_filename_component(folder ${file} DIRECTORY)
    isoscope_declared_names(${file} names aliases)
    if(ALONE IN_LIST names)
      continue()
    endif()
    set(chosen)
    foreach(unit IN LISTS units)
      set(fits TRUE)
      if(count_${unit} EQUAL ISOSCOPE_UNITY_SIZE OR NOT folder_${unit} STREQUAL folder)
        set(fits FALSE)
      endif()
      foreach(name IN LISTS names)
        if(name IN_LIST names_${unit})
          set(fits FALSE)
        endif()
      endforeach()
      foreach(alias IN LISTS aliases)
        string(REGEX REPLACE "=.*" "" name ${alias})
        if(name IN_LIST names_${unit} AND NOT alias IN_LIST names_${unit})
          set(fits FALSE)
        endif()
      endforeach()
      if(fits)
        set(chosen ${unit})
        break()
      endif()
    endforeach()
    if(NOT chosen)
      list(LENGTH units count)
      set(chosen unit${count})
      list(APPEND units ${chosen})
      set(folder_${chosen} ${folder})
      set(count_${chosen} 0)
      set(names_${chosen})
    endif()
    math(EXPR count_${chosen} "${count_${chosen}} + 1")
    string(REGEX REPLACE "=[^;]*" "" alias_names "${aliases}")
    list(APPEND names_${chosen} ${names} ${aliases} ${alias_names})
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${chosen})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
