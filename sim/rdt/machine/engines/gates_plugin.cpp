// SPDX-License-Identifier: MIT
// The plug-in rtl_gates.so: the routers of engine rtl are gates from here on (gate_routers.h).
#include <rdt/machine/engines/gate_routers.h>

#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

const EngineRegistration registration{
    Engine::Rtl,
    [](const Config&, const std::vector<uint32_t>& nodes) -> std::unique_ptr<RouterArray> {
        return std::make_unique<GateRouters>(nodes.size());
    }};

}  // namespace

}  // namespace rdt::machine
