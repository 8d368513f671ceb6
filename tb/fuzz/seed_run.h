// SPDX-License-Identifier: MIT
// One seed of a fuzz run: calm or disturbed epochs, resets, and all stimuli of the routers' pins.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/surroundings.h"

namespace rdt::tb::fuzz {

// `Models` are Together chips, each as often as there are models to compare.
template <typename Models>
class SeedRun {
public:
    // Other arguments go to the models.
    template <typename... Args>
    SeedRun(uint64_t seed, uint32_t kinds, Totals& totals, Args&&... args)
        : m_random(seed), m_kinds(kinds), m_totals(totals), m_models(std::forward<Args>(args)...) {
        for (uint32_t c = 0; c < Together; ++c)
            m_around.push_back(
                std::make_unique<Surroundings>(seed * Together + c + 1000, kinds, totals));
        ++totals.seeds;
    }

    // The difference, or empty.
    std::string clock() {
        if (m_now == m_epoch_ends) begin_epoch();
        if (m_reset_every != 0 && m_random.below(m_reset_every) == 0) begin_reset();
        const bool rst_n = m_now >= m_reset_until;
        typename Models::PinsIn in;
        for (uint32_t c = 0; c < Together; ++c) {
            in[c] = &m_around[c]->clock(m_models.pins(c), m_now);
            if (!rst_n) m_around[c]->reset(m_reset_peers[c]);
        }
        m_models.clock(in, rst_n);
        ++m_now;
        ++m_totals.clocks;
        if (m_now == m_reset_until)
            for (auto& around : m_around) around->configure();
        count_events();
        return m_models.difference();
    }
    uint64_t now() const { return m_now; }
    const Models& models() const { return m_models; }

private:
    static constexpr uint32_t Together = Models::Together;
    static constexpr uint32_t AllPeers = (1u << NumPorts) - 1;

    // Many epochs are calm, and most of those begin with a reset, because damage of a disturbed
    // epoch on the links would persist otherwise.
    void begin_epoch() {
        const bool calm = m_random.chance(40) || m_now == 0;
        // A credit is missed after thousands of cycles in which nothing else mends the link.
        const bool lasts = m_random.chance(20);
        m_epoch_ends = m_now + (lasts ? m_random.between(4000, 8000) : m_random.between(300, 4000));
        const bool resets = !lasts && m_random.chance(40) && (m_kinds >> Resets & 1) != 0;
        m_reset_every = resets ? m_random.between(100, 1500) : 0;
        for (auto& around : m_around) around->begin_epoch(calm || m_random.chance(20));
        if (m_now == 0 || (calm && m_random.chance(80))) begin_reset(true);
    }

    void begin_reset(bool all_peers = false) {
        m_reset_until = m_now + m_random.between(1, 4);
        m_totals.resets += Together;
        for (uint32_t& peers : m_reset_peers)
            peers = all_peers || m_random.chance(60) ? AllPeers
                    : m_random.chance(50)            ? 0
                                                     : m_random.bits(NumPorts);
    }

    void count_events() {
        for (uint32_t c = 0; c < Together; ++c) {
            const auto& local = m_models.state(c).local().q();
            const bool halted = local.shot != ShotRun;
            m_totals.shoot_downs += halted && !m_halted[c];
            m_halted[c] = halted;
            m_totals.sunk += local.cfg.sunk_cnt == m_sunk[c] + 1;
            m_sunk[c] = local.cfg.sunk_cnt;
        }
    }

    Dice m_random;
    uint32_t m_kinds;
    Totals& m_totals;
    Models m_models;
    std::vector<std::unique_ptr<Surroundings>> m_around;
    uint64_t m_now = 0;
    uint64_t m_epoch_ends = 0;
    uint64_t m_reset_until = 0;
    uint32_t m_reset_every = 0;  // cycles, about; 0: never
    std::array<uint32_t, Together> m_reset_peers{};
    std::array<bool, Together> m_halted{};
    std::array<uint32_t, Together> m_sunk{};
};

}  // namespace rdt::tb::fuzz
