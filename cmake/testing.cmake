# SPDX-License-Identifier: MIT
# Functions that register tests. Labels: `test` is what `make test` runs, `quick` the part of it that
# `make quick` runs, `regress` everything else. A test whose libraries cannot be built here (no SystemC,
# no Verilator) is left out.
include(GoogleTest)

# rdt_test(<folder> <name> [REGRESS] [OPTIMIZED] [SLOW <filter>] LINK <library>...)
# tb/<folder>/<name>.cpp is the program <folder>_<name>; its tests are <folder>/<suite>.<claim>.
# REGRESS:   `make test` neither builds nor runs the program.
# SLOW:      `make test` leaves out the tests of this GoogleTest filter.
# OPTIMIZED: compiled with -O1, because much of what runs is in headers; without it, -O0.
function(rdt_test folder name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "REGRESS;OPTIMIZED" "SLOW" "LINK")
  set(source ${CMAKE_SOURCE_DIR}/tb/${folder}/${name}.cpp)
  set_property(GLOBAL APPEND PROPERTY RDT_TEST_SOURCES ${source})
  foreach(library ${arg_LINK})
    if(NOT TARGET ${library})
      return()
    endif()
  endforeach()
  set(program ${folder}_${name})
  add_executable(${program} ${source})
  target_compile_definitions(${program} PRIVATE RDT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${program} PRIVATE rdt_warnings tb_headers ${arg_LINK} GTest::gtest)
  if(arg_OPTIMIZED)
    target_compile_options(${program} PRIVATE -O1)
  else()
    target_compile_options(${program} PRIVATE -O0)
  endif()
  # libsystemc has main() and calls sc_main().
  if(arg_LINK MATCHES "tb_(block|chip)|verilated|vrdt_|systemc|engine|rtl")
    target_link_libraries(${program} PRIVATE tb_sc_main)
  else()
    target_link_libraries(${program} PRIVATE GTest::gtest_main)
  endif()
  if(arg_LINK MATCHES "tb_(block|chip)|verilated|vrdt_" AND NOT arg_OPTIMIZED)
    set_target_properties(${program} PROPERTIES RDT_VERILATED_IS_PRECOMPILED ON)
    rdt_share_precompiled(${program} tb_sc_main)
  elseif(NOT arg_OPTIMIZED)
    rdt_share_precompiled(${program} tb_precompiled)
  endif()
  rdt_count_core(${program})
  if(arg_REGRESS)
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    set_property(GLOBAL APPEND PROPERTY RDT_REGRESS_PROGRAMS ${program})
    rdt_discover(${program} regress "${folder};${program};regress" "*")
  elseif(arg_SLOW)
    rdt_discover(${program} regress "${folder};${program};regress" "${arg_SLOW}")
    rdt_discover(${program} quick "${folder};${program};test;quick" "-${arg_SLOW}")
  else()
    rdt_discover(${program} quick "${folder};${program};test;quick" "*")
  endif()
endfunction()

# rdt_tests(<folder> <name>... [REGRESS] [OPTIMIZED] LINK <library>...): the same for several.
function(rdt_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "REGRESS;OPTIMIZED" "" "LINK")
  set(flags)
  foreach(flag REGRESS OPTIMIZED)
    if(arg_${flag})
      list(APPEND flags ${flag})
    endif()
  endforeach()
  foreach(name ${arg_UNPARSED_ARGUMENTS})
    rdt_test(${folder} ${name} ${flags} LINK ${arg_LINK})
  endforeach()
endfunction()

function(rdt_discover program tier labels filter)
  list(GET labels 0 folder)
  set(found ${program}_${tier})
  set(cost 1)
  if(tier STREQUAL regress)
    set(cost 100)  # long ones first
  endif()
  gtest_discover_tests(${program}
    TEST_PREFIX ${folder}/
    TEST_FILTER ${filter}
    TEST_LIST ${found}
    NO_PRETTY_VALUES  # values would be printed with their padding: other names in every build
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900 ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1)
  # gtest_discover_tests() does not pass on a list of labels: they are set by a file of the folder's own, after
  # all tests of the folder are known.
  get_property(is_known DIRECTORY PROPERTY RDT_LABELS SET)
  if(NOT is_known)
    cmake_language(DEFER CALL rdt_write_labels)
  endif()
  set_property(DIRECTORY APPEND_STRING PROPERTY RDT_LABELS
    "if(${found})\n  set_tests_properties(\${${found}} PROPERTIES LABELS \"${labels}\" COST ${cost})\nendif()\n")
endfunction()
function(rdt_write_labels)
  get_property(labels DIRECTORY PROPERTY RDT_LABELS)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/labels.cmake "${labels}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/labels.cmake)
endfunction()

# rdt_check(<folder/claim> LABELS <label>... COMMAND <command>... [ENVIRONMENT <variable>...])
# A test that is a command, run from the top of the source tree. Exit code 77 means skipped.
function(rdt_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;LABELS;ENVIRONMENT")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  if(quick IN_LIST arg_LABELS)
    list(APPEND arg_LABELS test)
  elseif(NOT test IN_LIST arg_LABELS)
    list(APPEND arg_LABELS regress)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77
                       ENVIRONMENT "${arg_ENVIRONMENT};SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1")
  if(NOT quick IN_LIST arg_LABELS)
    set_tests_properties(${name} PROPERTIES COST 200)  # long ones first, so that none is left alone at the end
  endif()
endfunction()
