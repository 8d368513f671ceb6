// SPDX-License-Identifier: MIT
#include "cli/machine_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <thread>

#include "cli/guard.h"
#include "cli/parts.h"
#include <rdt/dsm/pattern.h>
#include <rdt/cosim/block_kinds.h>
#include <rdt/core/entry_class.h>
#include <rdt/machine/traffic/barrier_traffic.h>
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/support/complain.h>
#include <rdt/support/output.h>

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
                fmt::format("--flits {}: must be a number or a range such as 5-16", text));
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
                "--check-blocks {}: must be numbers of nodes, for example 0,9, or none or all",
                word));
        list.push_back(value);
    }
    return list;
}

}  // namespace

void MachineOptions::add_machine_to(CLI::App& cmd) {
    cmd.add_option("--engine", engine, "model of the routers: fast, systemc or rtl")
        ->check(CLI::IsMember(engine_names()).description(""))
        ->type_name("ENGINE")
        ->group(MachineGroup);
    cmd.add_option("--check", check,
                   "lockstep: compare all pins in every cycle with routers of other engines, for "
                   "example rtl,systemc")
        ->delimiter(',')
        ->check(CLI::IsMember(engine_names()).description(""))
        ->type_name("ENGINES")
        ->group(MachineGroup);
    cmd.add_option("--check-blocks", check_blocks,
                   "nodes where --check compares the ports of all blocks, for example 0,9 "
                   "(default: four nodes of the machine)")
        ->delimiter(',')
        ->type_name("NODES|all|none")
        ->group(MachineGroup);
    cmd.add_option("--size", machine.side, fmt::format("nodes per side: {}", Geometry::SidesText))
        ->group(MachineGroup);
    cmd.add_flag("--torus", "disable the upper rank: a plain 2-D torus of the same routers")
        ->each([this](const std::string&) { machine.upper_rank = false; })
        ->group(MachineGroup);
    cmd.add_flag("--gates", machine.gates,
                 "engine rtl simulates the synthesized gates, 64 routers per word: faster than "
                 "Verilator, without assertions")
        ->group(MachineGroup);
    cmd.add_option("--rtl-nodes", machine.rtl_nodes,
                   "nodes of engine systemc simulated as RTL, for example 5,9")
        ->delimiter(',')
        ->type_name("NODES")
        ->group(MachineGroup);
    cmd.add_option(
           "--rtl-blocks,--rtl", rtl_blocks,
           fmt::format(
               "block kinds of engine systemc simulated as RTL, for example arbiter,ack; kinds: {}",
               fmt::join(machine::block_kinds(), ", ")))
        ->delimiter(',')
        ->type_name("KINDS")
        ->group(MachineGroup);
    cmd.add_option(
           "--t-ent", machine.t_ent,
           "register TEnt of all routers, 0 to 65535 cycles (0: off): time limit for an ack "
           "entry, after which the multicast is answered RETRY")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--t-ack", machine.t_ack,
                   "register TAck of all routers, 0 to 65535 cycles (0: off): time limit for acks")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--timeout", machine.timeout,
                   "register Timeout of all routers, 0 to 65535 cycles (0: off): time limit for "
                   "packets in buffers")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--threads", machine.threads,
                   "worker threads of engine fast, 1 to 64; two or more simulate the engines of "
                   "--check at once")
        ->check(within(1, 64))
        ->each([this](const std::string&) { has_threads = true; })
        ->group(MachineGroup);
    cmd.add_option("--seed", machine.seed, "seed for all random number generators, 0 to 2^64-1")
        ->group(MachineGroup);
}

void MachineOptions::add_to(CLI::App& cmd) {
    // It comes first: options that are given replace what it sets.
    cmd.add_option("--machine", preset,
                   "jump-1: 4 x 4 clusters of 4 processors, MBPs as fast as those of JUMP-1")
        ->check(CLI::IsMember({"none", "jump-1"}).description(""))
        ->type_name("none|jump-1")
        ->each([this, &cmd](const std::string& name) {
            if (name != "jump-1") return;
            machine.side = 4;
            memory.processors = 4;
            mbp = name;
            for (const char* option : {"--size", "--processors"})
                cmd.get_option(option)->default_str("4");
            cmd.get_option("--mbp")->default_str(name);
        })
        ->group(MachineGroup);
    add_machine_to(cmd);
    cmd.add_option("--reduce-width", machine.reduce_width,
                   "routers with reductions: bits of the operands in answers to a barrier, 0, 16 "
                   "or 32 (0: none); engine fast then simulates every cycle")
        ->check(CLI::IsMember({0, 16, 32}).description(""))
        ->group(MachineGroup);
    cmd.add_option("--entries", machine.entries,
                   "entries of every router's ack table: 1 to 7, or 13, 19 or 25 in banks; engine "
                   "fast simulates every cycle if it is not 7")
        ->group(MachineGroup);
    cmd.add_option("--traffic", traffic.pattern, "traffic pattern, listed below, or table:FILE")
        ->group(TrafficGroup);
    cmd.add_option("--queue", traffic.queue,
                   "source queue length in packets, 0 to 2^32-1 (0: unlimited)")
        ->group(TrafficGroup);
    cmd.add_option("--flits", flits, "packet length in flits, 5 to 16, or a range such as 5-16")
        ->group(TrafficGroup);
    cmd.add_option("--multicast", traffic.multicasts,
                   "fraction of packets that are multicasts, 0 to 1")
        ->group(TrafficGroup);
    cmd.add_option("--density", traffic.density,
                   "multicast bit-map density: probability of each receiver of a level, 0 to 1")
        ->group(TrafficGroup);
    cmd.add_option("--scheme", scheme,
                   "encoding of the receivers of multicasts and of the memory's directory")
        ->check(CLI::IsMember({"sm", "lpra", "larp"}).description(""))
        ->type_name("sm|lpra|larp")
        ->group(TrafficGroup);
    cmd.add_flag("--acks", traffic.acks, "multicasts request combined acks")->group(TrafficGroup);
    cmd.add_option(
           "--jitter", traffic.jitter,
           "for --traffic barrier and all-reduce: a process arrives up to this many cycles after a "
           "release, 0 to 1000000")
        ->check(within(0, 1'000'000))
        ->group(TrafficGroup);
    add_memory_to(cmd);
    cmd.add_option("--lines", memory.lines, "memory size in cache lines, 1 to 16777216")
        ->group(MemoryGroup);
    cmd.add_option("--reads", memory.reads, "fraction of operations that are reads, 0 to 1")
        ->group(MemoryGroup);
    cmd.add_option("--atomics", memory.atomics,
                   "fraction of writes that are atomic operations, 0 to 1")
        ->group(MemoryGroup);
    cmd.add_option("--processors", memory.processors,
                   fmt::format("processors per node, 1 to {}", dsm::MaxProcessors))
        ->check(within(1, int(dsm::MaxProcessors)))
        ->group(MemoryGroup);
}

void MachineOptions::add_memory_to(CLI::App& cmd) {
    cmd.add_option("--protocol", protocol, "coherence protocol: what a write does to cached copies")
        ->check(CLI::IsMember({"update", "invalidate", "mixed"}).description(""))
        ->type_name("update|invalidate|mixed")
        ->group(MemoryGroup);
    cmd.add_option("--directory", directory,
                   "how the directory reaches sharers: multicasts with combined acks, or exact: "
                   "one unicast per sharer (works with --torus)")
        ->check(CLI::IsMember({"multicast", "exact"}).description(""))
        ->type_name("multicast|exact")
        ->group(MemoryGroup);
    cmd.add_option(
           "--page", memory.page,
           "lines that share a directory entry and a protocol: 1 to --lines, which it divides")
        ->group(MemoryGroup);
    cmd.add_option("--pruning", machine.pruning,
                   "pruning cache entries per router, 0 to 4096 (0: none), for engine fast and "
                   "--protocol update")
        ->check(within(0, 4096))
        ->group(MemoryGroup);
    cmd.add_option("--store-buffer", memory.store_buffer,
                   "store buffer entries per processor, 0 to 64 (0: sequential consistency)")
        ->check(within(0, 64))
        ->group(MemoryGroup);
    cmd.add_option("--cache-lines", memory.cache_lines,
                   "cache size per node in lines, 0 to 2^32-1 (0: unlimited)")
        ->group(MemoryGroup);
    cmd.add_option("--cache-ways", memory.cache_ways,
                   "associativity of the cache: 1 to --cache-lines, which it divides")
        ->group(MemoryGroup);
    cmd.add_option("--home-cycles", memory.home_cycles,
                   "cycles the home node needs per message, 0 to 65535")
        ->check(within(0, Register16))
        ->group(MemoryGroup);
    cmd.add_option("--memory-cycles", memory.memory_cycles,
                   "cycles to read a line from memory, 0 to 65535")
        ->check(within(0, Register16))
        ->group(MemoryGroup);
    cmd.add_option("--mbp", mbp,
                   "processing time of the MBPs: none, as in JUMP-1, or only of its hardware")
        ->check(CLI::IsMember({"none", "hardware", "jump-1"}).description(""))
        ->type_name("none|hardware|jump-1")
        ->group(MemoryGroup);
    cmd.add_flag("--no-memory-check", "do not check the values that reads return")
        ->each([this](const std::string&) { memory.is_checked = false; })
        ->group(MemoryGroup);
}

std::string MachineOptions::in_vain(const std::string& option) const {
    const auto is = [&option](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(),
                           [&option](const char* name) { return option == name; });
    };
    const bool of_memory = is({"--protocol", "--directory", "--lines", "--page", "--reads",
                               "--atomics", "--processors", "--store-buffer", "--cache-lines",
                               "--cache-ways", "--home-cycles", "--memory-cycles", "--mbp",
                               "--pruning", "--no-memory-check", "--operations", "--rate"});
    const bool of_packets =
        is({"--load", "--queue", "--flits", "--multicast", "--density", "--acks", "--outstanding"});
    if (!trace.empty() &&
        (of_memory || of_packets || is({"--traffic", "--scheme", "--cycles", "--warmup"})))
        return "not used with --trace: the trace defines the traffic";
    if (of_memory && !is_memory())
        return "needs shared-memory traffic, for example --traffic dsm-stencil";
    if (option == "--drain" && (is_memory() || !trace.empty()))
        return "not used here: this run always waits until all packets are delivered";
    if (of_packets && is_memory()) return "not used with shared-memory traffic";
    if (is({"--load", "--queue"}) && traffic.outstanding != 0) return "not used with --outstanding";
    if (is({"--density", "--acks"}) && traffic.multicasts == 0) return "needs --multicast";
    if (option == "--scheme" && traffic.multicasts == 0 && !is_memory())
        return "needs --multicast or shared-memory traffic";
    if (option == "--jitter" && !is_barrier()) return "needs --traffic barrier or all-reduce";
    if (option == "--reduce-width" && machine.reduce_width != 0 && !has_reductions())
        return "needs --traffic all-reduce, a workload of a plug-in or --trace";
    if (is({"--scheme", "--pruning"}) && is_memory() && directory == "exact")
        return "not used with --directory exact";
    if (option == "--cache-ways" && memory.cache_lines == 0) return "needs --cache-lines";
    if (option == "--check-blocks" && check.empty()) return "needs --check";
    if (option == "--gates" && engine != "rtl" &&
        std::find(check.begin(), check.end(), "rtl") == check.end())
        return "needs --engine rtl or --check rtl";
    if (option == "--threads" && !can_have_threads()) return "needs --engine fast or --check";
    return "";
}

bool MachineOptions::can_have_threads() const {
    const machine::EngineKind* const kind = machine::EngineKind::named(engine);
    return !check.empty() || (kind != nullptr && kind->has_threads);
}

void MachineOptions::set_default_threads() {
    const auto takes_part = [this](machine::Engine wanted) {
        return machine.engine == wanted ||
               std::find(machine.check.begin(), machine.check.end(), wanted) != machine.check.end();
    };
    if (!has_threads && !machine.gates && takes_part(machine::Engine::Rtl) &&
        takes_part(machine::Engine::SystemC) && std::thread::hardware_concurrency() >= 2)
        machine.threads = 2;
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
    if (!machine.rtl_blocks.empty())
        load_part("rtl_blocks.so", "--rtl-blocks", "SystemC and Verilator");
    if (machine.gates) load_part("rtl_gates.so", "--gates", "Yosys");
    read_flits(flits, traffic);
    memory.protocol = protocol == "update" ? dsm::Protocol::Update : dsm::Protocol::Invalidate;
    memory.is_mixed = protocol == "mixed";
    memory.directory =
        directory == "exact" ? dsm::DirectoryKind::Exact : dsm::DirectoryKind::Multicast;
    memory.mbp = mbp == "none" ? dsm::MbpCosts{} : dsm::MbpCosts::jump_1();
    if (mbp == "hardware") memory.mbp = memory.mbp.without_software();
    traffic.scheme = memory.scheme = *machine::multicast_scheme(scheme);
    traffic.seed = machine.seed;
    machine::set_ack_periods(machine, traffic);
    // With at most one upper rank no multicast expands the own rank after a transfer hop.
    const bool has_several_ranks = machine.upper_rank && machine.side > 8;
    if (traffic.acks && machine.entries < NumEntryClasses - (has_several_ranks ? 0 : 1))
        complain(
            fmt::format("warning: with {} ack entries per router, acknowledged multicasts can "
                        "block each other until TEnt expires",
                        machine.entries));
}

bool MachineOptions::is_barrier() const {
    return machine::BarrierTraffic::is_name(traffic.pattern);
}

bool MachineOptions::has_reductions() const {
    const auto& kinds = machine::WorkloadKind::all();
    return !trace.empty() || traffic.pattern == machine::BarrierTraffic::AllReduceName ||
           std::any_of(kinds.begin(), kinds.end(),
                       [this](const auto& kind) { return kind.name == traffic.pattern; });
}

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
           fmt::format("Collectives:\n  {:<12} {}\n  {:<12} {}\n", machine::BarrierTraffic::Name,
                       machine::BarrierTraffic::About, machine::BarrierTraffic::AllReduceName,
                       machine::BarrierTraffic::AboutAllReduce) +
           (machine::WorkloadKind::all().empty()
                ? ""
                : listed("Workloads from plug-ins", machine::WorkloadKind::all()));
}

void show_defaults(CLI::App& cmd) {
    for (CLI::Option* option : cmd.get_options())
        if (!is_flag(*option) && option->get_default_str().empty() &&
            option->get_type_name() != "FILE" && option->get_items_expected_max() == 1)
            option->capture_default_str();
}

}  // namespace rdt
