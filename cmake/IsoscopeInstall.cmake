# cmake --install gives the programs, and the libraries as find_package(isoscope): one target per layer
# (isoscope::history, isoscope::check, ...) and isoscope::isoscope for all of them.
include(CMakePackageConfigHelpers)

add_library(isoscope_everything INTERFACE)
set_target_properties(isoscope_everything PROPERTIES EXPORT_NAME isoscope)
set(libraries isoscope_everything)
foreach(layer IN LISTS ISOSCOPE_LAYERS)
  if(TARGET isoscope_${layer} AND NOT layer STREQUAL "cli") # cli is a program, not something to build upon
    target_link_libraries(isoscope_everything INTERFACE isoscope_${layer})
    list(APPEND libraries isoscope_${layer})
  endif()
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/isoscope)
install(TARGETS isoscope isoscope-verify RUNTIME)
install(TARGETS ${libraries} EXPORT isoscopeTargets ARCHIVE)
install(DIRECTORY include/isoscope TYPE INCLUDE)
install(FILES LICENSE TYPE DOC)
install(EXPORT isoscopeTargets NAMESPACE isoscope:: DESTINATION ${package_dir})

# The libraries are static, so whoever links them needs what they were built with.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/isoscopeConfig.cmake
"include(CMakeFindDependencyMacro)
find_dependency(zstd)
find_dependency(ZLIB)
find_dependency(LibLZMA)
find_dependency(BZip2)
include(\${CMAKE_CURRENT_LIST_DIR}/isoscopeTargets.cmake)
")
write_basic_package_version_file(isoscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/isoscopeConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/isoscopeConfigVersion.cmake DESTINATION ${package_dir})
