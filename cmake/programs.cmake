# SPDX-License-Identifier: MIT
# The programs. They link no code of tests.

file(GLOB rdt_sources CONFIGURE_DEPENDS sim/cli/*.cpp)
add_executable(rdt ${rdt_sources})
set_target_properties(rdt PROPERTIES ENABLE_EXPORTS ON)  # plugins link to what is in it
# With -O3 the compiler takes half as long again for options and JSON; what runs long is in
# libraries.
target_compile_options(rdt PRIVATE -O1)
rdt_compile_together(rdt)
rdt_read_headers(rdt ${RDT_HEADERS} <CLI/CLI.hpp>)
set_source_files_properties(sim/cli/program.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_link_libraries(rdt PRIVATE rdt_warnings rdt_engines rdt_dsm rdt_paper rdt_lab rdt_algo rdt_traces
                      CLI11::CLI11
                      ${CMAKE_DL_LIBS})
# Verilated blocks (--rtl-blocks) are a plug-in, found by its place beside the program.
set_source_files_properties(sim/cli/rtl_blocks_plugin.cpp PROPERTIES
  COMPILE_DEFINITIONS RDT_PLUGIN_DIR="../${CMAKE_INSTALL_LIBDIR}/rdt")

# Measures all models against each other. Only make bench builds it: the chip is compiled three
# times more for it.
if(TARGET rdt_blame)
  file(GLOB bench_sources CONFIGURE_DEPENDS sim/bench/*.cpp)
  add_executable(rdt_bench EXCLUDE_FROM_ALL ${bench_sources})
  target_link_libraries(rdt_bench PRIVATE rdt_warnings rdt_engines rdt_lab rdt_systemc rdt_rtl_signals
                        vrdt_router ${RDT_FAST_LIBS} benchmark::benchmark CLI11::CLI11)
  target_compile_definitions(rdt_bench PRIVATE NDEBUG $<$<TARGET_EXISTS:vrdt_router_clang>:RDT_HAS_CLANG>)
endif()
