# SPDX-License-Identifier: MIT
# The Python module `rdt` (pybind11), in build/python. `make python`, `make install`, `make deb` and
# `pip install .` turn it on; -DPython_EXECUTABLE=... chooses the interpreter.
option(RDT_PYTHON "Build the Python module (needs pybind11 and the headers of Python)" OFF)
if(NOT RDT_PYTHON)
  return()
endif()
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/python/*.cpp)
pybind11_add_module(rdt_python MODULE NO_EXTRAS ${python_sources})
set_target_properties(rdt_python PROPERTIES OUTPUT_NAME rdt LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
target_link_libraries(rdt_python PRIVATE rdt_warnings rdt_sweep rdt_dsm rdt_lab)
# The module exports its entry point only.
target_link_options(rdt_python PRIVATE LINKER:--exclude-libs,ALL)

set(run_check ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
    ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tb/program/python_module.py $<TARGET_FILE:rdt>)
add_custom_target(check_python COMMAND ${run_check} COMMAND ${run_check} --inject
                  DEPENDS rdt rdt-lab rdt_python USES_TERMINAL)
