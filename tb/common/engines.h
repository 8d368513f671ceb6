// SPDX-License-Identifier: MIT
// What tests of machines run on.
#pragma once

#include <rdt/machine/machine.h>

namespace rdt::tb {

// The fast engine alone, or with the RTL beside it at every node.
enum class Models { Fast, Checked };

inline const char* to_string(Models models) { return models == Models::Fast ? "fast" : "checked"; }

inline void use(Models models, machine::Config& config) {
    if (models == Models::Checked) config.check = {machine::Engine::Rtl};
}

}  // namespace rdt::tb
