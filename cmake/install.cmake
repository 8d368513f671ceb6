# SPDX-License-Identifier: MIT
# What `make install` and the Debian packages consist of. Three components: `program` (rdt, its manual
# page, shell completion and documents), `development` (headers, libraries, RTL, CMake package,
# pkg-config, examples) and, with RDT_PYTHON, `python` (the Python module).
#
# Libraries are those without SystemC and Verilator. The SystemC chip is headers alone; the RTL is
# Verilated where it is used, by the function that rdt-config.cmake brings (see examples/).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rdt)
set(data_dir ${CMAKE_INSTALL_DATADIR}/rdt)
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc)

install(TARGETS rdt rdt-lab RUNTIME COMPONENT program)
foreach(part rdt_rtl_blocks_plugin rdt_gates_plugin)  # libraries of --rtl-blocks and --gates
  if(TARGET ${part})
    install(TARGETS ${part} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/rdt COMPONENT program OPTIONAL)
  endif()
endforeach()

# Known to others as rdt::core and rdt::fast; the parts of it are not named.
add_library(rdt_fast INTERFACE)
target_link_libraries(rdt_fast INTERFACE rdt_sweep rdt_exec rdt_lab rdt_algo)
set_target_properties(rdt_core PROPERTIES EXPORT_NAME core)
set_target_properties(rdt_fast PROPERTIES EXPORT_NAME fast)
install(TARGETS rdt_core rdt_support rdt_geometry rdt_net rdt_net_archive rdt_algo rdt_algo_archive rdt_lab rdt_cosim
                rdt_machine rdt_machine_base rdt_machine_base_archive
                rdt_engine_fast rdt_engine_fast_archive rdt_sweep rdt_dsm rdt_dsm_patterns
                rdt_hart rdt_exec rdt_fast
        EXPORT rdt_targets ARCHIVE COMPONENT development)
install(EXPORT rdt_targets NAMESPACE rdt:: DESTINATION ${package_dir} FILE rdt-targets.cmake
        COMPONENT development)

# Public headers in include/rdt, private ones in include/rdt/detail, which is on the include path, too.
include(cmake/public_headers.cmake)
rdt_headers_needed(headers ${RDT_PUBLIC_HEADERS})
foreach(header ${headers})
  set(folder ${CMAKE_INSTALL_INCLUDEDIR}/rdt/detail/rdt)
  if(header IN_LIST RDT_PUBLIC_HEADERS)
    set(folder ${CMAKE_INSTALL_INCLUDEDIR}/rdt)
  endif()
  set(source sim/rdt/${header})
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${source})
    set(source systemc/rdt/${header})
  endif()
  get_filename_component(below /${header} DIRECTORY)
  install(FILES ${source} DESTINATION ${folder}${below} COMPONENT development)
endforeach()

# The RTL, with a file list whose names stand on their own (verilator -F).
file(STRINGS rtl/rdt_router.f lines)
set(list)
foreach(line ${lines})
  string(REGEX REPLACE "^rtl/" "" line ${line})
  string(REGEX REPLACE "^\\+incdir\\+rtl$" "+incdir+." line ${line})
  string(APPEND list "${line}\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/install/rdt_router.f CONTENT "${list}" @ONLY)
install(DIRECTORY rtl/ DESTINATION ${data_dir}/rtl COMPONENT development
        FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "*.json" PATTERN "*.rdl" PATTERN "*.xml")
install(FILES ${CMAKE_BINARY_DIR}/install/rdt_router.f sim/lint/rdt_public.vlt
        DESTINATION ${data_dir}/rtl COMPONENT development)

configure_package_config_file(cmake/rdt-config.cmake.in ${CMAKE_BINARY_DIR}/install/rdt-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS data_dir)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/rdt-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/rdt-config.cmake
              ${CMAKE_BINARY_DIR}/install/rdt-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)

# Dependencies of programs that link the libraries.
set(rdt_needs_lib " -lpugixml")
set(rdt_needs_package ", libpugixml-dev")
if(METIS_INCLUDE AND METIS_LIBRARY)
  string(APPEND rdt_needs_lib " -lmetis")
  string(APPEND rdt_needs_package ", libmetis-dev")
endif()
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name rdt rdt-systemc)
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/install/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/install/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

install(DIRECTORY examples DESTINATION ${doc_dir}/rdt-dev COMPONENT development)

# Debian packages: make deb. A distributor sets the maintainer.
set(RDT_MAINTAINER "the RDT project <rdt@example.org>" CACHE STRING "Maintainer of the packages")
configure_file(LICENSE ${CMAKE_BINARY_DIR}/install/copyright COPYONLY)
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/install/changelog @ONLY CONTENT
"rdt (@PROJECT_VERSION@) unstable; urgency=medium

  * See CHANGELOG.md beside this file.

 -- @RDT_MAINTAINER@  @today@
")
find_program(GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/install/changelog.gz
  COMMAND ${GZIP} -9 -n -c ${CMAKE_BINARY_DIR}/install/changelog > ${CMAKE_BINARY_DIR}/install/changelog.gz
  DEPENDS ${CMAKE_BINARY_DIR}/install/changelog VERBATIM)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/install/rdt.1.gz
  COMMAND ${CMAKE_COMMAND} -E env SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
          ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/manual.py $<TARGET_FILE:rdt>
          ${CMAKE_BINARY_DIR}/install/rdt.1.gz
  DEPENDS rdt rdt-lab ${CMAKE_SOURCE_DIR}/scripts/manual.py VERBATIM)
# All that is installed, and no test. Part of `all`, so that an install after a build has it.
add_custom_target(install_files ALL
  DEPENDS ${CMAKE_BINARY_DIR}/install/changelog.gz ${CMAKE_BINARY_DIR}/install/rdt.1.gz)
add_dependencies(install_files rdt rdt-lab rdt_support rdt_geometry rdt_net_archive rdt_algo_archive rdt_lab rdt_cosim
                 rdt_machine_base_archive rdt_engine_fast_archive rdt_sweep rdt_dsm rdt_exec)
install(FILES ${CMAKE_BINARY_DIR}/install/rdt.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT program)
install(FILES README.md CONTRIBUTING.md SECURITY.md DESTINATION ${doc_dir}/rdt COMPONENT program)
install(DIRECTORY docs DESTINATION ${doc_dir}/rdt COMPONENT program
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES sim/cli/completion/rdt.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME rdt COMPONENT program)
# zsh of Debian searches site-functions below /usr/local only; packages have a folder of their own.
install(FILES sim/cli/completion/rdt.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _rdt
        COMPONENT program_local)
install(FILES sim/cli/completion/rdt.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
        RENAME _rdt COMPONENT program EXCLUDE_FROM_ALL)

set(packages rdt:program rdt-dev:development)
if(TARGET rdt_python)
  list(APPEND packages python3-rdt:python)
  add_dependencies(install_files rdt_python)
  # Python searches lib/python3.11/dist-packages, or the like, below the prefix of `make install`;
  # Debian packages have one folder for all versions of Python 3.
  execute_process(COMMAND ${Python_EXECUTABLE} -c
    "import os, sysconfig; p = sysconfig.get_path; print(os.path.relpath(p('platlib'), p('data')))"
    OUTPUT_VARIABLE python_dir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  install(TARGETS rdt_python LIBRARY DESTINATION ${python_dir} COMPONENT python_local)
  install(TARGETS rdt_python LIBRARY DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL)
  math(EXPR python_next "${Python_VERSION_MINOR} + 1")
endif()
foreach(package_component ${packages})
  string(REPLACE ":" ";" package_component ${package_component})
  list(GET package_component 0 package)
  list(GET package_component 1 component)
  install(FILES ${CMAKE_BINARY_DIR}/install/copyright ${CMAKE_BINARY_DIR}/install/changelog.gz
                CHANGELOG.md
          DESTINATION ${doc_dir}/${package} COMPONENT ${component})
  list(APPEND components ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rdt)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${RDT_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME rdt)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME rdt-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev, nlohmann-json3-dev, pkg-config${rdt_needs_package}")
# Not a dependency: the program needs SystemC, what is built with the libraries does not.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "rdt (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libsystemc-dev, verilator, iverilog, gtkwave")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3-rdt, gtkwave")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-rdt)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# Added to the libraries that dpkg-shlibdeps finds.
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${python_next}), python3-numpy")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "router chip of the Recursive Diagonal Torus, Python module\n Simulates the machine and the networks of the lab from Python; results are\n dictionaries and NumPy arrays.")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "router chip of the Recursive Diagonal Torus, simulated\n A machine of 64 to 65,536 nodes with the router chip of the Recursive Diagonal\n Torus at every node, packet for packet as its RTL, and a lab of other networks.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "router chip of the Recursive Diagonal Torus, for own models\n Headers and libraries of the machine, the SystemC chip, the SystemVerilog, a\n CMake package, and examples.")
include(CPack)
