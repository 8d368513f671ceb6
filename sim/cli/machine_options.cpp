// SPDX-License-Identifier: MIT
#include "cli/machine_options.h"

#include <fmt/ranges.h>

#include <map>

#include <rdt/dsm/pattern.h>
#include <rdt/machine/cosim/block_kinds.h>

namespace rdt {
namespace {

const std::string MemoryPrefix = "dsm-";
constexpr uint32_t AckedTEnt = 60;  // where multicasts are answered, unless told otherwise
constexpr int Register16 = 0xFFFF;  // the largest value of a register of 16 bits

// "16" or "5-16".
void read_flits(const std::string& text, machine::SyntheticOptions& traffic) {
    const size_t dash = text.find('-');
    try {
        size_t used = 0;
        const std::string low = text.substr(0, dash);
        traffic.flits_min = uint32_t(std::stoul(low, &used));
        if (used != low.size()) throw std::invalid_argument(text);
        const std::string high = dash == std::string::npos ? low : text.substr(dash + 1);
        traffic.flits_max = uint32_t(std::stoul(high, &used));
        if (used != high.size()) throw std::invalid_argument(text);
    } catch (const std::exception&) {
        throw std::invalid_argument(
            fmt::format("--flits is a number or a range as 5-16, not {}", text));
    }
}

machine::Engine engine_of(const std::string& name) {
    for (const machine::Engine e : {machine::Engine::SystemC, machine::Engine::Blocks,
                                    machine::Engine::Rtl, machine::Engine::Lockstep})
        if (name == to_string(e)) return e;
    return machine::Engine::Fast;
}

}  // namespace

void MachineOptions::add_to(CLI::App& cmd) {
    cmd.add_option("--engine", engine, "what the chips are: fast, systemc, blocks, rtl or lockstep")
        ->check(CLI::IsMember({"fast", "systemc", "blocks", "rtl", "lockstep"}))
        ->type_name("ENGINE");
    cmd.add_option("--rtl-nodes", machine.rtl_nodes,
                   "nodes of a SystemC machine that are RTL, as 5,9")
        ->delimiter(',')
        ->type_name("NODES");
    cmd.add_option("--rtl", rtl_blocks,
                   fmt::format("kinds of blocks of engine blocks that are RTL, as arbiter,ack: {}",
                               fmt::join(machine::block_kinds(), ", ")))
        ->delimiter(',')
        ->type_name("KINDS");
    cmd.add_option("--size", machine.side, "nodes on a side: 8, 16, 32, 64, 128 or 256");
    cmd.add_flag("--torus", "a plain 2-D torus of the same chips: the upper rank stays off")
        ->each([this](const std::string&) { machine.upper_rank = false; });
    cmd.add_option("--traffic", traffic.pattern, "pattern, see below");
    cmd.add_option("--queue", traffic.queue, "packets that may wait at a node (0: any number)");
    cmd.add_option("--flits", flits, "length of packets, 5 to 16, or a range as 5-16");
    cmd.add_option("--multicast", traffic.multicasts, "share of multicasts");
    cmd.add_option("--density", traffic.density,
                   "of their maps: probability of each receiver of a level");
    cmd.add_flag("--acks", traffic.acks, "multicasts are answered");
    const std::map<std::string, dsm::Protocol> protocols{{"update", dsm::Protocol::Update},
                                                         {"invalidate", dsm::Protocol::Invalidate}};
    cmd.add_option("--protocol", memory.protocol, "of a shared memory")
        ->transform(CLI::Transformer(protocols))
        ->type_name("update|invalidate")
        ->default_str("invalidate");
    cmd.add_option("--lines", memory.lines, "of a shared memory");
    cmd.add_option("--reads", memory.reads, "of a shared memory: share of the operations");
    cmd.add_option("--t-ent", machine.t_ent,
                   "register TEnt of all chips; not 0 where multicasts want acks")
        ->check(CLI::Range(0, Register16));
    cmd.add_option("--t-ack", machine.t_ack, "register TAck of all chips")
        ->check(CLI::Range(0, Register16));
    cmd.add_option("--timeout", machine.timeout, "register Timeout of all chips")
        ->check(CLI::Range(0, Register16));
    cmd.add_option("--threads", machine.threads, "of the fast engine")->check(CLI::Range(1, 64));
    cmd.add_option("--seed", machine.seed, "of everything random");
}

void MachineOptions::resolve() {
    machine.engine = engine_of(engine);
    machine.rtl_blocks = {rtl_blocks.begin(), rtl_blocks.end()};
    machine::check_kinds(machine.rtl_blocks);
    read_flits(flits, traffic);
    traffic.seed = machine.seed;
    // Multicasts that wait for ack entries of each other, each holding one, would stand still.
    if (traffic.acks && machine.t_ent == 0) machine.t_ent = AckedTEnt;
    if (traffic.acks && machine.t_ack == 0) machine.t_ack = dsm::DefaultTAck;
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
           listed("Shared memory", dsm::Pattern::patterns(), MemoryPrefix);
}

void show_defaults(CLI::App& cmd) {
    for (CLI::Option* option : cmd.get_options())
        if (option->get_type_size() > 0 && option->get_default_str().empty() &&
            option->get_type_name() != "FILE")
            option->capture_default_str();
}

}  // namespace rdt
