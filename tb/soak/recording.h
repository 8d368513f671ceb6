// SPDX-License-Identifier: MIT
// 64 routers of the fast engine, recorded for the gates, which are clocked later.
#pragma once

#include <string>
#include <vector>

#include <rdt/machine/engines/gate_routers.h>

namespace rdt::tb::soak {

struct Cycle {
    bool rst_n = false;
    machine::GateRouters::PinWordsOf64 in;   // inputs of the routers
    machine::GateRouters::PinWordsOf64 out;  // their outputs after the edge
};

// Cycles that the gates have not had yet.
class Recording {
public:
    size_t size() const { return m_end - m_begin; }
    Cycle& add() {
        if (m_end == m_cycles.size()) m_cycles.emplace_back();
        return m_cycles[m_end++];
    }
    // Valid until the next add().
    const Cycle& take() {
        const Cycle& cycle = m_cycles[m_begin++];
        if (m_begin == m_end) m_begin = m_end = 0;
        return cycle;
    }

private:
    std::vector<Cycle> m_cycles;
    size_t m_begin = 0;
    size_t m_end = 0;
};

// One seed.
class RecordedRun {
public:
    virtual ~RecordedRun() = default;
    // At least one more cycle in the recording, unless it is over.
    virtual bool step() = 0;
    virtual std::string error() { return {}; }

    Recording recording;
};

}  // namespace rdt::tb::soak
