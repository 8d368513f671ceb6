// SPDX-License-Identifier: MIT
// What the router chip is made of. Each block is the module of this folder unless another module
// with the same ports replaces it, for example a custom arbiter or the RTL (rtl_block.h).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <rdt/ack_ports.h>
#include <rdt/arbiter_ports.h>
#include <rdt/crossbar_ports.h>
#include <rdt/inject_ports.h>
#include <rdt/input_unit_ports.h>
#include <rdt/link_io_ports.h>
#include <rdt/local_ports.h>
#include <rdt/output_unit_ports.h>
#include <rdt/reduce_ports.h>

namespace rdt {

struct blocks {
    // The modules of this folder, with these parameters (of one lane).
    blocks(const ChipOptions& options = {});

    // Blocks of a router, and of each of its ports.
    template <typename Ports>
    using one = std::function<std::unique_ptr<Ports>(const char* name)>;
    template <typename Ports>
    using ten = std::function<std::unique_ptr<Ports>(const char* name, uint32_t port)>;

    uint32_t entries;  // entries of the ack table
    ten<link_io_ports> link_io;
    ten<input_unit_ports> input_unit;
    ten<output_unit_ports> output_unit;
    one<arbiter_ports> arbiter;
    one<crossbar_ports> crossbar;
    one<local_ports> local;
    one<ack_ports> ack;
    one<inject_ports> inject;
    one<reduce_ports> reduce;  // empty: none
};

}  // namespace rdt
