// SPDX-License-Identifier: MIT
// The workload of a shared memory (--traffic dsm-...) is in rdt-lab alone, so that a first run need
// not build it.
#pragma once

#include <cstdint>
#include <memory>

#include <rdt/dsm/options.h>
#include <rdt/machine/machine.h>
#include <rdt/machine/traffic/workload.h>

namespace rdt {

// A program with the shared memory sets these functions before main().
struct SharedMemory {
    std::unique_ptr<machine::Workload> (*make)(const machine::Machine&, const dsm::Options&);
    uint64_t (*operations)(const machine::Workload&);  // done so far
};
inline SharedMemory& shared_memory() {
    static SharedMemory functions{nullptr, nullptr};
    return functions;
}

}  // namespace rdt
