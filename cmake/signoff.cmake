# SPDX-License-Identifier: MIT
# Long comparisons, mutants and proofs: the short forms that the default test has of them.

if(TARGET rdt_blame)
  # Short runs of the long comparisons of models.
  rdt_check(quick/chip_lockstep LABELS chip quick COMMAND chip_router ENVIRONMENT RDT_CYCLES=50000)
  rdt_check(quick/machine_check LABELS machine quick COMMAND machine_check
            --gtest_filter=*Check64*fast_rtl ENVIRONMENT RDT_CYCLES=2000)
  rdt_check(quick/fuzz LABELS fuzz quick COMMAND fuzz_chip ENVIRONMENT RDT_CYCLES=20000)

  # It makes parts of chip_router anew.
  rdt_check(chip/one_line_mistakes_on_either_side_are_caught LABELS chip
            COMMAND ${Python3_EXECUTABLE} scripts/plant.py --build ${CMAKE_BINARY_DIR}
                    ${CMAKE_BINARY_DIR}/plant)
endif()

# Seeds of long runs: make soak has thousands. A pin that only one side reads wrongly has to be seen.
if(TARGET rdt_blame AND EXISTS ${CMAKE_SOURCE_DIR}/tb/soak/soak.cpp)
  add_executable(soak tb/soak/soak.cpp)
  rdt_compile_quickly(soak -O1)  # the models are in libraries: -O3 gives 2 % and takes 11 s
  target_link_libraries(soak PRIVATE rdt_warnings tb_headers tb_chip rdt_engines rdt_blame
                        rdt_rtl_signals rdt_systemc vrdt_router vrdt_router_once)
  foreach(kind chip machine fuzz)
    set(seed 1)
    if(kind STREQUAL fuzz)
      set(seed 3)  # the pin is read soon after
    endif()
    rdt_check(soak/${kind}_is_equal_for_a_seed LABELS soak quick COMMAND soak ${kind} 1 2000)
    rdt_check(soak/${kind}_that_differs_is_found LABELS soak quick COMMAND soak ${kind} ${seed} 2000 1000)
    set_tests_properties(soak/${kind}_that_differs_is_found PROPERTIES
      PASS_REGULAR_EXPRESSION "rtl=.*with all of it compared: no difference")
  endforeach()
endif()

# Mistakes in the logic, hundreds at a time; make mutate draws more and runs them longer.
if(EXISTS ${CMAKE_SOURCE_DIR}/tb/mutate/mutants.cpp)
  add_executable(mutants tb/mutate/mutants.cpp tb/mutate/wide_gates.cpp)
  set_source_files_properties(tb/mutate/mutants.cpp PROPERTIES COMPILE_OPTIONS -O1)  # gates run long
  target_link_libraries(mutants PRIVATE rdt_warnings tb_headers rdt_machine)
  rdt_check(mutate/a_hundred_mutants_are_seen_but_for_few LABELS mutate
            COMMAND ${Python3_EXECUTABLE} scripts/mutate.py --mutants 100 --clocks 64000 --quick --floor 86 --jobs 1
                    --program $<TARGET_FILE:mutants> --json ${CMAKE_BINARY_DIR}/mutate_quick.json)
endif()

# The proofs that take seconds; make formal has all.
rdt_check(formal/what_blocks_promise_is_proven LABELS formal
          COMMAND ${Python3_EXECUTABLE} scripts/formal.py --quick --jobs 1 --build ${CMAKE_BINARY_DIR})
