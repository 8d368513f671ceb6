// SPDX-License-Identifier: MIT
// The Verilated RTL of the chip, a cycle at a time, with random values in all that
// is not reset.
#pragma once

#include <array>
#include <memory>

#include "Vrtl.h"
#include <rdt/core/flit.h>
#include "netlist/peer.h"

namespace rdt::tb {

struct Inputs {
    std::array<PinsIn, NumPorts> link{};
    bool rst_n = false;
    bool shoot = false;
    bool slice = false;
};

class RtlChip {
public:
    explicit RtlChip(uint64_t seed) {
        m_context.randReset(2);
        m_context.randSeed(int(seed % 0x7FFFFFFF) + 1);
        m_model = std::make_unique<Vrtl>(&m_context, "chip");
        m_model->eval();  // with the clock low, so that the first edge is one
    }
    ~RtlChip() { m_model->final(); }

    // Asynchronous sets take effect.
    void drive(const Inputs& in) {
        m_model->req_i = m_model->cred_i = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            for (uint32_t b = 18 * p; b < 18 * p + 18; ++b) {
                m_model->d_i[b / 32] &= ~(1u << b % 32);
                m_model->d_i[b / 32] |= (in.link[p].d >> (b - 18 * p) & 1) << b % 32;
            }
            m_model->req_i |= in.link[p].req << 2 * p;
            m_model->cred_i |= in.link[p].cred << 2 * p;
        }
        m_model->shoot_i = in.shoot;
        m_model->slice_i = in.slice;
        m_model->rst_ni = in.rst_n;
        m_model->eval();
    }
    void clock() {
        m_model->clk_i = 1;
        m_model->eval();
        m_model->clk_i = 0;
        m_model->eval();
    }

    PinsOut pins(uint32_t p) const {
        uint32_t d = 0;
        for (uint32_t b = 18 * p; b < 18 * p + 18; ++b)
            d |= (m_model->d_o[b / 32] >> b % 32 & 1) << (b - 18 * p);
        return {d, (m_model->d_oe_o >> p & 1) != 0, m_model->req_o >> 2 * p & 3,
                m_model->cred_o >> 2 * p & 3};
    }
    bool err() const { return m_model->err_o; }
    bool slice() const { return m_model->slice_o; }

private:
    VerilatedContext m_context;
    std::unique_ptr<Vrtl> m_model;
};

}  // namespace rdt::tb
