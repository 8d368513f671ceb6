# SPDX-License-Identifier: MIT
# The program under random input, with sanitizers in all that reads options, traces, configurations
# and files of a sweep, and in what follows them; networks, memory and waveforms are as everywhere.
file(GLOB checked_sources CONFIGURE_DEPENDS sim/rdt/support/*.cpp sim/rdt/machine/*.cpp
     sim/rdt/machine/traffic/*.cpp sim/rdt/machine/measure/*.cpp sim/rdt/machine/events/*.cpp)
list(APPEND checked_sources ${fast_engine_sources} sim/cli/program.cpp sim/cli/old_names.cpp
     sim/cli/rtl_blocks_plugin.cpp
     sim/cli/guard.cpp sim/cli/settings.cpp sim/cli/machine_options.cpp sim/cli/run.cpp
     sim/cli/sweep.cpp)
if(EXISTS ${CMAKE_SOURCE_DIR}/tb/program/fuzz_cli.cpp)
  # Theirs come first: of functions that both have the linker takes those with sanitizers.
  add_executable(fuzz_cli tb/program/fuzz_cli.cpp ${checked_sources} $<TARGET_OBJECTS:rdt_net_archive>
                 $<TARGET_OBJECTS:rdt_dsm> $<TARGET_OBJECTS:rdt_cosim>)
  target_include_directories(fuzz_cli PRIVATE sim systemc tb)
  target_link_libraries(fuzz_cli PRIVATE rdt_warnings fmt::fmt nlohmann_json::nlohmann_json
                        CLI11::CLI11 pugixml::pugixml Threads::Threads ${CMAKE_DL_LIBS})
  if(METIS_INCLUDE AND METIS_LIBRARY)
    target_link_libraries(fuzz_cli PRIVATE ${METIS_LIBRARY})
  endif()
  # Null pointers end in a signal, and objects in the address sanitizer: asked about at every access
  # they took half the time of the compiler, which takes longer than the program runs.
  if(RDT_CLANG)  # it may be there without them
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "int main() {}"
                    COMMAND ${RDT_CLANG} -fsanitize=address,undefined -x c++ - -o ${CMAKE_BINARY_DIR}/sanitized
                    RESULT_VARIABLE without OUTPUT_QUIET ERROR_QUIET)
    if(without)
      set(RDT_CLANG FALSE)
    endif()
  endif()
  rdt_compile_quickly(fuzz_cli -O0)
  target_compile_options(fuzz_cli PRIVATE -fsanitize=address,undefined
                         -fno-sanitize=null,alignment,vptr,object-size
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # Whether char has a sign depends on the machine. Here it is the other way round than everywhere else.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm|ppc|riscv|s390)")
    target_compile_options(fuzz_cli PRIVATE -fsigned-char)
  else()
    target_compile_options(fuzz_cli PRIVATE -funsigned-char)
  endif()
  if(RDT_CLANG AND NOT RDT_COVERAGE)
    get_target_property(compiler fuzz_cli CXX_COMPILER_LAUNCHER)
    set_target_properties(fuzz_cli PROPERTIES CXX_LINKER_LAUNCHER "${compiler}")
  endif()
  target_link_options(fuzz_cli PRIVATE -fsanitize=address,undefined)
  set_source_files_properties(tb/program/fuzz_cli.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  rdt_compile_together(fuzz_cli)
  rdt_read_headers(fuzz_cli ${RDT_HEADERS} <CLI/CLI.hpp>)
  rdt_check(program/fuzz_of_options_and_files LABELS program COMMAND fuzz_cli 400)
endif()
