# SPDX-License-Identifier: MIT
# The libraries, from the bottom up. Those of the first part need neither SystemC nor Verilator, and
# see no header of theirs (scripts/check_structure.py).

# The fast core and what all C++ shares: headers only.
add_library(rdt_core INTERFACE)
target_compile_features(rdt_core INTERFACE cxx_std_17)  # clang 14 would take the one before
target_include_directories(rdt_core INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/systemc> $<INSTALL_INTERFACE:include>)

# Random numbers, histograms, plots, result files, threads.
file(GLOB support_sources CONFIGURE_DEPENDS sim/rdt/support/*.cpp)
rdt_library(rdt_support SOURCES ${support_sources} INCLUDE sim LINK fmt::fmt Threads::Threads)

# Networks: topology, routing, analysis, dependency graph, patterns of traffic.
file(GLOB net_sources CONFIGURE_DEPENDS sim/rdt/net/*/*.cpp)
rdt_whole_library(rdt_net SOURCES ${net_sources} INCLUDE sim LINK rdt_core rdt_support
                  nlohmann_json::nlohmann_json PRIVATE pugixml::pugixml)
if(METIS_INCLUDE AND METIS_LIBRARY)
  set_source_files_properties(sim/rdt/net/graph/metis_cuts.cpp PROPERTIES
    COMPILE_DEFINITIONS RDT_METIS)
  target_include_directories(rdt_net_archive PRIVATE ${METIS_INCLUDE})
  # Where it is installed it is found by its name.
  target_link_libraries(rdt_net_archive PRIVATE
    $<BUILD_INTERFACE:${METIS_LIBRARY}> $<INSTALL_INTERFACE:metis>)
endif()

# Algorithms that run on them.
file(GLOB algo_sources CONFIGURE_DEPENDS sim/rdt/algo/*.cpp)
rdt_whole_library(rdt_algo SOURCES ${algo_sources} INCLUDE sim LINK rdt_net)

# The flit-level simulator over any of them.
file(GLOB lab_sources CONFIGURE_DEPENDS sim/rdt/lab/*.cpp)
rdt_library(rdt_lab SOURCES ${lab_sources} INCLUDE sim LINK rdt_net)

# Comparing models and writing waveforms, whatever the models are.
set(cosim_sources)
foreach(name block_kinds inside lockstep meanings pin_record wave_file wave_filters save_file signals module_tree)
  list(APPEND cosim_sources sim/rdt/machine/cosim/${name}.cpp)
endforeach()
rdt_library(rdt_cosim SOURCES ${cosim_sources} INCLUDE sim LINK rdt_core rdt_support)
# The name filters that go beside every waveform are in the program.
file(GLOB filters CONFIGURE_DEPENDS sim/waves/*.flt)
set(filter_text)
foreach(filter ${filters})
  get_filename_component(name ${filter} NAME)
  file(READ ${filter} text)
  string(APPEND filter_text "{\"${name}\", R\"(${text})\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/wave_filters.inc CONTENT "${filter_text}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${filters})
set_source_files_properties(sim/rdt/machine/cosim/wave_filters.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/generated
  OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/generated/wave_filters.inc)

# The machine: MBPs, traffic, measuring, and the fast engine.
file(GLOB machine_sources CONFIGURE_DEPENDS
     sim/rdt/machine/*.cpp sim/rdt/machine/traffic/*.cpp sim/rdt/machine/measure/*.cpp
     sim/rdt/machine/events/*.cpp)
set(fast_engine_sources)
foreach(name array_machine engine_kind event_machine event_return fast_load fast_machine make_machine
             router_check)
  list(APPEND fast_engine_sources sim/rdt/machine/engines/${name}.cpp)
endforeach()
rdt_whole_library(rdt_machine SOURCES ${machine_sources} ${fast_engine_sources} INCLUDE sim
                  LINK rdt_cosim rdt_net)

# What runs every clock is compiled alone, as it was measured.
file(GLOB alone CONFIGURE_DEPENDS sim/rdt/machine/events/*.cpp sim/rdt/machine/engines/*.cpp
     sim/rdt/machine/transport*.cpp sim/rdt/machine/measure/run.cpp sim/rdt/lab/simulat*.cpp)
set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Its vectors are chosen by hand; the compiler's own cost more to fill than they save.
set_source_files_properties(sim/rdt/lab/simulator_words.cpp PROPERTIES
                            COMPILE_OPTIONS -fno-tree-slp-vectorize)

# The shared memory that runs on it.
file(GLOB dsm_sources CONFIGURE_DEPENDS sim/rdt/dsm/*.cpp)
rdt_library(rdt_dsm SOURCES ${dsm_sources} INCLUDE sim LINK rdt_machine)

# Traces of other programs, turned into the machine's.
file(GLOB traces_sources CONFIGURE_DEPENDS sim/rdt/traces/*.cpp)
rdt_library(rdt_traces SOURCES ${traces_sources} INCLUDE sim LINK rdt_support PRIVATE BZip2::BZip2)

# The papers' tables and figures.
file(GLOB paper_sources CONFIGURE_DEPENDS sim/rdt/paper/*.cpp)
rdt_library(rdt_paper SOURCES ${paper_sources} INCLUDE sim LINK rdt_algo rdt_machine rdt_lab)
target_compile_options(rdt_paper PRIVATE -O1)  # tables; what runs long is in what they show

rdt_read_headers(rdt_support ${RDT_HEADERS})
foreach(library rdt_net_archive rdt_algo_archive rdt_lab rdt_cosim rdt_machine_archive rdt_dsm rdt_traces rdt_paper)
  rdt_headers_are_read(${library} rdt_support)
endforeach()

# All other engines, as far as they can be built; programs and tests link them as one.
add_library(rdt_engines INTERFACE)
target_link_libraries(rdt_engines INTERFACE rdt_machine)

if(TARGET PkgConfig::SYSTEMC)
  # The chip is headers for others; here it is compiled once.
  add_library(rdt_chip STATIC systemc/rdt/router.cpp)
  target_compile_definitions(rdt_chip PUBLIC RDT_CHIP_IN_LIBRARY)
  target_link_libraries(rdt_chip PUBLIC rdt_core PkgConfig::SYSTEMC Threads::Threads PRIVATE rdt_warnings)
  add_library(rdt_systemc INTERFACE)
  target_link_libraries(rdt_systemc INTERFACE rdt_chip)
  # Reads the wires and registers of SystemC modules.
  rdt_library(rdt_systemc_inside INCLUDE sim LINK rdt_cosim PRIVATE rdt_systemc
              SOURCES sim/rdt/machine/cosim/systemc_wires.cpp
                      sim/rdt/machine/cosim/systemc_inside.cpp)
  rdt_whole_library(rdt_engine_systemc INCLUDE sim LINK rdt_machine
                    PRIVATE rdt_systemc_inside rdt_systemc
                    SOURCES sim/rdt/machine/engines/systemc_routers.cpp
                            sim/rdt/machine/cosim/rtl_blocks_maker.cpp
                            sim/rdt/machine/cosim/systemc_tree.cpp)
  target_link_libraries(rdt_engines INTERFACE rdt_engine_systemc)
endif()

if(TARGET verilated)
  # GTKWave's own waveforms.
  rdt_whole_library(rdt_fst SOURCES sim/rdt/machine/cosim/fst_file.cpp INCLUDE sim
                    LINK rdt_cosim PRIVATE fst)
  target_link_libraries(rdt_engines INTERFACE rdt_fst)

  # The RTL's own instances and ports.
  file(GLOB rtl_sources CONFIGURE_DEPENDS rtl/*.sv)
  set(rtl_tree ${CMAKE_BINARY_DIR}/generated/rtl_tree.inc)
  add_custom_command(
    OUTPUT ${rtl_tree}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/rtl_tree.py
            ${rtl_tree} ${VERILATOR} --top-module rdt_router
            -y ${CMAKE_SOURCE_DIR}/rtl ${CMAKE_SOURCE_DIR}/rtl/rdt_pkg.sv
            ${CMAKE_SOURCE_DIR}/rtl/rdt_ports_pkg.sv ${CMAKE_SOURCE_DIR}/rtl/rdt_router.sv
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/rtl_tree.py ${rtl_sources}
    COMMENT "Reading the instance tree of the RTL"
    VERBATIM)
  set_source_files_properties(sim/rdt/machine/cosim/rtl_tree.cpp PROPERTIES
    INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/generated OBJECT_DEPENDS ${rtl_tree})

  # Reads registers of the Verilated chip.
  rdt_library(rdt_rtl_signals SOURCES sim/rdt/machine/cosim/rtl_signals.cpp INCLUDE sim
              LINK rdt_cosim PRIVATE verilated)
  rdt_whole_library(rdt_engine_rtl INCLUDE sim LINK rdt_machine PRIVATE rdt_rtl_signals vrdt_router
                    SOURCES sim/rdt/machine/engines/rtl_routers.cpp sim/rdt/machine/cosim/rtl_tree.cpp
                            ${rtl_tree})
  target_link_libraries(rdt_engines INTERFACE rdt_engine_rtl)

  # The RTL with all its signals readable, beside another model of the router.
  rdt_whole_library(rdt_rtl_beside INCLUDE sim LINK rdt_engine_rtl PRIVATE vrdt_router_waves
                    SOURCES sim/rdt/machine/cosim/rtl_beside.cpp)
  target_link_libraries(rdt_engines INTERFACE rdt_rtl_beside)
endif()

include(GNUInstallDirs)
if(TARGET rdt_systemc AND TARGET verilated)
  # Finds the block to blame for a difference.
  rdt_whole_library(rdt_blame INCLUDE sim LINK rdt_rtl_beside PRIVATE rdt_systemc_inside rdt_systemc
                    SOURCES sim/rdt/machine/cosim/blame.cpp sim/rdt/machine/cosim/block_replicas.cpp)
  target_link_libraries(rdt_engines INTERFACE rdt_blame)
  # Verilated blocks for SystemC routers: a plug-in of the program, and for tests.
  rdt_whole_library(rdt_rtl_blocks INCLUDE sim LINK rdt_engine_systemc
                    SOURCES sim/rdt/machine/cosim/rtl_blocks.cpp
                    PRIVATE rdt_systemc ${RDT_BLOCK_LIBS} verilated)
  target_compile_options(rdt_rtl_blocks_archive PRIVATE -O1)  # wires; what runs long is in what they join
  # A SystemC block beside its Verilated RTL, for tests.
  rdt_library(rdt_twins INCLUDE sim LINK rdt_cosim PRIVATE rdt_systemc verilated
              SOURCES sim/rdt/machine/cosim/twins.cpp)
  add_library(rdt_rtl_blocks_plugin MODULE sim/rdt/machine/cosim/rtl_blocks.cpp)
  target_include_directories(rdt_rtl_blocks_plugin PRIVATE sim)
  target_link_libraries(rdt_rtl_blocks_plugin PRIVATE rdt_warnings rdt_core fmt::fmt ${RDT_BLOCK_LIBS})
  target_link_libraries(rdt_rtl_blocks_plugin PRIVATE PkgConfig::SYSTEMC)
  target_compile_definitions(rdt_rtl_blocks_plugin PRIVATE RDT_CHIP_IN_LIBRARY)
  target_compile_options(rdt_rtl_blocks_plugin PRIVATE -O1)
  set_target_properties(rdt_rtl_blocks_plugin PROPERTIES PREFIX "" OUTPUT_NAME rtl_blocks
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/rdt)
  set_target_properties(verilated ${RDT_BLOCK_LIBS} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
