// SPDX-License-Identifier: MIT
#include "cli/plugins.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <typeinfo>

#include "cli/invocation.h"
#include "cli/parts.h"
#include <rdt/net/graph/network.h>
#include <rdt/support/complain.h>
#include <rdt/support/plugin.h>

namespace rdt {

namespace {

std::string loading;  // for the handler below

// The loader passes no exception on.
[[noreturn]] void on_terminate() {
    std::string what = "an exception that is not a std::exception";
    try {
        if (const std::exception_ptr error = std::current_exception())
            std::rethrow_exception(error);
        what = "std::terminate() was called";
    } catch (const std::exception& e) {
        what = text_of(e);
    } catch (...) {
    }
    complain(one_line(loading.empty() ? what : fmt::format("cannot load {}: {}", loading, what)));
    std::_Exit(ExitUsage);
}

// Checks the mark of the headers the file was built with.
void check_interface(const std::string& file) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return;  // dlopen() reports the error
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.rfind("\177ELF", 0) != 0) return;
    const std::string mark = RDT_PLUGIN_MARK;
    const std::string own = PluginInterface;
    size_t at = bytes.find(mark);
    if (at == std::string::npos)
        throw std::invalid_argument(fmt::format(
            "--plugin {}: registers nothing, or was built with headers older than rdt " RDT_VERSION,
            file));
    for (; at != std::string::npos; at = bytes.find(mark, at + 1)) {
        if (bytes.compare(at, own.size(), own) == 0) continue;
        constexpr size_t Longest = 60;
        const std::string other = bytes.substr(at + mark.size(), Longest);
        throw std::invalid_argument(
            fmt::format("--plugin {}: was built for rdt {}: must be rebuilt for rdt {}", file,
                        other.substr(0, other.find(';')),
                        own.substr(mark.size(), own.size() - mark.size() - 1)));
    }
}

}  // namespace

void load_plugin(const std::string& file) {
    check_interface(file);
    std::set<std::string> before;
    for (const auto& [name, entry] : NetworkKind::all()) before.insert(name);
    std::set_terminate(on_terminate);
    loading = file;
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
        throw std::invalid_argument(std::string("cannot load ") + dlerror());
    loading.clear();
    for (auto& [name, entry] : NetworkKind::all())
        if (before.count(name) == 0) entry.is_checked = true;
}

std::string text_of(const std::exception& error) {
    if (error.what() != nullptr && *error.what() != '\0') return error.what();
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return fmt::format("an exception without a message ({})", name ? name.get() : "unknown type");
}

void load_part(const std::string& file, const std::string& option, const std::string& needs) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto path = (program.parent_path() / RDT_PLUGIN_DIR / file).lexically_normal();
    if (!std::filesystem::exists(path, error))
        throw std::invalid_argument(fmt::format("{}: {} is missing: install {} and run make build",
                                                option, path.string(), needs));
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
        throw std::invalid_argument(fmt::format("{}: cannot load {}", option, dlerror()));
}

}  // namespace rdt
