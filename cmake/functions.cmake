# SPDX-License-Identifier: MIT
# Functions that all folders use.

# Warnings are errors in the project's own code, unless the compiler is newer than those of the
# supported systems and may warn of more; headers of others are included as SYSTEM.
add_library(rdt_warnings INTERFACE)
target_compile_options(rdt_warnings INTERFACE -Wall -Wextra)
set(too_new 20)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(too_new 15)
endif()
if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS too_new)
  target_compile_options(rdt_warnings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 on x86-64 takes the fill character of fmt's "{:05x}" for a write past its end.
  target_compile_options(rdt_warnings INTERFACE -Wno-stringop-overflow)
else()
  # Word-parallel code uses & of two bools, and some lambdas capture alike for symmetry.
  target_compile_options(rdt_warnings INTERFACE -Wno-unknown-warning-option
                         -Wno-bitwise-instead-of-logical -Wno-unused-lambda-capture)
endif()

# rdt_precompile(<target> <header>...): a precompiled header of the target's own.
# rdt_share_precompiled(<target> <owner>): the one of another target with the same options.
function(rdt_precompile target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()
function(rdt_share_precompiled target owner)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# rdt_library(<name> SOURCES <file>... [LINK <library>...] [PRIVATE <library>...])
# A static library. LINK is visible to its users, PRIVATE is not: headers of SystemC and Verilator
# reach only targets that link them.
function(rdt_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;PRIVATE")
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/sim> $<INSTALL_INTERFACE:include>
    $<INSTALL_INTERFACE:include/rdt/detail>)
  target_link_libraries(${name} PUBLIC ${arg_LINK}
                        PRIVATE $<BUILD_INTERFACE:rdt_warnings> ${arg_PRIVATE})
endfunction()

# rdt_whole_library(<name> ...): the same, linked whole, because its parts register themselves by
# static objects that nothing refers to.
function(rdt_whole_library name)
  rdt_library(${name}_archive ${ARGN})
  set_target_properties(${name}_archive PROPERTIES OUTPUT_NAME ${name})
  add_library(${name} INTERFACE)
  # Two expressions, because an export does not rename targets inside LINK_LIBRARY.
  target_link_libraries(${name} INTERFACE
    $<BUILD_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,${name}_archive>>
    $<INSTALL_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,rdt::${name}_archive>>)
endfunction()

# Standard headers and those of libraries that most files of sim/ include.
set(RDT_HEADERS <algorithm> <array> <filesystem> <functional> <map> <memory> <mutex> <numeric>
                <optional> <set> <string> <unordered_map> <vector> <fmt/core.h> <nlohmann/json.hpp>)
