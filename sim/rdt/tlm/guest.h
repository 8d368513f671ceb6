// SPDX-License-Identifier: MIT
// A machine of any engine within a SystemC model. Engines of SystemC have a kernel of their own,
// whose clock is not the model's; while the machine is worked with, its kernel is the current one.
#pragma once

#include <systemc>

#include <memory>

#include <rdt/machine/machine.h>

namespace rdt::tlm_machine {

class Guest {
public:
    explicit Guest(const machine::Config& config) {
        const Contexts host = Contexts::current();
        m_machine = machine::make_machine(config);
        m_own = Contexts::current();
        host.enter();
    }
    ~Guest() {
        const Visit visit(m_own);
        m_machine.reset();
    }
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    // Nothing but what is const without `within`.
    machine::Machine& machine() { return *m_machine; }
    const machine::Machine& machine() const { return *m_machine; }

    // Calls f with the machine's kernel. f may notify events of the model, and may not wait.
    template <class F>
    void within(F&& f) {
        const Visit visit(m_own);
        f();
    }

private:
    struct Contexts {
        sc_core::sc_simcontext* now = nullptr;
        sc_core::sc_simcontext* usual = nullptr;

        static Contexts current() {
            return {sc_core::sc_curr_simcontext, sc_core::sc_default_global_context};
        }
        void enter() const {
            sc_core::sc_curr_simcontext = now;
            sc_core::sc_default_global_context = usual;
        }
    };
    class Visit {
    public:
        explicit Visit(const Contexts& to) : m_host(Contexts::current()) { to.enter(); }
        ~Visit() { m_host.enter(); }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

    private:
        const Contexts m_host;
    };

    std::unique_ptr<machine::Machine> m_machine;
    Contexts m_own;
};

}  // namespace rdt::tlm_machine
