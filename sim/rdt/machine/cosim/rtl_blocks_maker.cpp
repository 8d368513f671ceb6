// SPDX-License-Identifier: MIT
#include <stdexcept>

#include <rdt/machine/cosim/rtl_blocks.h>

namespace rdt::machine {

RtlBlocks::Make& RtlBlocks::maker() {
    static Make make = nullptr;
    return make;
}

std::unique_ptr<RtlBlocks> RtlBlocks::make(const std::set<std::string>& kinds) {
    check_kinds(kinds);
    if (maker() == nullptr)
        throw std::invalid_argument("RTL blocks are not in this build: they need Verilator");
    return maker()(kinds);
}

}  // namespace rdt::machine
