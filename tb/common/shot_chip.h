// SPDX-License-Identifier: MIT
// One chip that is shot down in the middle of its load, again and again: everything it holds is
// handed to MBP 0 and put back.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <random>
#include <string>

#include "common/chip_traffic.h"
#include "common/shot_keeper.h"

namespace rdt::tb {

class ShotChip {
public:
    enum Trigger { Pin, Register, Timeout };
    using Spoil = std::function<void(ShotKeeper&)>;

    ShotChip(WiredChips& net, uint64_t seed, uint32_t load = 100)
        : m_random(seed), m_net(net), m_traffic(net, seed), m_keeper(net.endpoint(0, PortM0)) {
        m_traffic.intercept = [this](const Flits& flits) {
            return m_keeper.take(flits) || is_notice(flits);
        };
        m_traffic.load = load;
        m_traffic.configure();
    }

    // Some cycles of load, then everything out and in again. `spoil` is an injected bug that alters
    // the stored state.
    void shoot(Trigger trigger, const Spoil& spoil = {}) {
        load(m_random() % 600);
        pull(trigger);
        if (!wait([this] { return m_keeper.ended(); }, 20000, "no End")) return;
        load(m_random() % 200);
        m_dumped += m_keeper.slots().size();
        if (spoil) spoil(m_keeper);
        m_keeper.put_back(false);
        if (trigger == Timeout) write({{RegTimeout, 0}, {RegCtrl, 0}});
        if (!wait([this] { return m_keeper.settled(); }, 40000, "not put back")) return;
        m_keeper.run();
        if (!wait([this] { return running(); }, 20000, "does not run")) return;
        ++m_shots;
        if (m_random() % 8 == 0) {
            m_traffic.settle();
            m_traffic.configure();
        }
    }

    std::string finish() {
        m_traffic.settle();
        return m_error.empty() ? m_traffic.verdict() : m_error;
    }
    bool ok() const { return m_error.empty() && m_traffic.ok(); }

    uint64_t shots() const { return m_shots; }
    uint64_t dumped() const { return m_dumped; }
    uint64_t notices() const { return m_notices; }
    const ShotKeeper& keeper() const { return m_keeper; }
    const ChipTraffic& traffic() const { return m_traffic; }

private:
    void load(uint64_t clocks) {
        while (clocks-- > 0 && ok()) m_traffic.clock();
    }
    template <typename Test>
    bool wait(Test&& test, uint64_t limit, const char* what) {
        for (uint64_t n = 0; n < limit && ok(); ++n) {
            if (test()) return true;
            m_traffic.clock();
        }
        const fast::Local::Regs& q = m_net.state(0).local().q();
        if (ok())
            m_error = fmt::format("{} at cycle {}: LOCAL in state {}, shot {}, scan {}", what,
                                  m_net.now(), q.st, q.shot, q.scan);
        return false;
    }
    void write(const RegisterValues& values) {
        m_net.endpoint(0, PortM0).send_first(setup_write(values));
    }
    bool running() const { return m_net.state(0).local().q().shot == ShotRun; }

    void pull(Trigger trigger) {
        switch (trigger) {
        case Pin:
            m_net.shoot(0, true);
            m_traffic.clock();
            m_net.shoot(0, false);
            break;
        case Register: write({{RegCtrl, 4}}); break;
        case Timeout: write({{RegCtrl, 2}, {RegTimeout, 20}}); break;
        }
        wait([this] { return !running(); }, 20000, "not shot down");
    }

    // The time-out that shoots down is reported too.
    bool is_notice(const Flits& flits) {
        const bool notice = (flits[0] & 0x1FFFF) == (TypeErr << 14 | 2u << 10 | ErrTimeout);
        m_notices += notice ? 1 : 0;
        return notice;
    }

    std::mt19937_64 m_random;
    WiredChips& m_net;
    ChipTraffic m_traffic;
    ShotKeeper m_keeper;
    uint64_t m_shots = 0;
    uint64_t m_dumped = 0;
    uint64_t m_notices = 0;
    std::string m_error;
};

}  // namespace rdt::tb
