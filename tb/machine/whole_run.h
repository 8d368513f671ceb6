// SPDX-License-Identifier: MIT
// Whole runs with their results and packet logs.
#pragma once

#include <gtest/gtest.h>

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include <rdt/dsm/memory.h>
#include <rdt/machine/measure/packet_log.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {

using machine::Config;
using machine::Machine;
using machine::SyntheticOptions;

class Files {
public:
    Files() : m_folder(std::filesystem::temp_directory_path() / fmt::format("rdt_{}", getpid())) {
        std::filesystem::create_directories(m_folder);
    }
    ~Files() { std::filesystem::remove_all(m_folder); }
    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    std::string text(const std::string& name) const {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::filesystem::path m_folder;
};

// A whole run, as the program does it: its result without times, and its packet log.
inline std::pair<std::string, std::string> run(
    Config config, const machine::RunOptions& how, const SyntheticOptions& traffic, bool memory,
    const std::function<void(Machine&)>& after_clock = [](Machine&) {}) {
    const Files files;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::PacketLog log(*machine, files.path("log"));
    machine::RunOptions options = how;
    options.after_clock = [&](const machine::Transport& t) {
        log.clock(t);
        after_clock(*machine);
    };
    options.after_packet = [&](const machine::Packet& p) { log.done(p, machine->now()); };
    std::unique_ptr<machine::Workload> workload;
    dsm::Options lines;
    lines.operations = 2000;
    if (memory) workload = std::make_unique<dsm::Memory>(*machine, lines);
    else workload = std::make_unique<machine::Synthetic>(*machine, traffic);
    const machine::RunResult r = machine::run(*machine, *workload, options);
    log.finish();
    EXPECT_EQ(r.error, "");
    nlohmann::ordered_json json = machine::to_json(r, config);
    for (const char* time : {"engine", "seconds", "cycles_per_second", "cpu_seconds",
                             "cycles_per_cpu_second", "bytes_per_node"})
        json.erase(time);
    return {json.dump(1), files.text("log")};
}

}  // namespace rdt::tb
