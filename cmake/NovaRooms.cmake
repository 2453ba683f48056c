# One CMake library per room. `nova_add_runtime_room` makes a room that uses no LLVM, `nova_add_compiler_room` one that
# does; what a room may use is in docs/Architecture.md and is held by test/architecture.
include_guard()

function(nova_add_runtime_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(Nova::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_USES})
endfunction()

# Options of code that talks to LLVM, on a target that is no room (tools, generated tables).
function(nova_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions)
endfunction()

function(nova_add_compiler_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(Nova::${name} ALIAS ${name})
  nova_use_mlir(${name})
  add_dependencies(${name} NovaTablegen)
  target_link_libraries(${name} PUBLIC ${ARG_USES})
  if(TARGET NovaPch)
    target_precompile_headers(${name} REUSE_FROM NovaPch)
  endif()
endfunction()
