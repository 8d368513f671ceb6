// SPDX-License-Identifier: MIT
// What the router chip is made of. Each block is the module of this folder unless something else
// with the same ports is put in its place: an own arbiter, say, or the RTL (rtl_block.h).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <rdt/ack_ports.h>
#include <rdt/arbiter_ports.h>
#include <rdt/core/format.h>
#include <rdt/crossbar_ports.h>
#include <rdt/inject_ports.h>
#include <rdt/input_unit_ports.h>
#include <rdt/link_io_ports.h>
#include <rdt/local_ports.h>
#include <rdt/output_unit_ports.h>

namespace rdt {

// The modules of this folder.
std::unique_ptr<link_io_ports> make_link_io(const char* name, uint32_t port);
std::unique_ptr<input_unit_ports> make_input_unit(const char* name, uint32_t port);
std::unique_ptr<output_unit_ports> make_output_unit(const char* name, uint32_t port);
std::unique_ptr<arbiter_ports> make_arbiter(const char* name);
std::unique_ptr<crossbar_ports> make_crossbar(const char* name);
std::unique_ptr<local_ports> make_local(const char* name);
std::unique_ptr<ack_ports> make_ack(const char* name);
std::unique_ptr<inject_ports> make_inject(const char* name);

struct blocks {
    // Of a chip, and of each of its ports.
    template <typename Ports>
    using one = std::function<std::unique_ptr<Ports>(const char* name)>;
    template <typename Ports>
    using ten = std::function<std::unique_ptr<Ports>(const char* name, uint32_t port)>;

    ten<link_io_ports> link_io = make_link_io;
    ten<input_unit_ports> input_unit = make_input_unit;
    ten<output_unit_ports> output_unit = make_output_unit;
    one<arbiter_ports> arbiter = make_arbiter;
    one<crossbar_ports> crossbar = make_crossbar;
    one<local_ports> local = make_local;
    one<ack_ports> ack = make_ack;
    one<inject_ports> inject = make_inject;
};

}  // namespace rdt
