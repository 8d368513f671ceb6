// SPDX-License-Identifier: MIT
// The Verilated chip.
#pragma once

#include <verilated.h>

#include <memory>
#include <mutex>
#include <string>

#include <rdt/cosim/chip_pins.h>

namespace rdt::machine {

// Makes a context the thread's and returns the one before. Verilator also keeps the last one of all
// threads, which becomes that of a thread without any.
inline VerilatedContext* exchange_thread_context(VerilatedContext* context) {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    VerilatedContext* const before = Verilated::threadContextp();
    Verilated::threadContextp(context);
    return before;
}

// A context that leaves the thread's as it is; a plain one makes itself the thread's.
class OwnContext {
public:
    OwnContext() : m_before(Verilated::threadContextp()) {
        m_context.fatalOnError(false);
        Verilated::threadContextp(m_before);
    }
    VerilatedContext& get() { return m_context; }
    const VerilatedContext& get() const { return m_context; }

private:
    VerilatedContext* m_before;
    VerilatedContext m_context;
};

// Models are made, evaluated and destroyed in the thread's context: in this one, as long as this
// lives.
class ContextScope {
public:
    explicit ContextScope(VerilatedContext& context)
        : m_before(exchange_thread_context(&context)) {}
    ~ContextScope() { exchange_thread_context(m_before); }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

private:
    VerilatedContext* m_before;
};

// `Model` is a Verilated rdt_router, with or without tracing.
template <typename Model>
class RtlChip {
public:
    RtlChip(VerilatedContext* context, const std::string& name)
        : m_model(std::make_unique<Model>(context, name.c_str())) {
        m_model->clk_i = 0;  // so that the first edge is one
        m_model->rst_ni = 0;
        m_model->eval();
    }
    ~RtlChip() { m_model->final(); }

    // Pins for the coming edge.
    void drive(const core::PinsIn& in, bool rst_n) {
        uint32_t d[6] = {};
        uint32_t req = 0;
        uint32_t cred = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsIn& l = in.link[p];
            const uint64_t shifted = uint64_t(l.d) << (18 * p % 32);
            d[18 * p / 32] |= uint32_t(shifted);
            if (18 * p / 32 < 5) d[18 * p / 32 + 1] |= uint32_t(shifted >> 32);
            req |= l.req << 2 * p;
            cred |= l.cred << 2 * p;
        }
        for (int w = 0; w < 6; ++w) m_model->d_i[w] = d[w];
        m_model->req_i = req;
        m_model->cred_i = cred;
        m_model->shoot_i = in.shoot;
        m_model->slice_i = in.slice;
        m_model->rst_ni = rst_n;
    }

    // Internal signals follow the pins.
    void settle() { m_model->eval(); }
    void edge() {
        m_model->clk_i = 1;
        m_model->eval();
        m_model->clk_i = 0;
        m_model->eval();
    }

    uint32_t d_o(uint32_t p) const {
        const uint32_t w = 18 * p / 32;
        uint64_t words = m_model->d_o[w];
        if (w < 5) words |= uint64_t(m_model->d_o[w + 1]) << 32;
        return uint32_t(words >> (18 * p % 32)) & 0x3FFFF;
    }
    bool d_oe_o(uint32_t p) const { return m_model->d_oe_o >> p & 1; }
    uint32_t req_o(uint32_t p) const { return m_model->req_o >> 2 * p & 3; }
    uint32_t cred_o(uint32_t p) const { return m_model->cred_o >> 2 * p & 3; }

    ChipPins pins() const {
        ChipPins out;
        for (uint32_t p = 0; p < NumPorts; ++p)
            out.link[p] = {d_o(p), d_oe_o(p), req_o(p), cred_o(p)};
        out.err = m_model->err_o;
        out.slice = m_model->slice_o;
        return out;
    }

    Model& model() { return *m_model; }

private:
    std::unique_ptr<Model> m_model;
};

// The same around sim/bench/rdt_router_once.sv: each change of its cycle is a whole cycle.
template <typename Model>
class OnceChip : public RtlChip<Model> {
public:
    using RtlChip<Model>::RtlChip;
    void edge() {
        this->model().clk_i ^= 1;
        this->model().eval();
    }
};

}  // namespace rdt::machine
