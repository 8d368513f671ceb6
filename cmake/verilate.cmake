# SPDX-License-Identifier: MIT
# rdt_verilate(<lib> TOP <module> [FROM <folder>] [PARAMS -GName=Value ...] [FAST | WAVES | POINTS])
#
# Makes the static library <lib> from RTL module <module> of rtl/, or of the folder FROM. The class is V
# + <lib> without its leading v: library vrdt_link_io_3 has class Vrdt_link_io_3 in "Vrdt_link_io_3.h".
# All prefixes differ, so any number of these libraries go into one executable.
#
# Default: assertions on, the registers of sim/lint/rdt_public.vlt readable.
# FAST:    neither assertions nor public registers, for measuring speed.
# WAVES:   everything readable (sim/lint/rdt_waves.vlt), for waveforms and comparisons of the inside.
# POINTS:  counts the cover points of tb/cov, without assertions.
#
# Verilator looks modules up by name in rtl/, so that a library depends only on the files it uses;
# packages have to be named. Verilator's own CMake function is not used, because it Verilates at
# configure time and compiles a copy of the runtime into every library.

execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT
                OUTPUT_VARIABLE VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)

execute_process(COMMAND ${VERILATOR} --version OUTPUT_VARIABLE RDT_VERILATOR_VERSION)
string(REGEX REPLACE "^Verilator ([0-9.]+).*" "\\1" RDT_VERILATOR_VERSION "${RDT_VERILATOR_VERSION}")
# cover.py rewrites the C++ of models that count; it knows the form that Verilator 5.006 to 5.018 gives it.
set(RDT_CAN_COUNT OFF)
if(RDT_VERILATOR_VERSION VERSION_LESS 5.020)
  set(RDT_CAN_COUNT ON)
elseif(RDT_COVERAGE)
  message(FATAL_ERROR "RDT_COVERAGE needs Verilator 5.006 to 5.018; this is ${RDT_VERILATOR_VERSION}")
endif()

# The runtime, once for all libraries.
add_library(verilated STATIC
  ${VERILATOR_ROOT}/include/verilated.cpp
  ${VERILATOR_ROOT}/include/verilated_threads.cpp)
target_include_directories(verilated SYSTEM PUBLIC
  ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
# Time comes from each VerilatedContext, not from SystemC. verilated.h decides that by whether
# <systemc> came first, and then does not compile, so it is always the first header of a file.
target_compile_definitions(verilated PUBLIC VM_TRACE=0 VM_COVERAGE=0 VM_SC=0 VL_TIME_CONTEXT)
target_compile_options(verilated INTERFACE
  "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:RDT_VERILATED_IS_PRECOMPILED>>>:SHELL:-include verilated.h>")
target_compile_options(verilated PRIVATE -O1 -w)  # models call little of it in a cycle
target_link_libraries(verilated PUBLIC Threads::Threads)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_link_libraries(verilated PUBLIC atomic)  # g++ has these functions built in
endif()

# GTKWave's reader and writer of FST files, which come with it.
add_library(fst STATIC
  ${VERILATOR_ROOT}/include/gtkwave/fstapi.c
  ${VERILATOR_ROOT}/include/gtkwave/fastlz.c
  ${VERILATOR_ROOT}/include/gtkwave/lz4.c
  ${CMAKE_SOURCE_DIR}/sim/rdt/cosim/fst_guard.c)
target_include_directories(fst SYSTEM PUBLIC ${VERILATOR_ROOT}/include
                           PRIVATE ${VERILATOR_ROOT}/include/gtkwave)
target_include_directories(fst PRIVATE ${CMAKE_SOURCE_DIR}/sim/rdt/cosim)
# Without it a full disk ends the program with SIGBUS.
target_compile_definitions(fst PRIVATE FST_CONFIG_INCLUDE="fst_guard.h")
set_source_files_properties(${VERILATOR_ROOT}/include/gtkwave/fstapi.c PROPERTIES
  COMPILE_DEFINITIONS RDT_IN_FST_LIBRARY)
target_compile_options(fst PRIVATE -O2 -w)
target_link_libraries(fst PUBLIC ZLIB::ZLIB)

set(RDT_PUBLIC ${CMAKE_SOURCE_DIR}/sim/lint/rdt_public.vlt)
set(RDT_WAVES ${CMAKE_SOURCE_DIR}/sim/lint/rdt_waves.vlt)

function(rdt_verilate lib)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAST;WAVES;POINTS" "TOP;FROM" "PARAMS")
  if(NOT arg_FROM)
    set(arg_FROM rtl)
  endif()
  set(top ${CMAKE_SOURCE_DIR}/${arg_FROM}/${arg_TOP}.sv)
  if(arg_POINTS AND NOT RDT_CAN_COUNT)
    return()
  endif()
  string(REGEX REPLACE "^v" "V" prefix ${lib})
  set(dir ${CMAKE_BINARY_DIR}/verilated/${lib})

  # Verilator 5.006 gets trees of bit operations wrong (a bit of a vector was taken for 1 in
  # rdt_output_unit; Icarus and Yosys agreed on the right value), so that optimization is off.
  set(flags --cc -Wall -O3 -fno-const-bit-op-tree --x-assign fast --x-initial fast)
  set(config)
  if(arg_FAST)
    list(APPEND flags --no-assert)
  else()
    list(APPEND flags --assert)
    list(APPEND config ${RDT_PUBLIC})
  endif()
  if(arg_WAVES)
    list(APPEND config ${RDT_WAVES})
  endif()

  # A block alone is small: most of the compiler's time goes into verilated.h.
  set(parts all)
  if(arg_TOP MATCHES "^rdt_(router|router_once|node|pads|board)$")
    set(parts fast slow)
  else()
    # Assumptions of a block are asserted only where its neighbors are present.
    list(APPEND flags -DRDT_ALONE)
  endif()

  # A model that counts: Verilator's points in all of the RTL, and those of tb/cov in the chip.
  set(script ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/verilate.py ${dir} ${prefix})
  set(counted)
  set(counts)
  set(points)
  if(RDT_COVERAGE AND lib MATCHES ${RDT_COUNTING})
    set(counted --coverage-line --coverage-toggle --coverage-underscore --coverage-max-width 2048)
  endif()
  if(arg_POINTS OR (RDT_COVERAGE AND lib STREQUAL vrdt_router))
    list(APPEND counted --coverage-user -I${CMAKE_SOURCE_DIR}/tb/cov)
    set(points ${RDT_POINTS})
  endif()
  if(counted)
    set(counts ${CMAKE_SOURCE_DIR}/tb/cov/counts.h)
    # A bit of the chip is looked at twice per cycle: with -O0 that takes three times as long. For
    # single blocks, compilation takes longer than the tests.
    set(parts 0)
    set(often -O0)
    if(arg_TOP STREQUAL rdt_router)
      set(often -O1)
    endif()
    if(RDT_COVERAGE AND lib STREQUAL vrdt_router)
      set(parts 0 1 2 3)
    endif()
    list(LENGTH parts number)
    list(APPEND parts slow)
    set(script ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_SOURCE_DIR}:${CMAKE_SOURCE_DIR}/cmake
               ${Python3_EXECUTABLE} -m tb.cov.cover ${dir} ${prefix} ${number})
    # Where Verilator splits an always block, what counts an arm is behind what the arm has changed, and its
    # condition is another one: split blocks are counted wrong. Assertions are not counted. Cover
    # points read only some bits of the modules they are bound to.
    list(APPEND flags -fno-split -DSYNTHESIS -Wno-UNUSEDSIGNAL -Wno-UNUSEDPARAM ${counted})
  endif()

  set(outputs ${dir}/${prefix}.h)
  foreach(part ${parts})
    list(APPEND outputs ${dir}/${prefix}__${part}.cc)
  endforeach()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${script}
            ${VERILATOR} ${flags} ${arg_PARAMS} --top-module ${arg_TOP}
            ${config} ${points} -y ${CMAKE_SOURCE_DIR}/rtl
            ${CMAKE_SOURCE_DIR}/rtl/rdt_pkg.sv ${CMAKE_SOURCE_DIR}/rtl/rdt_ports_pkg.sv ${top}
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/verilate.py ${CMAKE_SOURCE_DIR}/tb/cov/cover.py
            ${CMAKE_SOURCE_DIR}/tb/cov/toggles.py ${config} ${points}
    DEPFILE ${dir}/${prefix}.d
    COMMENT "Verilating ${lib}"
    VERBATIM)

  add_library(${lib} STATIC ${outputs})
  set_target_properties(${lib} PROPERTIES EXCLUDE_FROM_ALL ON)
  target_include_directories(${lib} SYSTEM PUBLIC ${dir})
  target_link_libraries(${lib} PUBLIC verilated)
  target_compile_options(${lib} PRIVATE -w)
  # Verilator has optimized already: g++ -O1 runs no slower than -O2 and -O3 and compiles in less than
  # half the time. The two limits halve the time again, because g++ would analyze aliasing among
  # thousands of variables of one object. Waveforms spend their time in writing.
  set(less)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(less --param=dse-max-alias-queries-per-store=4 --param=sccvn-max-alias-queries-per-access=20)
  endif()
  foreach(part fast all)
    set_source_files_properties(${dir}/${prefix}__${part}.cc PROPERTIES COMPILE_OPTIONS
      "$<IF:$<BOOL:${arg_WAVES}>,-O0,-O1>;${less}")
  endforeach()
  set_source_files_properties(${dir}/${prefix}__slow.cc PROPERTIES COMPILE_OPTIONS -O0)
  if(counted)
    foreach(part RANGE 1 ${number})
      math(EXPR part "${part} - 1")
      set_source_files_properties(${dir}/${prefix}__${part}.cc PROPERTIES COMPILE_OPTIONS "${often};${less}")
    endforeach()
    target_include_directories(${lib} PRIVATE ${CMAKE_SOURCE_DIR}/tb)
    target_link_libraries(${lib} PUBLIC cov_counts)
  endif()
endfunction()
