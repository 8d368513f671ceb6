// SPDX-License-Identifier: MIT
#include <algorithm>

#include <rdt/machine/engines/array_machine.h>
#include <rdt/machine/engines/router_check.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

std::vector<uint32_t> all_nodes(const Config& config) {
    std::vector<uint32_t> nodes(size_t(config.side) * size_t(config.side));
    for (uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
    return nodes;
}

}  // namespace

std::unique_ptr<Machine> make_machine(const Config& config) {
    check_config(config);
    Config c = config;
    c.engine = running_engine(config);
    if (c.engine != config.engine)
        std::replace(c.check.begin(), c.check.end(), c.engine, config.engine);
    const EngineKind& kind = EngineKind::of(c.engine);
    std::unique_ptr<Machine> machine;
    if (kind.make_machine != nullptr) machine = kind.make_machine(c);
    else machine = std::make_unique<ArrayMachine>(c, kind.make_routers(c, all_nodes(c)));
    if (!c.check.empty()) machine->m_check = std::make_unique<RouterCheck>(*machine, config);
    return machine;
}

}  // namespace rdt::machine
