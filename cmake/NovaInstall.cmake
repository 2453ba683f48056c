# `cmake --install`: the tools, the compiler library, and for other projects headers, static libraries and a package for
# find_package(Nova). The prefix may be moved: libraries are found by $ORIGIN, and the package names nothing absolute of it.
include_guard()
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Nova)

# nova_install_rooms(SET FOLDERS room... TARGETS target...): an export set, and the headers of its rooms.
function(nova_install_rooms set)
  cmake_parse_arguments(ARG "" "" "FOLDERS;TARGETS" ${ARGN})
  install(TARGETS ${ARG_TARGETS} EXPORT ${set}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${set} NAMESPACE Nova:: DESTINATION ${package})
  foreach(folder ${ARG_FOLDERS})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/Nova/${folder} ${PROJECT_BINARY_DIR}/include/Nova/${folder}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/Nova FILES_MATCHING PATTERN *.h PATTERN *.inc PATTERN *.td
      PATTERN CMakeFiles EXCLUDE)
  endforeach()
endfunction()

nova_install_rooms(NovaRuntimeTargets
  FOLDERS Support Emulator Runtime Training
  TARGETS NovaSupport NovaEmulator NovaBundle NovaRuntime NovaTraining)
if(NOVA_ENABLE_COMPILER)
  nova_install_rooms(NovaCompilerTargets
    FOLDERS Dialect Frontend Reference Transforms Conversion Target Pipelines Compiler
    TARGETS NovaDialect NovaFrontend NovaReference NovaTransforms NovaConversion NovaTarget NovaPipelines NovaCompile
      NovaCompiler)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/NovaConfig.cmake.in ${PROJECT_BINARY_DIR}/NovaConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/NovaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/NovaConfig.cmake ${PROJECT_BINARY_DIR}/NovaConfigVersion.cmake
  DESTINATION ${package})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
