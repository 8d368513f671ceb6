// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <rdt/support/batches.h>

namespace rdt {

// Numbers between commas, finite and not negative; Unknown for an empty field. Nothing, if one is
// none of these.
inline std::optional<std::vector<double>> read_fields(const std::string& line) {
    std::vector<double> values;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (;;) {
        double value = Unknown;
        if (at != end && *at != ',') {
            const auto [next, error] = std::from_chars(at, end, value);
            if (error != std::errc() || !std::isfinite(value) || std::signbit(value))
                return std::nullopt;
            at = next;
        }
        values.push_back(value);
        if (at == end) return values;
        if (*at++ != ',') return std::nullopt;
    }
}

}  // namespace rdt
