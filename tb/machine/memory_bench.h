// SPDX-License-Identifier: MIT
// A shared memory on a machine, driven by a test cycle by cycle.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include <rdt/dsm/memory.h>

namespace rdt::tb {

class MemoryBench {
public:
    MemoryBench(machine::Config config, dsm::Options options)
        : m_machine(running(machine::make_machine(with_registers(std::move(config))))),
          memory(*m_machine, driven(std::move(options))),
          m_transport(*m_machine) {
        m_transport.on_delivery = [this](const machine::Packet& p, const machine::Delivery& d) {
            memory.delivered(m_transport, p, d);
        };
        m_transport.on_ack = [this](const machine::Packet& p, uint32_t status) {
            memory.acked(m_transport, p, status);
        };
    }

    void clock() {
        memory.clock(m_transport);
        m_transport.clock();
    }
    // Returns false if the condition does not hold after so many cycles.
    template <class F>
    bool run_until(F&& condition, uint64_t cycles) {
        for (uint64_t i = 0; i < cycles && !condition(); ++i) clock();
        return condition();
    }
    // Lets all messages arrive, and compares all copies with the memory.
    std::string finish() {
        run_until([this] { return m_transport.open() == 0; }, 1000000);
        for (int i = 0; i < 4; ++i) clock();
        memory.check();
        return memory.error();
    }
    // One operation, to its end.
    dsm::Result perform(uint32_t processor, const dsm::Access& access) {
        dsm::Result got;
        bool has_ended = false;
        memory.request(processor, {access, [&](const dsm::Result& result) {
                                       got = result;
                                       has_ended = true;
                                   }});
        EXPECT_TRUE(run_until([&] { return has_ended; }, 1000000));
        return got;
    }
    uint64_t load(uint32_t processor, uint64_t address, uint32_t size = 8) {
        dsm::Access a;
        a.address = address;
        a.size = size;
        return perform(processor, a).value;
    }
    dsm::Result store(uint32_t processor, uint64_t address, uint64_t value, uint32_t size = 8,
                      dsm::Op op = dsm::Op::Store) {
        dsm::Access a;
        a.address = address;
        a.size = size;
        a.value = value;
        a.op = op;
        return perform(processor, a);
    }
    uint64_t now() const { return m_machine->now(); }

private:
    static std::unique_ptr<machine::Machine> running(std::unique_ptr<machine::Machine> machine) {
        machine->bring_up();
        return machine;
    }
    static machine::Config with_registers(machine::Config config) {
        if (config.t_ent == 0) config.t_ent = dsm::DefaultTEnt;
        if (config.t_ack == 0) config.t_ack = dsm::DefaultTAck;
        return config;
    }
    static dsm::Options driven(dsm::Options options) {
        options.operations = 0;
        return options;
    }
    std::unique_ptr<machine::Machine> m_machine;

public:
    dsm::Memory memory;

private:
    machine::Transport m_transport;
};

}  // namespace rdt::tb
