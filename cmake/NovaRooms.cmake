# One CMake library per room. `nova_add_runtime_room` makes a room that uses no LLVM, `nova_add_compiler_room` one that
# does; what a room may use is in docs/Architecture.md and is held by test/architecture.
include_guard()

function(nova_use_headers target)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

function(nova_add_runtime_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(Nova::${name} ALIAS ${name})
  nova_use_headers(${name})
  target_link_libraries(${name} PUBLIC ${ARG_USES})
endfunction()

# Options of code that talks to LLVM, on a target that is no room (tools, generated tables).
function(nova_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  nova_use_headers(${target})
  target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions)
endfunction()

function(nova_add_compiler_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(Nova::${name} ALIAS ${name})
  nova_use_mlir(${name})
  add_dependencies(${name} NovaTablegen)
  # LLVM's headers lay classes out as the library was built, with NDEBUG; an installed room hands that on.
  target_compile_definitions(${name} INTERFACE $<INSTALL_INTERFACE:NDEBUG>)
  target_link_libraries(${name} PUBLIC ${ARG_USES})
  if(TARGET NovaPch)
    target_precompile_headers(${name} REUSE_FROM NovaPch)
  endif()
endfunction()
