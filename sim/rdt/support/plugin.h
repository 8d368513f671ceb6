// SPDX-License-Identifier: MIT
// What a plug-in carries so that `rdt --plugin` can refuse one that was built with other headers.
// Every header by which a plug-in registers something includes this one.
#pragma once

#include <cstddef>  // _GLIBCXX_USE_CXX11_ABI

#include <rdt/version.h>

// A digest of all headers that a plug-in sees. scripts/check_abi.py compares it with them, and
// --update writes it.
#define RDT_PLUGIN_ABI "f78c2c8e61f4"

#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI == 0
#define RDT_PLUGIN_STRINGS " old-strings"
#else
#define RDT_PLUGIN_STRINGS ""
#endif

namespace rdt {

// The program looks for the first part in the file before anything in it runs.
#define RDT_PLUGIN_MARK "rdt plug-in interface: "
[[gnu::used]] inline constexpr char PluginInterface[] =
    RDT_PLUGIN_MARK RDT_VERSION " abi " RDT_PLUGIN_ABI RDT_PLUGIN_STRINGS ";";

}  // namespace rdt
