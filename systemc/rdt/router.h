// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_router.sv: the RDT router, ten links and eleven crossbar outputs. Instances and
// wiring, name for name as in the RTL:
//   u_link_io      I/O controller of a link: line ownership, arriving flits, credits
//   u_input_unit   buffers, bit-map generator and multicast controller of a port
//   u_arbiter      grants crossbar outputs to inputs
//   u_crossbar     10 x 11
//   u_output_unit  header rewrite, and the credits from the other end
//   u_local        the eleventh output: registers, reports, shoot-down
//   u_ack          acknowledge combining
//   u_inject       acks and packets of the router itself; u_glue: the gates between the blocks
//   u_reduce       only with reductions: operands of the acks of a barrier
#pragma once

#include <rdt/blocks.h>
#include <rdt/core/flit.h>
#include <rdt/glue.h>
#include <rdt/router_signals.h>

namespace rdt {

class router : public router_signals {
public:
    // `parts` selects the module of each instance: by default the modules of this folder.
    explicit router(sc_core::sc_module_name name, const blocks& parts = {});
    ~router() override;

    std::unique_ptr<link_io_ports> u_link_io[NumPorts];
    std::unique_ptr<input_unit_ports> u_input_unit[NumPorts];
    std::unique_ptr<output_unit_ports> u_output_unit[NumPorts];
    std::unique_ptr<arbiter_ports> u_arbiter;
    std::unique_ptr<crossbar_ports> u_crossbar;
    std::unique_ptr<local_ports> u_local;
    std::unique_ptr<ack_ports> u_ack;
    std::unique_ptr<inject_ports> u_inject;
    std::unique_ptr<reduce_ports> u_reduce;  // only with reductions
    glue u_glue{"u_glue"};

private:
    void connect_link(uint32_t p);
    void connect_input(uint32_t p);
    void connect_output(uint32_t p);
    void connect_arbiter();
    void connect_local();
    void connect_ack();
    void connect_inject();
    void connect_reduce();
    void connect_glue();
    // Expressions that the RTL has in its port connections.
    void spread_link() {
        for (uint32_t p = 0; p < NumPorts; ++p)
            link_en[p].write(is_mbp(p) || (uint32_t(link.read()) >> p & 1) != 0);
    }
    void spread_look() {
        for (uint32_t p = 0; p < NumPorts; ++p) look_in[p].write(look.read() >> 3 * p & 7);
    }
    // In reset no driver is on, whether the clock runs or not.
    void enable() {
        for (uint32_t p = 0; p < NumPorts; ++p) d_oe_o[p].write(oe[p].read() && rst_ni.read());
    }
    void gather_credits();
    // With reductions: the header of a whole node is twice the same.
    void spread_slices() {
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_reduce->rx_slice[p].write(slice0(flit_t(rx_d[p].read())));
    }
    void add_result() {
        inj_x.write(m_reduce->ack_x.read() ^ uint32_t(m_reduce->flip.read()) * DataLanes);
    }

    std::unique_ptr<reduce_signals> m_reduce;  // only with u_reduce
};

}  // namespace rdt

// All of the chip is headers, unless who builds it has it in a library (router.cpp).
#ifndef RDT_CHIP_IN_LIBRARY
#include <rdt/router_body.h>
#endif
