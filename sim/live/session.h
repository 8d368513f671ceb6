// SPDX-License-Identifier: MIT
// One run of the machine in the page: `rdt run` or `rdt exec`, cycle by cycle, with links that may
// be cut during the run, and the state to display.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <rdt/exec/programs.h>
#include <rdt/machine/measure/step_run.h>
#include <rdt/machine/traffic/synthetic.h>

#include "packet_monitor.h"

namespace rdt::live {

// As the options of `rdt run` of the same names.
struct Settings {
    machine::Config machine;
    machine::SyntheticOptions traffic;
    machine::RunOptions run;
    struct Cut {
        uint32_t node;
        uint32_t port;
        uint64_t clock;  // cycle of the machine; 0: from the beginning
    };
    std::vector<Cut> cuts;
    std::string trace;  // its text; empty: the traffic above
    std::string trace_name;
    std::vector<uint8_t> program;  // an ELF file; empty: traffic
    std::string program_name;
    std::string arguments;  // arguments of the program
};
// Throws std::invalid_argument, or what nlohmann throws.
Settings settings_of(const nlohmann::json& json);

class Session {
public:
    explicit Session(const Settings& settings);

    // Up to so many cycles; returns how many there were before the run was over.
    uint32_t step(uint32_t clocks);
    void cut(uint32_t node, uint32_t port);
    bool over() const { return m_over; }
    uint64_t now() const { return m_machine->now(); }

    // Per sender, see PacketMonitor::Shown.
    const std::vector<PacketMonitor::Shown>& flits() const { return m_monitor.shown(); }
    // Per node: buffers that hold a packet (bit 3 * port + VC), ports whose link is down, and
    // entries of the ack table in use.
    const std::vector<uint32_t>& nodes();
    static constexpr uint32_t WordsOfNode = 2;

    // As `rdt run --json` writes it; without links, nodes and histograms unless `all`.
    nlohmann::ordered_json result(bool all);
    nlohmann::ordered_json node(uint32_t node) const;
    nlohmann::ordered_json packet(uint64_t number) const;
    nlohmann::ordered_json shape() const;

private:
    std::unique_ptr<machine::Workload> make_workload();
    std::unique_ptr<machine::Workload> make_program();
    machine::RunOptions watched();
    nlohmann::ordered_json buffers_of(uint32_t node) const;

    Settings m_settings;
    std::unique_ptr<machine::Machine> m_machine;
    const exec::Programs* m_programs = nullptr;  // the workload, if it is a program
    std::string m_console;
    std::unique_ptr<machine::Workload> m_workload;
    PacketMonitor m_monitor;
    std::unique_ptr<machine::StepRun> m_run;
    std::vector<uint32_t> m_nodes;
    bool m_over = false;
};

}  // namespace rdt::live
