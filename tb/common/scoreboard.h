// SPDX-License-Identifier: MIT
// What has to come out where. Empty at the end, or the test has not passed.
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "common/packet.h"

namespace rdt::tb {

class Scoreboard {
public:
    // `where` is any number that names a link end.
    void expect(uint32_t where, uint32_t vc, Flits flits) {
        ++m_due[{where, vc, std::move(flits)}];
        ++m_open;
        ++m_expected;
    }

    std::optional<std::string> receive(uint32_t where, uint32_t vc, const Flits& flits) {
        const auto it = m_due.find({where, vc, flits});
        if (it == m_due.end())
            return fmt::format("no sent packet matches this at {} on VC {}: {:05x}", where, vc,
                               fmt::join(flits, " "));
        if (--it->second == 0) m_due.erase(it);
        --m_open;
        return std::nullopt;
    }

    bool empty() const { return m_open == 0; }
    uint64_t open() const { return m_open; }
    uint64_t expected() const { return m_expected; }
    uint64_t received() const { return m_expected - m_open; }

    // The first few that are missing, for a message.
    std::string missing() const {
        std::string text = fmt::format("{} packets missing", m_open);
        int shown = 0;
        for (const auto& [key, count] : m_due) {
            if (++shown > 5) break;
            text += fmt::format("\n  {} x at {} VC {}: {:05x}", count, std::get<0>(key),
                                std::get<1>(key), fmt::join(std::get<2>(key), " "));
        }
        return text;
    }

private:
    std::map<std::tuple<uint32_t, uint32_t, Flits>, uint64_t> m_due;
    uint64_t m_open = 0;
    uint64_t m_expected = 0;
};

}  // namespace rdt::tb
