// SPDX-License-Identifier: MIT
#include <rdt/traces/trace_text.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rdt::traces {

std::vector<uint32_t> flits_of(uint64_t bytes) {
    constexpr uint64_t BytesOfFlit = 4, Header = 3, Shortest = 5, Longest = 16;
    const uint64_t body = (bytes + BytesOfFlit - 1) / BytesOfFlit;
    const uint64_t packets =
        std::max<uint64_t>(1, (body + Longest - Header - 1) / (Longest - Header));
    std::vector<uint32_t> flits;
    for (uint64_t i = 0; i < packets; ++i) {
        const uint64_t share = body / packets + (i < body % packets ? 1 : 0);
        flits.push_back(uint32_t(std::max(Shortest, Header + share)));
    }
    return flits;
}

std::string to_text(const Line& line) {
    const std::string to = line.maps.empty() ? std::to_string(line.destination) : "mc:" + line.maps;
    std::string text = line.to.empty()
                           ? fmt::format("{} {} {} {}", line.clock, line.source, to, line.flits)
                           : fmt::format("{} {} {}", line.clock, line.source, line.to);
    if (!line.after.empty()) {
        text += fmt::format(" after:{}", fmt::join(line.after, ","));
        if (line.delay > 0) text += fmt::format("+{}", line.delay);
    }
    return text + "\n";
}

}  // namespace rdt::traces
