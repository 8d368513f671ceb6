# SPDX-License-Identifier: MIT
include(GoogleTest)

# GoogleTest: tb/<folder>/<name>.cpp is executable <folder>_<name>, its tests are <folder>/....
# libsystemc must not meet gtest_main: both have main().
file(GLOB sc_main CONFIGURE_DEPENDS tb/common/sc_main.cpp)
if(sc_main)
  add_library(tb_main OBJECT ${sc_main})
  target_link_libraries(tb_main PRIVATE rdt_warnings tb_common GTest::gtest)
endif()

foreach(folder unit cosim fuzz machine attack)
  file(GLOB sources CONFIGURE_DEPENDS tb/${folder}/*.cpp)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    set(test ${folder}_${name})
    add_executable(${test} ${source})
    if(TARGET tb_main)
      target_sources(${test} PRIVATE $<TARGET_OBJECTS:tb_main>)
    endif()
    target_link_libraries(${test} PRIVATE rdt_warnings tb_common GTest::gtest)
    if(folder STREQUAL unit)
      target_link_libraries(${test} PRIVATE ${RDT_TEST_LIBS})
    endif()
    target_compile_definitions(${test} PRIVATE RDT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    gtest_discover_tests(${test}
      TEST_PREFIX ${folder}/
      WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
      DISCOVERY_TIMEOUT 120
      PROPERTIES TIMEOUT 900 LABELS ${folder}
                 ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1)
  endforeach()
endforeach()

# These run the program. (A copy made to plant mistakes has only some tests.)
foreach(test machine_dsm machine_run_program machine_sweep)
  if(TARGET ${test})
    add_dependencies(${test} rdt)
  endif()
endforeach()

# Everything below runs from the top of the source tree.
function(rdt_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;LABELS")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${arg_LABELS}")
endfunction()

rdt_check(format/generated_files_match_definition LABELS lint
          COMMAND ${Python3_EXECUTABLE} scripts/gen_format.py --check)

rdt_check(program/net_run_answers_and_refuses LABELS unit
          COMMAND ${Python3_EXECUTABLE} scripts/check_net_run.py $<TARGET_FILE:rdt>)

# The line protocol, explored state by state; "link_model full" takes minutes.
if(EXISTS ${CMAKE_SOURCE_DIR}/tb/model/link_model.cpp)
  add_executable(link_model tb/model/link_model.cpp)
  target_link_libraries(link_model PRIVATE rdt_warnings)
  rdt_check(model/link_protocol_holds LABELS unit COMMAND link_model)
endif()

if(EXISTS ${CMAKE_SOURCE_DIR}/rtl/rdt_router.f)
  find_program(IVERILOG iverilog REQUIRED)
  rdt_check(lint/file_lists_agree LABELS lint
            COMMAND ${Python3_EXECUTABLE} scripts/check_file_lists.py)
  rdt_check(lint/rtl_is_clean_in_verilator LABELS lint
            COMMAND ${VERILATOR} --lint-only -Wall ${RDT_WAIVERS} --top-module rdt_node
                    -f rtl/rdt_router.f)
  rdt_check(lint/rtl_elaborates_in_icarus LABELS lint
            COMMAND ${IVERILOG} -g2012 -Wall -t null -s rdt_node -f rtl/rdt_router.f)

  # After everything else: it shares the machine badly and nobody waits for it.
  rdt_check(cosim/one_line_mistakes_on_either_side_are_caught LABELS cosim
            COMMAND ${Python3_EXECUTABLE} scripts/plant.py ${CMAKE_BINARY_DIR}/plant)
  # It builds the lockstep test anew for every mistake, from nothing the first time.
  set_tests_properties(cosim/one_line_mistakes_on_either_side_are_caught PROPERTIES TIMEOUT 3600)

  # Block tests in four-state logic. A pass is a line that starts with PASS and exit code 0.
  file(GLOB benches CONFIGURE_DEPENDS tb/icarus/*_tb.sv)
  foreach(bench ${benches})
    get_filename_component(name ${bench} NAME_WE)
    rdt_check(icarus/${name} LABELS icarus
              COMMAND ${Python3_EXECUTABLE} scripts/run_icarus.py ${bench}
                      ${CMAKE_BINARY_DIR}/icarus/${name}.vvp)
  endforeach()
endif()
