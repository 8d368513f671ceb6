# SPDX-License-Identifier: MIT
# The Verilated libraries: every block alone, in the variants the chip uses, and the chip.
# Library vX has class VX in "VX.h" (see verilate.cmake).

# The chip takes longest to compile, so it comes first: for tests, for waves, for measuring speed and
# for counting cover points.
rdt_verilate(vrdt_router TOP rdt_router)
rdt_verilate(vrdt_router_fast TOP rdt_router FAST)
rdt_verilate(vrdt_router_waves TOP rdt_router WAVES)
rdt_verilate(vrdt_router_points TOP rdt_router POINTS)
# A node: two chips, or one.
rdt_verilate(vrdt_node TOP rdt_node)
rdt_verilate(vrdt_router_36 TOP rdt_router PARAMS -GDataW=36)
# With other parameters.
rdt_verilate(vrdt_router_few TOP rdt_router PARAMS -GNumEntries=1)
rdt_verilate(vrdt_router_far TOP rdt_router PARAMS -GNumEntries=7 -GRegReq=1)
# In its package; the test of it writes a flip-flop.
rdt_verilate(vrdt_pads TOP rdt_pads PARAMS ${CMAKE_SOURCE_DIR}/sim/lint/rdt_pads.vlt)
# The same evaluated once a clock, by either compiler: rdt_bench finds out which is the fastest.
rdt_verilate(vrdt_router_once TOP rdt_router_once FROM sim/bench FAST)
if(RDT_CLANG)
  rdt_verilate(vrdt_router_clang TOP rdt_router_once FROM sim/bench FAST COMPILER ${RDT_CLANG} -O3)
endif()

rdt_verilate(vrdt_buffer_ram TOP rdt_buffer_ram)
rdt_verilate(vrdt_link_io_3 TOP rdt_link_io PARAMS -GNumVc=3 -GPrio=1 -GAlwaysOn=0)
rdt_verilate(vrdt_link_io_3w TOP rdt_link_io PARAMS -GNumVc=3 -GPrio=0 -GAlwaysOn=0)
rdt_verilate(vrdt_link_io_2 TOP rdt_link_io PARAMS -GNumVc=2 -GPrio=1 -GAlwaysOn=0)
rdt_verilate(vrdt_link_io_2w TOP rdt_link_io PARAMS -GNumVc=2 -GPrio=0 -GAlwaysOn=0)
rdt_verilate(vrdt_link_io_1 TOP rdt_link_io PARAMS -GNumVc=1 -GPrio=0 -GAlwaysOn=1)  # of an MBP
rdt_verilate(vrdt_link_io_1e TOP rdt_link_io PARAMS -GNumVc=1 -GPrio=1 -GAlwaysOn=1)
foreach(port 0 2 4 8)
  rdt_verilate(vrdt_route_${port} TOP rdt_route PARAMS -GInPort=${port})
endforeach()
foreach(port 0 4 8)
  rdt_verilate(vrdt_bitmap_${port} TOP rdt_bitmap PARAMS -GInPort=${port})
endforeach()
rdt_verilate(vrdt_arbiter TOP rdt_arbiter)
rdt_verilate(vrdt_crossbar TOP rdt_crossbar)
# Named by port.
foreach(port_vcs 0:3 1:3 2:2 3:2 4:2 5:2 6:2 7:2 8:1 9:1)
  string(REPLACE ":" ";" port_vcs ${port_vcs})
  list(GET port_vcs 0 port)
  list(GET port_vcs 1 vcs)
  rdt_verilate(vrdt_input_unit_${port} TOP rdt_input_unit PARAMS -GNumVc=${vcs} -GInPort=${port})
  rdt_verilate(vrdt_output_unit_${port} TOP rdt_output_unit PARAMS -GOutPort=${port} -GNumVc=${vcs})
endforeach()
rdt_verilate(vrdt_local TOP rdt_local)
rdt_verilate(vrdt_ack TOP rdt_ack)
rdt_verilate(vrdt_inject TOP rdt_inject)

# A block that is not of this project (docs/tutorials/block.md).
rdt_verilate(vown_arbiter TOP own_arbiter FROM examples/own_block)

# Those that exist, while the RTL is being written: all for the tests, the chip for programs.
get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
set(RDT_TEST_LIBS ${targets})
list(FILTER RDT_TEST_LIBS INCLUDE REGEX "^vrdt_")
list(FILTER RDT_TEST_LIBS EXCLUDE REGEX "^vrdt_(router_.*|pads|node)$")
set(RDT_CHIP_LIBS ${targets})
list(FILTER RDT_CHIP_LIBS INCLUDE REGEX "^vrdt_router$")
# The blocks of a chip in all its variants.
set(RDT_BLOCK_LIBS ${RDT_TEST_LIBS})
list(FILTER RDT_BLOCK_LIBS EXCLUDE REGEX "^vrdt_(router|route|bitmap|buffer_ram|link_io_1$)")
set(RDT_FAST_LIBS ${targets})
list(FILTER RDT_FAST_LIBS INCLUDE REGEX "^vrdt_router_(fast|once|clang)$")
file(GLOB rtl_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*.sv ${CMAKE_SOURCE_DIR}/rtl/*.f)
