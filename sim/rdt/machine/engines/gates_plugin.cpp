// SPDX-License-Identifier: MIT
// The plug-in rtl_gates.so: the routers of engine rtl are gates from here on (gate_machine.h).
#include <rdt/machine/engines/gate_machine.h>

namespace rdt::machine {

namespace {

const EngineRegistration machines{Engine::Rtl,
                                  [](const Config& config) -> std::unique_ptr<Machine> {
                                      return std::make_unique<GateMachine>(config);
                                  }};
const EngineRegistration routers{
    Engine::Rtl,
    [](const Config&, const std::vector<uint32_t>& nodes) -> std::unique_ptr<RouterArray> {
        return std::make_unique<GateRouters>(nodes.size());
    }};

}  // namespace

}  // namespace rdt::machine
