# SPDX-License-Identifier: MIT
# Headers that other projects include, listed in docs/api.md. A header that these include and that is not
# listed is private: it is installed in rdt/detail, and may change in any version.
set(RDT_PUBLIC_HEADERS
  version.h core/format.h core/flit.h core/pins.h core/route.h fast/router.h
  machine/machine.h machine/transport.h machine/endpoint.h
  machine/traffic/workload.h machine/traffic/synthetic.h machine/traffic/trace.h
  machine/measure/run.h machine/measure/sweep.h
  dsm/memory.h dsm/pattern.h
  net/graph/network.h net/graph/parameters.h net/graph/traffic.h net/graph/graph_network.h
  net/rdt/rdt_geometry.h lab/simulate.h lab/loads.h algo/algorithm.h algo/step_machine.h
  router.h quick_router.h rtl_block.h block.h pins.h wires.h
  arbiter_ports.h crossbar_ports.h input_unit_ports.h link_io_ports.h output_unit_ports.h
  tlm/shared_memory.h tlm/hart.h tlm/packet_ports.h cosim/rtl_chip.h)

# rdt_headers_needed(<variable> <header>...): all headers of the project that these include, and themselves.
function(rdt_headers_needed variable)
  set(open ${ARGN})
  set(found)
  while(open)
    list(POP_FRONT open header)
    list(APPEND found ${header})
    set(file ${CMAKE_SOURCE_DIR}/sim/rdt/${header})
    if(NOT EXISTS ${file})
      set(file ${CMAKE_SOURCE_DIR}/systemc/rdt/${header})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^#include <rdt/")
    list(TRANSFORM lines REPLACE "^#include <rdt/([^>]+)>.*" "\\1")
    list(APPEND open ${lines})
    list(REMOVE_DUPLICATES open)
    list(REMOVE_ITEM open ${found})
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
