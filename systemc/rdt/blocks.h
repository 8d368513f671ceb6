// SPDX-License-Identifier: MIT
// What the router chip is made of. Each block is the module of this folder unless something else
// with the same ports is put in its place: an own arbiter, say, or the RTL (rtl_block.h).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <rdt/ack.h>
#include <rdt/arbiter.h>
#include <rdt/crossbar.h>
#include <rdt/inject.h>
#include <rdt/input_unit.h>
#include <rdt/link_io.h>
#include <rdt/local.h>
#include <rdt/output_unit.h>

namespace rdt {

struct blocks {
    // Of a chip, and of each of its ports.
    template <typename Ports>
    using one = std::function<std::unique_ptr<Ports>(const char* name)>;
    template <typename Ports>
    using ten = std::function<std::unique_ptr<Ports>(const char* name, uint32_t port)>;

    ten<link_io_ports> link_io = [](const char* name, uint32_t p) {
        return std::make_unique<rdt::link_io>(name, vcs_of(p), has_priority(p), is_mbp(p));
    };
    ten<input_unit_ports> input_unit = [](const char* name, uint32_t p) {
        return std::make_unique<rdt::input_unit>(name, vcs_of(p), p);
    };
    ten<output_unit_ports> output_unit = [](const char* name, uint32_t p) {
        return std::make_unique<rdt::output_unit>(name, p, vcs_of(p));
    };
    one<arbiter_ports> arbiter = [](const char* name) {
        return std::make_unique<rdt::arbiter>(name);
    };
    one<crossbar_ports> crossbar = [](const char* name) {
        return std::make_unique<rdt::crossbar>(name);
    };
    one<local_ports> local = [](const char* name) { return std::make_unique<rdt::local>(name); };
    one<ack_ports> ack = [](const char* name) { return std::make_unique<rdt::ack>(name); };
    one<inject_ports> inject = [](const char* name) { return std::make_unique<rdt::inject>(name); };
};

}  // namespace rdt
