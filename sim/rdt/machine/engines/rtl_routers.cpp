// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/rtl_routers.h>

#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

const EngineRegistration registration{
    Engine::Rtl,
    [](const Config&, const std::vector<uint32_t>& nodes) -> std::unique_ptr<RouterArray> {
        return std::make_unique<RtlRouters<Vrdt_router>>(nodes);
    }};

}  // namespace

}  // namespace rdt::machine
