// SPDX-License-Identifier: MIT
// The Python module `rdt`: machine, lab and networks as the program has them.
#include "python/interruptible.h"
#include "python/parts.h"

PYBIND11_MODULE(rdt, module) {
    module.doc() =
        "The RDT network, its machine and the lab. Results are those of the program rdt.";
    pybind11::register_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const rdt::python::Stopped&) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
    rdt::python::add_machine(module);
    rdt::python::add_lab(module);
    rdt::python::add_networks(module);
}
