// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/wave_filters.h>

#include <map>
#include <stdexcept>

namespace rdt::machine {

std::string wave_filter(const std::string& name) {
    static const std::map<std::string, std::string> filters = {
#include "wave_filters.inc"
    };
    const auto found = filters.find(name);
    if (found == filters.end()) throw std::logic_error("there is no filter " + name);
    return found->second;
}

}  // namespace rdt::machine
