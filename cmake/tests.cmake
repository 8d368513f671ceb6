# SPDX-License-Identifier: MIT
# Tests. Each links what it uses and no more, so that a change builds anew only what it can affect; a
# test whose libraries cannot be built here (no SystemC, no Verilator) is left out.
include(GoogleTest)

# The tests' entry where SystemC is linked: libsystemc has main() and calls sc_main(). Tests are
# compiled with less effort than the rest, those that are soon over with none; what runs long is in
# libraries. verilated.h is the first header where it is read.
function(rdt_tests_entry name)
  add_library(${name} OBJECT tb/common/sc_main.cpp)
  target_link_libraries(${name} PRIVATE rdt_warnings rdt_systemc GTest::gtest fmt::fmt)
  if(TARGET verilated)
    target_link_libraries(${name} PRIVATE verilated)
    set_target_properties(${name} PROPERTIES RDT_HEADERS_ARE_READ ON)
    rdt_read_headers(${name} <verilated.h> <systemc> <fmt/core.h> <gtest/gtest.h>)
  endif()
endfunction()
if(TARGET rdt_systemc)
  rdt_tests_entry(tb_main)
  rdt_compile_quickly(tb_main -O1)
  rdt_tests_entry(tb_quick_main)
  rdt_compile_quickly(tb_quick_main -O0)
endif()

# What tests share.
add_library(tb_headers INTERFACE)
target_include_directories(tb_headers INTERFACE tb)
target_link_libraries(tb_headers INTERFACE rdt_core rdt_support)
rdt_library(tb_lab SOURCES tb/common/wormhole_reference.cpp INCLUDE tb LINK tb_headers rdt_lab)
target_link_libraries(tb_lab PRIVATE GTest::gtest)
rdt_compile_quickly(tb_lab -O1)
rdt_read_headers(tb_lab ${RDT_HEADERS} <gtest/gtest.h>)
file(CONFIGURE OUTPUT tb_quick_lab.cpp CONTENT "// For its headers.\n")
add_library(tb_quick_lab OBJECT ${CMAKE_BINARY_DIR}/tb_quick_lab.cpp)
target_link_libraries(tb_quick_lab PRIVATE tb_lab rdt_warnings GTest::gtest)
rdt_compile_quickly(tb_quick_lab -O0)
rdt_read_headers(tb_quick_lab ${RDT_HEADERS} <gtest/gtest.h>)
rdt_library(tb_load SOURCES tb/common/watched_load.cpp tb/common/watched_load_verdict.cpp INCLUDE tb
            LINK tb_headers rdt_machine)
if(TARGET rdt_engine_lockstep)
  # One chip and a few wired together, RTL beside SystemC.
  rdt_library(tb_chip SOURCES tb/common/all_faces.cpp tb/common/chip_net.cpp tb/common/wired_chips.cpp INCLUDE tb
              LINK tb_headers rdt_cosim rdt_fst rdt_rtl_blocks rdt_rtl_signals rdt_systemc vrdt_router)
  rdt_compile_quickly(tb_chip -O1)
  # A Verilated block beside its SystemC module.
  add_library(tb_block INTERFACE)
  target_link_libraries(tb_block INTERFACE tb_headers rdt_cosim rdt_fst rdt_systemc verilated)
endif()

include(cmake/slow_tests.cmake)

# rdt_gtest(<folder> <name> LINK <library>...): tb/<folder>/<name>.cpp is program <folder>_<name>, its
# tests are <folder>/....
function(rdt_gtest folder name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINK")
  set(source ${CMAKE_SOURCE_DIR}/tb/${folder}/${name}.cpp)
  set_property(GLOBAL APPEND PROPERTY RDT_TEST_SOURCES ${source})
  if(NOT EXISTS ${source})  # a copy made to plant mistakes has only some tests
    return()
  endif()
  foreach(lib ${arg_LINK})
    if(NOT TARGET ${lib})
      return()
    endif()
  endforeach()
  set(test ${folder}_${name})
  add_executable(${test} ${source})
  target_link_libraries(${test} PRIVATE rdt_warnings tb_headers ${arg_LINK})
  set(slow ${RDT_SLOW})
  list(FILTER slow INCLUDE REGEX "^${test}:")
  list(TRANSFORM slow REPLACE "^${test}:" "")
  list(JOIN slow ":" slow)
  set(quick)
  if(NOT slow AND NOT test IN_LIST RDT_OPTIMIZED)
    set(quick quick_)
    rdt_compile_quickly(${test} -O0)
  elseif(test STREQUAL lab_rcc_sort_many)  # it sorts in vectors itself
    rdt_compile_quickly(${test} -O3)
  else()
    rdt_compile_quickly(${test} -O1)
  endif()
  set(entry tb_${quick}main GTest::gtest)
  set(headers tb_${quick}lab)
  if(folder STREQUAL lab)
    set(entry GTest::gtest_main)
  endif()
  if(arg_LINK MATCHES "tb_block|tb_chip|verilated|vrdt_")
    list(GET entry 0 headers)
    set_target_properties(${test} PROPERTIES RDT_HEADERS_ARE_READ ON)
  endif()
  target_link_libraries(${test} PRIVATE ${entry})
  rdt_headers_are_read(${test} ${headers})
  target_compile_definitions(${test} PRIVATE RDT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  rdt_count_core(${test})
  if(slow)
    rdt_discover(${test} "${folder};${test}" ${slow})
    rdt_discover(${test} "${folder};${test};quick" "-${slow}")
  else()
    rdt_discover(${test} "${folder};${test};quick" "*")
  endif()
endfunction()
function(rdt_discover test labels filter)
  list(GET labels 0 folder)
  list(LENGTH labels count)
  set(found ${test}_${count})
  set(cost 1)
  if(NOT quick IN_LIST labels)
    set(cost 100)  # long ones early
  endif()
  gtest_discover_tests(${test}
    TEST_PREFIX ${folder}/
    TEST_FILTER ${filter}
    TEST_LIST ${found}
    # Values are printed byte by byte, padding included: other names in every build.
    NO_PRETTY_VALUES
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900 ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1)
  # Not above: a list of labels does not get through the file that is written there.
  set_property(GLOBAL APPEND_STRING PROPERTY RDT_LABELS
    "if(${found})\n  set_tests_properties(\${${found}} PROPERTIES LABELS \"${labels}\" COST ${cost})\nendif()\n")
endfunction()

# rdt_gtests(<folder> <name>... LINK <library>...): the same for several.
function(rdt_gtests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  foreach(name ${arg_UNPARSED_ARGUMENTS})
    rdt_gtest(${folder} ${name} LINK ${arg_LINK})
  endforeach()
endfunction()

# Blocks, RTL beside SystemC.
function(rdt_block_tests)  # <name>... LINK <Verilated blocks>
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LINK")
  list(TRANSFORM arg_LINK PREPEND vrdt_)
  list(GET arg_UNPARSED_ARGUMENTS 0 first)
  set(bench tb/block/${first}_bench.cpp)
  if(TARGET tb_block AND EXISTS ${CMAKE_SOURCE_DIR}/${bench})  # what its tests share, compiled once
    rdt_library(tb_${first} SOURCES ${bench} INCLUDE tb LINK tb_block ${arg_LINK} GTest::gtest)
    rdt_compile_quickly(tb_${first} -O0)
    set_target_properties(tb_${first} PROPERTIES RDT_HEADERS_ARE_READ ON)
    rdt_headers_are_read(tb_${first} tb_quick_main)
    list(PREPEND arg_LINK tb_${first})
  endif()
  rdt_gtests(block ${arg_UNPARSED_ARGUMENTS} LINK tb_block ${arg_LINK})
endfunction()
set(inputs input_unit_0 input_unit_6 input_unit_8)
set(outputs output_unit_0 output_unit_1 output_unit_2 output_unit_3 output_unit_4 output_unit_6
            output_unit_7 output_unit_8)
set(links link_io_1 link_io_2 link_io_3 link_io_3w)
rdt_block_tests(ack ack_rules LINK ack)
rdt_block_tests(arbiter LINK arbiter)
rdt_block_tests(bitmap LINK bitmap_0 bitmap_4 bitmap_8)
rdt_block_tests(buffer_ram LINK buffer_ram)
rdt_gtests(block lockstep LINK tb_block vrdt_buffer_ram fst)
rdt_block_tests(crossbar LINK crossbar)
rdt_block_tests(inject inject_turns LINK inject)
rdt_block_tests(input_unit input_unit_acks input_unit_multicast input_unit_random input_unit_shot
                LINK ${inputs})
rdt_block_tests(link_io link_io_sync link_io_trouble LINK ${links})
rdt_block_tests(link_pair LINK ${links} ${outputs})
rdt_block_tests(local local_guard local_links local_notices local_random LINK local)
rdt_block_tests(output_unit output_unit_credits output_unit_multicast LINK ${outputs})
rdt_block_tests(fast_ports)
rdt_block_tests(route LINK route_0 route_2 route_4 route_8)

# Chips: one, and a few wired together.
rdt_gtests(chip bad_input faces latency patch shoot_down slices timing two_chips LINK tb_chip)
rdt_gtests(chip router LINK tb_chip fst)
rdt_gtests(chip node LINK rdt_systemc)
rdt_gtests(chip pads LINK rdt_systemc vrdt_pads)
rdt_gtests(chip parameters LINK tb_chip vrdt_router_few vrdt_router_far)
rdt_gtests(chip wide LINK rdt_systemc vrdt_node vrdt_router_36 rdt_machine)
if(TARGET chip_wide)
  # The SystemC chip with other links is another chip, with another name for its namespace.
  add_library(tb_wide OBJECT tb/chip/wide_bench.cpp)
  target_include_directories(tb_wide PRIVATE tb systemc)
  target_compile_definitions(tb_wide PRIVATE RDT_DATA_W=36 rdt=rdt_wide)
  target_link_libraries(tb_wide PRIVATE rdt_warnings PkgConfig::SYSTEMC)
  rdt_compile_quickly(tb_wide -O1)
  target_link_libraries(chip_wide PRIVATE tb_wide)
endif()
rdt_gtests(chip multicast LINK tb_chip rdt_engines rdt_engine_lockstep)
rdt_gtests(chip restart LINK tb_chip rdt_net)
rdt_gtests(chip chips pins LINK rdt_systemc)
rdt_gtests(chip own_block LINK tb_chip rdt_engine_blocks rdt_rtl_beside rdt_rtl_blocks
           rdt_systemc_inside rdt_systemc vown_arbiter)
if(TARGET chip_own_block)
  target_include_directories(chip_own_block PRIVATE examples/own_block)
endif()
rdt_gtests(chip module_tree LINK rdt_systemc rdt_engine_systemc rdt_engine_rtl)

# Whatever pins can show.
rdt_gtests(fuzz blame chip rtl_blocks LINK rdt_rtl_blocks rdt_rtl_signals rdt_systemc vrdt_router)
set(counting vrdt_router_points)
if(RDT_COVERAGE)
  set(counting vrdt_router)
endif()
rdt_gtests(fuzz points LINK rdt_cosim rdt_systemc ${counting})
if(TARGET fuzz_points)
  string(REGEX REPLACE "^v" "V" counting ${counting})
  target_compile_definitions(fuzz_points PRIVATE RDT_COUNTING_CLASS=${counting} RDT_COUNTING_NAME="${counting}"
                             RDT_COUNTING_HEADER="${counting}.h")
endif()
rdt_gtests(fuzz inside LINK rdt_engine_blocks rdt_rtl_beside rdt_systemc_inside rdt_systemc verilated)

# Faults and attacks.
rdt_gtests(attack ack_table contexts local starvation LINK tb_chip)
rdt_gtests(attack broken engines flips headers ledger lost_answer lost_credit maps stopped_mbp strangers
           LINK tb_load rdt_engines rdt_engine_lockstep)

# Whole machines.
rdt_gtests(machine inside LINK rdt_engine_blocks rdt_engine_systemc rdt_fst rdt_rtl_beside
           rdt_rtl_blocks rdt_systemc_inside rdt_systemc verilated)
rdt_gtests(machine engines faults sizes LINK rdt_engines rdt_engine_lockstep)
rdt_gtests(machine run LINK rdt_engines rdt_engine_lockstep fst)
rdt_gtests(machine lockstep LINK rdt_engines rdt_engine_lockstep rdt_rtl_signals rdt_systemc vrdt_router fst)
rdt_gtests(machine dsm run_program sweep LINK rdt_dsm rdt_engines rdt_engine_lockstep)
rdt_gtests(machine dsm_parts tlm tlm_packets LINK rdt_dsm rdt_systemc)
rdt_gtests(machine tlm_engines LINK rdt_dsm rdt_systemc rdt_engines rdt_engine_lockstep)
rdt_gtests(machine events switch switch_back LINK rdt_dsm)
rdt_gtests(machine threads LINK rdt_machine)

# Networks, algorithms, papers.
rdt_gtests(lab analysis chordal_ring cuts dependency_graph geometry line_graph multicast_graph networks rdt_family
           rdt_routing rhsn routing_check schemes star_cycles theorems LINK rdt_net)
if(METIS_INCLUDE AND METIS_LIBRARY AND TARGET lab_cuts)
  target_compile_definitions(lab_cuts PRIVATE RDT_METIS)
endif()
rdt_gtests(lab any_nucleus broadcast random_access rcc_sort rcc_sort_many step_machine swapped_algorithms
           LINK rdt_algo)
rdt_gtests(lab booksim2 graph_files lab lab_networks lab_threads statistics LINK rdt_lab)
rdt_gtests(lab traces LINK rdt_machine)
rdt_gtests(lab lab_reference LINK tb_lab)
rdt_gtests(lab rdt_properties LINK rdt_algo rdt_lab)
rdt_gtests(lab run_options LINK rdt_support)
rdt_gtests(lab paper paper_networks paper_swapped LINK rdt_paper)

get_property(labels GLOBAL PROPERTY RDT_LABELS)
file(WRITE ${CMAKE_BINARY_DIR}/labels.cmake "${labels}")
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/labels.cmake)

# Nothing is left out by mistake.
get_property(declared GLOBAL PROPERTY RDT_TEST_SOURCES)
foreach(folder block chip fuzz attack machine lab)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tb/${folder}/*.cpp)
  list(REMOVE_ITEM sources ${declared})
  list(FILTER sources EXCLUDE REGEX "_bench.cpp$")
  if(sources)
    message(FATAL_ERROR "in no list of cmake/tests.cmake: ${sources}")
  endif()
endforeach()

# These run the program.
foreach(test machine_dsm machine_run_program machine_sweep)
  if(TARGET ${test})
    add_dependencies(${test} rdt)
  endif()
endforeach()

# Everything below runs from the top of the source tree.
function(rdt_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;LABELS;ENVIRONMENT")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${arg_LABELS}"
                       ENVIRONMENT "${arg_ENVIRONMENT};SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1")
  if(NOT quick IN_LIST arg_LABELS)
    set_tests_properties(${name} PROPERTIES COST 200)  # long ones first, so that none is left alone at the end
  endif()
endfunction()

rdt_check(structure/files_depend_as_they_should LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_structure.py ${CMAKE_BINARY_DIR})
rdt_check(structure/what_should_not_be_is_found_out LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_structure.py --plant ${CMAKE_BINARY_DIR})

rdt_check(plan/every_row_has_its_tests_and_every_test_its_row LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_plan.py ${CMAKE_BINARY_DIR})
rdt_check(plan/mistakes_in_the_plan_are_found_out LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_plan.py --plant ${CMAKE_BINARY_DIR})

rdt_check(wave/picture_of_a_packet_is_that_of_the_waveform LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/wave_picture.py --self-test)
rdt_check(report/says_what_the_results_say LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_report.py ${CMAKE_BINARY_DIR})

rdt_check(cov/says_what_was_counted LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_cov.py)

rdt_check(format/generated_files_match_definition LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/gen_format.py --check)

rdt_check(program/digest_of_plugin_headers_is_theirs LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_abi.py)
rdt_check(program/digest_of_plugin_headers_detects_an_injected_function LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_abi.py --inject)

rdt_check(program/net_run_answers_and_refuses LABELS program
          COMMAND ${Python3_EXECUTABLE} scripts/check_net_run.py $<TARGET_FILE:rdt>)

rdt_check(program/networks_and_traffic_from_files LABELS program
          COMMAND ${Python3_EXECUTABLE} scripts/check_files.py $<TARGET_FILE:rdt>)

# docs/statements.md: what every row's command prints.
rdt_check(program/every_statement_of_the_papers_is_shown_by_its_command LABELS program
          COMMAND ${Python3_EXECUTABLE} scripts/statements.py --check $<TARGET_FILE:rdt>)

# The program as users, and those who are not, meet it.
foreach(name coverage figures hostile numbers page parts parts_plants plugins results signals traces)
  rdt_check(program/${name} LABELS program program_${name}
            COMMAND ${Python3_EXECUTABLE} tb/program/${name}.py $<TARGET_FILE:rdt>)
endforeach()

# What is installed works, and does not know this tree.
# The tutorials' test below builds the other examples.
rdt_check(program/package LABELS program package
          COMMAND ${Python3_EXECUTABLE} tb/program/package.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}
                  --examples embed)
rdt_check(program/commands_of_the_workflow_are_those_of_readme LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_habits.py ${CMAKE_BINARY_DIR})

# README and docs/: lines, links, pictures; what their commands print, the keys of the JSON, and the
# pictures that are drawn from packet logs; the projects of examples/ as the tutorials build them.
rdt_check(docs/pages_are_sound LABELS docs lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_docs.py pages)
rdt_check(docs/what_should_not_be_is_found_out LABELS docs
          COMMAND ${Python3_EXECUTABLE} scripts/check_docs.py plant $<TARGET_FILE:rdt>)
rdt_check(docs/commands_print_what_the_pages_show LABELS docs program
          COMMAND ${Python3_EXECUTABLE} scripts/check_docs.py run $<TARGET_FILE:rdt>)
rdt_check(docs/tutorials_build_and_run_the_examples LABELS docs program package
          COMMAND ${Python3_EXECUTABLE} scripts/check_docs.py run $<TARGET_FILE:rdt> --build ${CMAKE_BINARY_DIR})
# It compiles eight projects, two of them with Verilator.
set_tests_properties(docs/tutorials_build_and_run_the_examples PROPERTIES TIMEOUT 1800)

include(cmake/fuzz_cli.cmake)

# The line protocol, explored state by state; "link_model full" takes minutes.
if(EXISTS ${CMAKE_SOURCE_DIR}/tb/model/link_model.cpp)
  add_executable(link_model tb/model/link_model.cpp)
  target_link_libraries(link_model PRIVATE rdt_warnings)
  rdt_check(model/link_protocol_holds LABELS model COMMAND link_model)
endif()

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format REQUIRED)
rdt_check(lint/cpp_is_formatted LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_format.py ${CLANG_FORMAT})

rdt_check(lint/file_lists_agree LABELS lint quick
          COMMAND ${Python3_EXECUTABLE} scripts/check_file_lists.py)
if(TARGET verilated)
  rdt_check(lint/rtl_is_clean_in_verilator LABELS lint
            COMMAND ${VERILATOR} --lint-only -Wall -f rtl/rdt_router.f)
  # All files are read; the chip has been linted above.
  add_test(NAME lint/rtl_is_clean_from_another_directory WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
           COMMAND ${VERILATOR} --lint-only -Wall --top-module rdt_input_unit
                   -F ${CMAKE_SOURCE_DIR}/rdt_router.f)
  set_tests_properties(lint/rtl_is_clean_from_another_directory PROPERTIES LABELS lint)
endif()
find_program(IVERILOG iverilog REQUIRED)
rdt_check(lint/rtl_elaborates_in_icarus LABELS lint quick
          COMMAND ${IVERILOG} -g2012 -Wall -t null -f rtl/rdt_router.f)
set_tests_properties(lint/rtl_elaborates_in_icarus PROPERTIES FAIL_REGULAR_EXPRESSION "sorry;warning;error")

include(cmake/signoff.cmake)

# What the RTL is written around is still wrong in the tools.
rdt_check(tools/work_arounds_are_still_needed LABELS lint
          COMMAND ${Python3_EXECUTABLE} scripts/check_workarounds.py ${CMAKE_BINARY_DIR})
rdt_check(tools/that_one_is_not_needed_would_be_told LABELS lint
          COMMAND ${Python3_EXECUTABLE} scripts/check_workarounds.py --plant ${CMAKE_BINARY_DIR})

include(cmake/icarus.cmake)
