// SPDX-License-Identifier: MIT
// Compiled with RDT_DATA_W=36 and another name for the namespace rdt.
#include "chip/wide_bench.h"

#include <rdt/router.h>

namespace wide_bench {

static_assert(rdt::DataW == 36);

struct Chip::Inside {
    sc_core::sc_signal<bool> clk{"wide_clk"}, rst_ni{"wide_rst_ni"}, shoot_i{"wide_shoot_i"},
        slice_i{"wide_slice_i"}, err_o{"wide_err_o"}, slice_o{"wide_slice_o"};
    rdt::sigs<rdt::DataW> d_i{"wide_d_i", NumPorts}, d_o{"wide_d_o", NumPorts};
    rdt::sigs<2> req_i{"wide_req_i", NumPorts}, req_o{"wide_req_o", NumPorts},
        cred_i{"wide_cred_i", NumPorts}, cred_o{"wide_cred_o", NumPorts};
    rdt::sigs<1> oe{"wide_oe", NumPorts};
    rdt::router chip{"wide"};

    Inside() {
        chip.clk_i(clk);
        chip.rst_ni(rst_ni);
        chip.shoot_i(shoot_i);
        chip.slice_i(slice_i);
        chip.err_o(err_o);
        chip.slice_o(slice_o);
        chip.d_i(d_i);
        chip.d_o(d_o);
        chip.d_oe_o(oe);
        chip.req_i(req_i);
        chip.req_o(req_o);
        chip.cred_i(cred_i);
        chip.cred_o(cred_o);
    }
};

Chip::Chip() : m_inside(std::make_unique<Inside>()) {}
Chip::~Chip() = default;

void Chip::clock(const In& in) {
    Inside& m = *m_inside;
    for (unsigned p = 0; p < NumPorts; ++p) {
        m.d_i[p].write(in.d[p]);
        m.req_i[p].write(in.req[p]);
        m.cred_i[p].write(in.cred[p]);
    }
    m.shoot_i.write(in.shoot);
    m.slice_i.write(in.slice);
    m.rst_ni.write(in.rst_n);
    m.clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    m.clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
}

Out Chip::pins() const {
    const Inside& m = *m_inside;
    Out out;
    for (unsigned p = 0; p < NumPorts; ++p) {
        out.d[p] = m.d_o[p].read();
        out.oe[p] = m.oe[p].read();
        out.req[p] = unsigned(m.req_o[p].read());
        out.cred[p] = unsigned(m.cred_o[p].read());
    }
    out.err = m.err_o.read();
    out.slice = m.slice_o.read();
    return out;
}

}  // namespace wide_bench
