// SPDX-License-Identifier: MIT
// Wait graph of a blocked machine: every buffer that holds a packet, and the resource it waits for.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <rdt/machine/machine.h>

namespace rdt::machine {

struct BufferName {
    uint32_t node;
    uint32_t port;  // port of the input
    uint32_t vc;
    bool operator==(const BufferName& o) const {
        return node == o.node && port == o.port && vc == o.vc;
    }
    bool operator<(const BufferName& o) const {
        return std::tie(node, port, vc) < std::tie(o.node, o.port, o.vc);
    }
};
std::string to_string(const BufferName& buffer);  // as 9.W0/1

// A packet in a buffer and one of the outputs that it needs. A multicast may have several.
struct Wait {
    BufferName buffer;
    uint32_t output;                 // output of the same router
    std::string why;                 // for example "9.E0 is down"
    std::optional<BufferName> next;  // buffer that has to become empty first, if any
};

// Only routers with visible registers; an engine of RTL alone shows none.
std::vector<Wait> waits_of(const Machine& machine);

// Buffers each of which waits for the next, the last for the first; empty if there is no such.
std::vector<BufferName> cycle_of(const std::vector<Wait>& waits);

// A few lines of the table.
std::string to_text(const std::vector<Wait>& waits);

}  // namespace rdt::machine
