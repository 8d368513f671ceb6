// SPDX-License-Identifier: MIT
#include "cli/rtl_blocks_plugin.h"

#include <fmt/core.h>
#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace rdt {

void load_rtl_blocks() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto file = (program.parent_path() / RDT_PLUGIN_DIR / "rtl_blocks.so").lexically_normal();
    if (!std::filesystem::exists(file, error))
        throw std::invalid_argument(fmt::format(
            "--rtl-blocks: {} is missing: it needs SystemC and Verilator, and make build",
            file.string()));
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
        throw std::invalid_argument(fmt::format("--rtl-blocks: cannot load {}", dlerror()));
}

}  // namespace rdt
