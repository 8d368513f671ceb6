// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/block_kinds.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rdt::machine {

const std::vector<std::string>& block_kinds() {
    static const std::vector<std::string> kinds{"link_io",  "input_unit", "output_unit", "arbiter",
                                                "crossbar", "local",      "ack",         "inject"};
    return kinds;
}

void check_kinds(const std::set<std::string>& kinds) {
    const auto& all = block_kinds();
    for (const std::string& kind : kinds)
        if (std::find(all.begin(), all.end(), kind) == all.end())
            throw std::invalid_argument(
                fmt::format("no block is called {}; they are {}", kind, fmt::join(all, ", ")));
}

}  // namespace rdt::machine
