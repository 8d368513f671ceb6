# SPDX-License-Identifier: MIT
# Block tests in four-state logic. A pass is a line that starts with PASS and exit code 0.
file(GLOB benches CONFIGURE_DEPENDS tb/icarus/*_tb.sv)
foreach(bench ${benches})
  get_filename_component(name ${bench} NAME_WE)
  rdt_check(icarus/${name} LABELS icarus
            COMMAND ${Python3_EXECUTABLE} scripts/run_icarus.py ${bench}
                    ${CMAKE_BINARY_DIR}/icarus/${name}.vvp)
endforeach()
