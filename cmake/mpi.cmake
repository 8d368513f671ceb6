# SPDX-License-Identifier: MIT
# What notes the messages of MPI programs, and programs to try it with: built by make mpi alone, with
# the compilers of whatever MPI there is.
find_program(MPICC mpicc)
find_program(MPICXX mpicxx)
if(NOT MPICC OR NOT MPICXX)
  return()
endif()

set(shim ${CMAKE_BINARY_DIR}/lib/librdt_mpi.so)
set(shim_sources ${CMAKE_SOURCE_DIR}/sim/mpi/point_to_point.cpp ${CMAKE_SOURCE_DIR}/sim/mpi/collectives.cpp)
add_custom_command(
  OUTPUT ${shim}
  COMMAND ${MPICXX} -std=c++17 -O2 -Wall -Wextra -Werror -DOMPI_SKIP_MPICXX -fPIC -shared -o ${shim} ${shim_sources}
  DEPENDS ${shim_sources} ${CMAKE_SOURCE_DIR}/sim/mpi/notes.h
  COMMENT "Building librdt_mpi.so"
  VERBATIM)
set(mpi_programs)
foreach(name stencil all_to_all)
  set(source ${CMAKE_SOURCE_DIR}/examples/mpi/${name}.c)
  set(program ${CMAKE_BINARY_DIR}/mpi/${name})
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/mpi
    COMMAND ${MPICC} -std=c11 -O2 -Wall -Wextra -Werror -o ${program} ${source} -lm
    DEPENDS ${source}
    VERBATIM)
  list(APPEND mpi_programs ${program})
endforeach()
add_custom_target(rdt_mpi DEPENDS ${shim} ${mpi_programs})
