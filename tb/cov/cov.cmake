# SPDX-License-Identifier: MIT
# For make cov: Verilated models and C++ that count what is exercised.
# Coverage counters of a model, summed per program (see cover.py), and the cover points.
add_library(cov_counts STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/counts.cpp)
target_include_directories(cov_counts PRIVATE ${CMAKE_SOURCE_DIR}/tb)
file(GLOB RDT_POINTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tb/cov/*.sv)

# The chip, and the blocks that tests run by themselves.
set(RDT_COUNTING "^vrdt_(router|arbiter|crossbar|local|ack|inject|buffer_ram|link_io_.*|route_.*|bitmap_.*|input_unit_[068]|output_unit_[0-8])$")

# Programs whose copies of the C++ core, which is headers, count what runs.
set(RDT_COUNTS_CORE fuzz_points chip_chips chip_node chip_wide block_fast_ports)
function(rdt_count_core test)
  if(RDT_COVERAGE AND test IN_LIST RDT_COUNTS_CORE)
    target_compile_options(${test} PRIVATE --coverage)
    target_link_options(${test} PRIVATE --coverage)
  endif()
endfunction()
