// SPDX-License-Identifier: MIT
// A SystemC module with a machine inside that has a cycle of the model's time: what all modules
// with TLM-2.0 sockets have in common.
#pragma once

#include <systemc>

#include <memory>

#include <rdt/machine/transport.h>
#include <rdt/process.h>
#include <rdt/tlm/guest.h>

namespace rdt::tlm_machine {

class MachineModule : public sc_core::sc_module {
public:
    // The rest of the transport follows the machine's kernel.
    ~MachineModule() override {
        m_guest.within([this] { m_transport.reset(); });
    }

    uint64_t now() const { return machine().now(); }  // cycles
    const sc_core::sc_time& period() const { return m_period; }

protected:
    MachineModule(const sc_core::sc_module_name& name, const machine::Config& config,
                  const sc_core::sc_time& period)
        : sc_module(name), m_period(period), m_guest(config) {
        m_guest.within([this] { m_guest.machine().bring_up(); });
        m_transport = std::make_unique<machine::Transport>(m_guest.machine());
        RDT_HAS_PROCESS(MachineModule);
        SC_METHOD(step);
    }

    // One cycle of the machine, with its kernel: may notify events of the model, and may not wait.
    virtual void clock() = 0;

    const machine::Machine& machine() const { return m_guest.machine(); }
    Guest& guest() { return m_guest; }
    machine::Transport& transport() { return *m_transport; }
    const machine::Transport& transport() const { return *m_transport; }

private:
    // Half a period beside the multiples of the period, at which initiators usually act, and late
    // in that instant: which of two processes of the same time runs first shall not matter.
    void step() {
        if (m_step == Step::Begin) {
            m_step = Step::Instant;
            next_trigger(m_period / 2);
        } else if (m_step == Step::Instant) {
            m_step = Step::Late;
            next_trigger(sc_core::SC_ZERO_TIME);
        } else {
            m_step = Step::Instant;
            m_guest.within([this] { clock(); });
            next_trigger(m_period);
        }
    }

    const sc_core::sc_time m_period;
    enum class Step { Begin, Instant, Late } m_step = Step::Begin;
    Guest m_guest;
    std::unique_ptr<machine::Transport> m_transport;
};

}  // namespace rdt::tlm_machine
