// SPDX-License-Identifier: MIT
// What the module `rdt` is made of.
#pragma once

#include <pybind11/pybind11.h>

namespace rdt::python {

void add_machine(pybind11::module_& module);
void add_lab(pybind11::module_& module);
void add_networks(pybind11::module_& module);

}  // namespace rdt::python
