# SPDX-License-Identifier: MIT
# The Python module `rdt` (pybind11), in build/python. Python loads shared objects, so all that is in
# it is compiled a second time, as position-independent code: the libraries of everything else stay
# as fast as they are. Not part of `all`: `make python` builds and tests it.
set(RDT_PYTHON_EXECUTABLE)
foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(
    COMMAND ${candidate} -c "import numpy, pybind11, sysconfig; print(pybind11.get_include()); print(sysconfig.get_path('include')); print(sysconfig.get_config_var('EXT_SUFFIX'))"
    OUTPUT_VARIABLE found RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(RDT_PYTHON_EXECUTABLE ${candidate})
    break()
  endif()
endforeach()
if(NOT RDT_PYTHON_EXECUTABLE)
  message(STATUS "Without pybind11 and NumPy: the Python module is left out")
  return()
endif()
string(REPLACE "\n" ";" found "${found}")
list(GET found 0 1 python_includes)
list(GET found 2 python_suffix)

file(GLOB python_sources CONFIGURE_DEPENDS sim/python/*.cpp)
add_library(rdt_python MODULE EXCLUDE_FROM_ALL ${python_sources}
            ${support_sources} ${net_sources} ${lab_sources} ${cosim_sources} ${machine_sources}
            ${fast_engine_sources})
set_target_properties(rdt_python PROPERTIES
  OUTPUT_NAME rdt PREFIX "" SUFFIX ${python_suffix} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(rdt_python PRIVATE sim systemc)
target_include_directories(rdt_python SYSTEM PRIVATE ${python_includes})
# Most of the time goes into others' headers: they are read once.
target_precompile_headers(rdt_python PRIVATE
  <algorithm> <array> <deque> <functional> <map> <memory> <mutex> <optional> <set> <sstream> <string>
  <thread> <unordered_map> <vector> <fmt/core.h> <fmt/ranges.h> <nlohmann/json.hpp>)
target_link_libraries(rdt_python PRIVATE rdt_warnings fmt::fmt nlohmann_json::nlohmann_json
                      pugixml::pugixml Threads::Threads)
if(METIS_INCLUDE AND METIS_LIBRARY)
  target_include_directories(rdt_python PRIVATE ${METIS_INCLUDE})
  target_link_libraries(rdt_python PRIVATE ${METIS_LIBRARY})
endif()
add_custom_target(check_python
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_BINARY_DIR}/python SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
          ${RDT_PYTHON_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/check_python.py $<TARGET_FILE:rdt>
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_BINARY_DIR}/python SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
          ${RDT_PYTHON_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/check_python.py $<TARGET_FILE:rdt> --plant
  DEPENDS rdt rdt_python USES_TERMINAL)
