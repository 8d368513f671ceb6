// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/blocks_machine.h>

namespace rdt::machine {

namespace {

const EngineKind kind{Engine::Blocks, [](const Config& config) -> std::unique_ptr<Machine> {
                          return std::make_unique<BlocksMachine>(config);
                      }};

}  // namespace

}  // namespace rdt::machine
