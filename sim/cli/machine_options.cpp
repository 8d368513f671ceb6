// SPDX-License-Identifier: MIT
#include "cli/machine_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include <rdt/dsm/pattern.h>
#include <rdt/machine/cosim/block_kinds.h>
#include <rdt/core/entry_class.h>
#include <rdt/machine/traffic/barrier_traffic.h>
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/support/complain.h>
#include "cli/rtl_blocks_plugin.h"

namespace rdt {
namespace {

const std::string MemoryPrefix = "dsm-";
constexpr int Register16 = 0xFFFF;  // the largest value of a register of 16 bits

// "16" or "5-16".
void read_flits(const std::string& text, machine::SyntheticOptions& traffic) {
    const size_t dash = text.find('-');
    const auto read = [&text](const std::string& part) {
        uint32_t value = 0;
        const char* end = part.data() + part.size();
        const auto [at, error] = std::from_chars(part.data(), end, value);
        if (error != std::errc() || at != end)
            throw std::invalid_argument(
                fmt::format("--flits is a number or a range as 5-16, not {}", text));
        return value;
    };
    traffic.flits_min = read(text.substr(0, dash));
    traffic.flits_max = dash == std::string::npos ? traffic.flits_min : read(text.substr(dash + 1));
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const machine::EngineKind& kind : machine::EngineKind::all()) names.push_back(kind.name);
    return names;
}

// Numbers of nodes, or none, or all.
std::vector<uint32_t> read_nodes(const std::vector<std::string>& words, uint32_t nodes) {
    std::vector<uint32_t> list;
    if (words == std::vector<std::string>{"none"}) return list;
    if (words == std::vector<std::string>{"all"}) {
        for (uint32_t n = 0; n < nodes; ++n) list.push_back(n);
        return list;
    }
    for (const std::string& word : words) {
        uint32_t value = 0;
        const char* end = word.data() + word.size();
        const auto [at, error] = std::from_chars(word.data(), end, value);
        if (error != std::errc() || at != end)
            throw std::invalid_argument(fmt::format(
                "--check-blocks {}: must be numbers of nodes, as 0,9, or none or all", word));
        list.push_back(value);
    }
    return list;
}

}  // namespace

void MachineOptions::add_to(CLI::App& cmd) {
    cmd.add_option("--engine", engine, "model of the routers: fast, systemc or rtl")
        ->check(CLI::IsMember(engine_names()).description(""))
        ->type_name("ENGINE")
        ->group(MachineGroup);
    cmd.add_option(
           "--check", check,
           "compare with routers of other engines on all pins in every cycle, as rtl,systemc")
        ->delimiter(',')
        ->check(CLI::IsMember(engine_names()).description(""))
        ->type_name("ENGINES")
        ->group(MachineGroup);
    cmd.add_option("--check-blocks", check_blocks,
                   "nodes where --check compares the ports of all blocks, as 0,9 (four nodes)")
        ->delimiter(',')
        ->type_name("NODES|all|none")
        ->group(MachineGroup);
    cmd.add_option("--size", machine.side, "nodes on a side: 8, 16, 32, 64, 128 or 256")
        ->group(MachineGroup);
    cmd.add_flag("--torus", "a plain 2-D torus of the same chips: the upper rank stays off")
        ->each([this](const std::string&) { machine.upper_rank = false; })
        ->group(MachineGroup);
    cmd.add_option("--rtl-nodes", machine.rtl_nodes, "nodes of engine systemc that are RTL, as 5,9")
        ->delimiter(',')
        ->type_name("NODES")
        ->group(MachineGroup);
    cmd.add_option("--rtl-blocks,--rtl", rtl_blocks,
                   fmt::format("kinds of blocks of engine systemc that are RTL, as arbiter,ack: {}",
                               fmt::join(machine::block_kinds(), ", ")))
        ->delimiter(',')
        ->type_name("KINDS")
        ->group(MachineGroup);
    cmd.add_option("--t-ent", machine.t_ent,
                   "register TEnt of all chips; where multicasts want acks, RETRY after a fault")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--t-ack", machine.t_ack, "register TAck of all chips")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--timeout", machine.timeout, "register Timeout of all chips")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--threads", machine.threads, "of engine fast")
        ->check(within(1, 64))
        ->group(MachineGroup);
    cmd.add_option("--seed", machine.seed, "of everything random")->group(MachineGroup);
    cmd.add_option("--traffic", traffic.pattern, "pattern, see below")->group(TrafficGroup);
    cmd.add_option("--queue", traffic.queue, "packets that may wait at a node (0: any number)")
        ->group(TrafficGroup);
    cmd.add_option("--flits", flits, "length of packets, 5 to 16, or a range as 5-16")
        ->group(TrafficGroup);
    cmd.add_option("--multicast", traffic.multicasts, "share of multicasts")->group(TrafficGroup);
    cmd.add_option("--density", traffic.density,
                   "of their maps: probability of each receiver of a level")
        ->group(TrafficGroup);
    cmd.add_option("--scheme", scheme, "how multicasts, and the memory's directory, name receivers")
        ->check(CLI::IsMember({"sm", "lpra", "larp"}))
        ->type_name("sm|lpra|larp")
        ->group(TrafficGroup);
    cmd.add_flag("--acks", traffic.acks, "multicasts are answered")->group(TrafficGroup);
    cmd.add_option("--jitter", traffic.jitter,
                   "of --traffic barrier: a process arrives up to so many cycles after a release")
        ->check(within(0, 1'000'000))
        ->group(TrafficGroup);
    cmd.add_option("--protocol", protocol, "what a write does to copies")
        ->check(CLI::IsMember({"update", "invalidate"}).description(""))
        ->type_name("update|invalidate")
        ->group(MemoryGroup);
    cmd.add_option("--lines", memory.lines, "of memory")->group(MemoryGroup);
    cmd.add_option("--page", memory.page, "lines that share a directory entry")->group(MemoryGroup);
    cmd.add_option("--reads", memory.reads, "share of the operations")->group(MemoryGroup);
}

std::string MachineOptions::in_vain(const std::string& option) const {
    const auto is = [&option](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(),
                           [&option](const char* name) { return option == name; });
    };
    const bool of_memory =
        is({"--protocol", "--lines", "--page", "--reads", "--operations", "--rate"});
    const bool of_packets =
        is({"--load", "--queue", "--flits", "--multicast", "--density", "--acks", "--outstanding"});
    if (!trace.empty() &&
        (of_memory || of_packets || is({"--traffic", "--scheme", "--cycles", "--warmup"})))
        return "does nothing with --trace, which says it itself";
    if (of_memory && !is_memory())
        return "needs the traffic of a shared memory, as --traffic dsm-stencil";
    if (option == "--drain" && (is_memory() || !trace.empty()))
        return "does nothing here: such a run always waits for what is in flight";
    if (of_packets && is_memory()) return "does nothing with the traffic of a shared memory";
    if (is({"--load", "--queue"}) && traffic.outstanding != 0)
        return "does nothing with --outstanding";
    if (is({"--density", "--acks"}) && traffic.multicasts == 0) return "needs --multicast";
    if (option == "--scheme" && traffic.multicasts == 0 && !is_memory())
        return "needs --multicast, or the traffic of a shared memory";
    if (option == "--jitter" && !is_barrier()) return "needs --traffic barrier";
    if (option == "--check-blocks" && check.empty()) return "needs --check";
    if (option == "--threads" && !has_threads()) return "is for --engine fast";
    return "";
}

bool MachineOptions::has_threads() const {
    const auto has = [](const std::string& name) {
        const machine::EngineKind* const kind = machine::EngineKind::named(name);
        return kind != nullptr && kind->has_threads;
    };
    return has(engine) || std::any_of(check.begin(), check.end(), has);
}

void MachineOptions::check_given(const CLI::App& cmd) const {
    for (const CLI::Option* option : cmd.parse_order()) {
        const std::string name = "--" + option->get_single_name();
        const std::string why = in_vain(name);
        if (!why.empty()) throw CLI::ValidationError(name, why);
    }
}

void MachineOptions::resolve() {
    machine.engine = machine::EngineKind::named(engine)->engine;
    machine.check.clear();
    for (const std::string& name : check)
        machine.check.push_back(machine::EngineKind::named(name)->engine);
    if (!check_blocks.empty())
        machine.check_blocks =
            read_nodes(check_blocks, uint32_t(machine.side) * uint32_t(machine.side));
    machine.rtl_blocks = {rtl_blocks.begin(), rtl_blocks.end()};
    machine::check_kinds(machine.rtl_blocks);
    if (!machine.rtl_blocks.empty()) load_rtl_blocks();
    read_flits(flits, traffic);
    memory.protocol = protocol == "update" ? dsm::Protocol::Update : dsm::Protocol::Invalidate;
    traffic.scheme = memory.scheme = *machine::multicast_scheme(scheme);
    traffic.seed = machine.seed;
    machine::set_ack_periods(machine, traffic);
    if (traffic.acks && NumEntries < NumEntryClasses)
        complain(
            fmt::format("warning: with {} ack entries per router, multicasts that want acks may "
                        "wait for each other until TEnt ends it",
                        NumEntries));
}

bool MachineOptions::is_barrier() const { return traffic.pattern == machine::BarrierTraffic::Name; }

bool MachineOptions::is_memory() const { return traffic.pattern.rfind(MemoryPrefix, 0) == 0; }

void MachineOptions::resolve_memory() {
    memory.pattern = traffic.pattern.substr(MemoryPrefix.size());
    memory.seed = machine.seed;
    if (machine.t_ent == 0) machine.t_ent = dsm::DefaultTEnt;
    if (machine.t_ack == 0) machine.t_ack = dsm::DefaultTAck;
}

std::string MachineOptions::patterns() {
    return listed("Traffic patterns", Traffic::patterns()) +
           listed("Shared memory", dsm::Pattern::patterns(), MemoryPrefix) +
           fmt::format("Collectives:\n  {:<12} {}\n", machine::BarrierTraffic::Name,
                       machine::BarrierTraffic::About) +
           (machine::WorkloadKind::all().empty()
                ? ""
                : listed("Workloads of plugins", machine::WorkloadKind::all()));
}

void show_defaults(CLI::App& cmd) {
    for (CLI::Option* option : cmd.get_options())
        if (!is_flag(*option) && option->get_default_str().empty() &&
            option->get_type_name() != "FILE" && option->get_items_expected_max() == 1)
            option->capture_default_str();
}

}  // namespace rdt
