// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/rtl_machine.h>

namespace rdt::machine {

namespace {

const EngineKind kind{Engine::Rtl, [](const Config& config) -> std::unique_ptr<Machine> {
                          return std::make_unique<RtlMachine<Vrdt_router>>(config);
                      }};

}  // namespace

}  // namespace rdt::machine
