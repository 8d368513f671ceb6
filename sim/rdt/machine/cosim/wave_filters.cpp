// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/wave_filters.h>

#include <map>
#include <stdexcept>

namespace rdt::machine {

namespace {

const std::map<std::string, std::string>& filters() {
    static const std::map<std::string, std::string> all = {
#include "wave_filters.inc"
    };
    return all;
}

}  // namespace

std::string wave_filter(const std::string& name) {
    const auto found = filters().find(name);
    if (found == filters().end()) throw std::logic_error("there is no filter " + name);
    return found->second;
}

std::vector<std::string> wave_filter_names() {
    std::vector<std::string> names;
    for (const auto& [name, text] : filters()) names.push_back(name);
    return names;
}

}  // namespace rdt::machine
