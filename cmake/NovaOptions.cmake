# Compile options that every target shares. The rooms' own rules are in NovaRooms.cmake.
include_guard()

# Debian's LLVM is built with NDEBUG: Pass::Statistic and others have another layout without it, so every preset
# defines it, debug and sanitizers included.
add_compile_definitions(NDEBUG _GNU_SOURCE)

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fdiagnostics-color=auto)
if(NOVA_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(NOVA_SANITIZERS)
  add_compile_options(-fsanitize=${NOVA_SANITIZERS} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${NOVA_SANITIZERS})
endif()

find_program(NOVA_LLD NAMES ld.lld-22 ld.lld PATHS /usr/lib/llvm-22/bin)
if(NOVA_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(-fuse-ld=${NOVA_LLD} -Wl,--build-id=sha1)
endif()

find_program(NOVA_CCACHE ccache)
if(NOVA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header is only reusable by ccache when it holds no time stamp. Paths below the project count as
  # relative, and the header by the checksum that NovaPch.cmake writes, so that one checkout profits from another's build;
  # -Werror changes no object.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_PCH_EXTSUM=true
    "CCACHE_IGNOREOPTIONS=-Werror ${PROJECT_BINARY_DIR}/lib/CMakeFiles/NovaPch.dir/cmake_pch.hxx*" ${NOVA_CCACHE})
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
