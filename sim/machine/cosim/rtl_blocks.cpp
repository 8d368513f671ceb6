// SPDX-License-Identifier: MIT
#include "machine/cosim/rtl_blocks.h"

#include <stdexcept>

#include "Vrdt_ack.h"
#include "Vrdt_arbiter.h"
#include "Vrdt_crossbar.h"
#include "Vrdt_inject.h"
#include "Vrdt_input_unit_0.h"
#include "Vrdt_input_unit_1.h"
#include "Vrdt_input_unit_2.h"
#include "Vrdt_input_unit_3.h"
#include "Vrdt_input_unit_4.h"
#include "Vrdt_input_unit_5.h"
#include "Vrdt_input_unit_6.h"
#include "Vrdt_input_unit_7.h"
#include "Vrdt_input_unit_8.h"
#include "Vrdt_input_unit_9.h"
#include "Vrdt_link_io_1e.h"
#include "Vrdt_link_io_2.h"
#include "Vrdt_link_io_2w.h"
#include "Vrdt_link_io_3.h"
#include "Vrdt_link_io_3w.h"
#include "Vrdt_local.h"
#include "Vrdt_output_unit_0.h"
#include "Vrdt_output_unit_1.h"
#include "Vrdt_output_unit_2.h"
#include "Vrdt_output_unit_3.h"
#include "Vrdt_output_unit_4.h"
#include "Vrdt_output_unit_5.h"
#include "Vrdt_output_unit_6.h"
#include "Vrdt_output_unit_7.h"
#include "Vrdt_output_unit_8.h"
#include "Vrdt_output_unit_9.h"
#include "rtl_block.h"

namespace rdt::machine {

namespace {

template <typename Ports>
using Make = std::unique_ptr<Ports> (*)(const char* name, VerilatedContext* context);

template <typename Ports, typename Rtl>
std::unique_ptr<Ports> make(const char* name, VerilatedContext* context) {
    return std::make_unique<rtl_block<Ports, Rtl>>(name, context);
}

// By port, since a parameter of the RTL is a class of its own in C++.
template <typename Ports, typename... Rtl>
blocks::ten<Ports> by_port(VerilatedContext* context) {
    static_assert(sizeof...(Rtl) == NumPorts);
    return [context](const char* name, uint32_t port) {
        constexpr Make<Ports> Makes[] = {make<Ports, Rtl>...};
        return Makes[port](name, context);
    };
}
template <typename Ports, typename Rtl>
blocks::one<Ports> one(VerilatedContext* context) {
    return [context](const char* name) { return make<Ports, Rtl>(name, context); };
}

}  // namespace

const std::vector<std::string>& block_kinds() {
    static const std::vector<std::string> kinds{"link_io",  "input_unit", "output_unit", "arbiter",
                                                "crossbar", "local",      "ack",         "inject"};
    return kinds;
}

blocks with_rtl(const std::set<std::string>& kinds, VerilatedContext* context) {
    blocks parts;
    for (const std::string& kind : kinds) {
        if (kind == "link_io")
            parts.link_io =
                by_port<link_io_ports, Vrdt_link_io_3, Vrdt_link_io_3w, Vrdt_link_io_2,
                        Vrdt_link_io_2w, Vrdt_link_io_2, Vrdt_link_io_2w, Vrdt_link_io_2,
                        Vrdt_link_io_2w, Vrdt_link_io_1e, Vrdt_link_io_1e>(context);
        else if (kind == "input_unit")
            parts.input_unit =
                by_port<input_unit_ports, Vrdt_input_unit_0, Vrdt_input_unit_1, Vrdt_input_unit_2,
                        Vrdt_input_unit_3, Vrdt_input_unit_4, Vrdt_input_unit_5, Vrdt_input_unit_6,
                        Vrdt_input_unit_7, Vrdt_input_unit_8, Vrdt_input_unit_9>(context);
        else if (kind == "output_unit")
            parts.output_unit = by_port<output_unit_ports, Vrdt_output_unit_0, Vrdt_output_unit_1,
                                        Vrdt_output_unit_2, Vrdt_output_unit_3, Vrdt_output_unit_4,
                                        Vrdt_output_unit_5, Vrdt_output_unit_6, Vrdt_output_unit_7,
                                        Vrdt_output_unit_8, Vrdt_output_unit_9>(context);
        else if (kind == "arbiter") parts.arbiter = one<arbiter_ports, Vrdt_arbiter>(context);
        else if (kind == "crossbar") parts.crossbar = one<crossbar_ports, Vrdt_crossbar>(context);
        else if (kind == "local") parts.local = one<local_ports, Vrdt_local>(context);
        else if (kind == "ack") parts.ack = one<ack_ports, Vrdt_ack>(context);
        else if (kind == "inject") parts.inject = one<inject_ports, Vrdt_inject>(context);
        else throw std::invalid_argument("no block is called " + kind);
    }
    return parts;
}

}  // namespace rdt::machine
