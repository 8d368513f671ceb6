// SPDX-License-Identifier: MIT
#include "cli/settings.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <sstream>

#include "cli/guard.h"
#include "cli/machine_options.h"
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

using Json = nlohmann::ordered_json;

bool is_given(const std::vector<std::string>& arguments, const std::string& name) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& a) {
        return a == name || a.rfind(name + "=", 0) == 0;
    });
}

// As words of a command line.
void append(const CLI::Option& option, const CLI::ConfigItem& item,
            std::vector<std::string>& words) {
    const std::string name = "--" + option.get_single_name();
    if (item.inputs.empty()) throw std::invalid_argument(item.name + ": needs a value");
    if (is_flag(option)) {
        if (item.inputs.size() != 1 || (item.inputs[0] != "true" && item.inputs[0] != "false"))
            throw std::invalid_argument(item.name + ": must be true or false");
        if (item.inputs[0] == "true") words.push_back(name);
        return;
    }
    for (const std::string& value : item.inputs) words.push_back(name + "=" + value);
}

std::vector<std::string> read_config(const std::string& path, const CLI::App& cmd,
                                     const std::vector<std::string>& given) {
    constexpr size_t Largest = 1 << 20;
    std::ifstream file(path, std::ios::binary);
    std::string text(Largest + 1, '\0');
    file.read(text.data(), std::streamsize(text.size()));
    text.resize(size_t(file.gcount()));
    if (text.empty() && !file.eof()) throw std::invalid_argument("cannot be read");
    if (text.size() > Largest) throw std::invalid_argument("is too large: must be at most 1 MiB");
    std::vector<CLI::ConfigItem> items;
    try {
        std::istringstream in(text);
        items = CLI::ConfigTOML().from_config(in);
    } catch (const std::exception&) {
        throw std::invalid_argument("has no options: must be lines such as load = 0.3");
    }
    std::vector<std::string> words;
    for (const CLI::ConfigItem& item : items) {
        if (item.name == "++" || item.name == "--") continue;  // a section begins, or ends
        if (!item.parents.empty() && item.parents != std::vector<std::string>{cmd.get_name()})
            throw std::invalid_argument(
                fmt::format("has a section for another command: [{1}]: must be [{0}]",
                            cmd.get_name(), item.parents.front()));
        const CLI::Option* option = cmd.get_option_no_throw("--" + item.name);
        if (option == nullptr || item.name == "config" || item.name == "help")
            throw std::invalid_argument("has an unknown option: " + item.name + ": see rdt " +
                                        cmd.get_name() + " --help");
        if (!is_given(given, "--" + option->get_single_name())) append(*option, item, words);
    }
    return words;
}

std::string quoted(const std::string& value) {
    return !value.empty() && value.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "-_=.,:/+@%") == std::string::npos
               ? value
               : "'" + value + "'";
}

}  // namespace

void add_config(CLI::App& cmd, bool& prints) {
    cmd.add_option("--config",
                   "read options from a TOML file, one per line, for example load = 0.3; options "
                   "on the command line override it")
        ->type_name("FILE")
        ->group("Options");
    cmd.add_flag("--print-config", prints, "print all options in the format of --config, and exit")
        ->group("Options");
}

std::vector<std::string> with_config(const CLI::App& program,
                                     const std::vector<std::string>& arguments) {
    if (arguments.empty()) return arguments;
    const auto all = program.get_subcommands([](const CLI::App*) { return true; });
    const auto cmd = std::find_if(all.begin(), all.end(), [&](const CLI::App* app) {
        return app->get_name() == arguments[0];
    });
    if (cmd == all.end() || (*cmd)->get_option_no_throw("--config") == nullptr) return arguments;
    std::string path;
    std::vector<std::string> words;
    for (size_t i = 1; i < arguments.size(); ++i) {
        const bool has_value = arguments[i].rfind("--config=", 0) == 0;
        if (arguments[i] != "--config" && !has_value) {
            words.push_back(arguments[i]);
            continue;
        }
        if (!path.empty()) throw std::invalid_argument("--config: given twice: must be given once");
        if (!has_value && i + 1 == arguments.size()) return arguments;
        path = has_value ? arguments[i].substr(9) : arguments[++i];
        if (path.empty() || looks_like_option(path))
            throw std::invalid_argument("--config: needs a value");
    }
    if (path.empty()) return arguments;
    config_file() = path;
    try {
        const std::vector<std::string> read = read_config(path, **cmd, words);
        words.insert(words.begin(), read.begin(), read.end());
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument(path + ": " + e.what());
    }
    words.insert(words.begin(), arguments[0]);
    return words;
}

std::string to_toml(const Json& settings, const std::string& command) {
    std::string text = "[" + command + "]\n";
    for (const auto& [name, value] : settings.items())
        text += fmt::format("{} = {}\n", name, value.dump());
    return text;
}

std::string command_line(const CLI::App& cmd) {
    std::string line = called_as() + " " + cmd.get_name();
    std::vector<std::string> done;
    for (const CLI::Option* option : cmd.parse_order()) {
        const std::string name = "--" + option->get_single_name();
        if (std::find(done.begin(), done.end(), name) != done.end()) continue;
        done.push_back(name);
        if (option->nonpositional()) line += " " + name;
        if (is_flag(*option)) continue;
        std::string values;
        for (const std::string& value : option->results())
            values += (values.empty()                    ? " "
                       : option->get_delimiter() == '\0' ? " " + name + " "
                                                         : ",") +
                      quoted(value);
        line += values;
    }
    return line;
}

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
                "--check-blocks {}: must be numbers of nodes, as 0,9, or none or all", word));
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
    cmd.add_option("--t-ent", machine.t_ent,
                   "register TEnt of all routers, 0 to 65535: time limit for an ack entry, after "
                   "which the multicast is answered RETRY")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--t-ack", machine.t_ack,
                   "register TAck of all routers, 0 to 65535: time limit for acks")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--timeout", machine.timeout,
                   "register Timeout of all routers, 0 to 65535 (0: off)")
        ->check(within(0, Register16))
        ->group(MachineGroup);
    cmd.add_option("--threads", machine.threads, "worker threads of engine fast, 1 to 64")
        ->check(within(1, 64))
        ->group(MachineGroup);
    cmd.add_option("--seed", machine.seed, "seed for all random number generators")
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
    cmd.add_option("--traffic", traffic.pattern, "traffic pattern, listed below")
        ->group(TrafficGroup);
    cmd.add_option("--queue", traffic.queue, "source queue length in packets (0: unlimited)")
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
        ->check(CLI::IsMember({"sm", "lpra", "larp"}))
        ->type_name("sm|lpra|larp")
        ->group(TrafficGroup);
    cmd.add_flag("--acks", traffic.acks, "multicasts request combined acks")->group(TrafficGroup);
    cmd.add_option(
           "--jitter", traffic.jitter,
           "for --traffic barrier: a process arrives up to this many cycles after a release")
        ->check(within(0, 1'000'000))
        ->group(TrafficGroup);
    add_memory_to(cmd);
    cmd.add_option("--lines", memory.lines, "memory size in cache lines")->group(MemoryGroup);
    cmd.add_option("--reads", memory.reads, "fraction of operations that are reads, 0 to 1")
        ->group(MemoryGroup);
    cmd.add_option("--atomics", memory.atomics,
                   "fraction of writes that are atomic operations, 0 to 1")
        ->group(MemoryGroup);
    cmd.add_option("--processors", memory.processors, "processors per node")
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
    cmd.add_option("--page", memory.page, "lines that share a directory entry and a protocol")
        ->group(MemoryGroup);
    cmd.add_option("--pruning", machine.pruning,
                   "entries of a pruning cache in every router (0: none); needs engine fast "
                   "and --protocol update")
        ->check(within(0, 4096))
        ->type_name("ENTRIES")
        ->group(MemoryGroup);
    cmd.add_option("--store-buffer", memory.store_buffer,
                   "store buffer entries per processor, 0 to 64 (0: sequential consistency)")
        ->check(within(0, 64))
        ->group(MemoryGroup);
    cmd.add_option("--cache-lines", memory.cache_lines,
                   "cache size per node in lines (0: unlimited)")
        ->group(MemoryGroup);
    cmd.add_option("--cache-ways", memory.cache_ways, "associativity of the cache")
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
                   "handler cycles of the MBPs: none, all of JUMP-1, or its hardware part")
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
    if (option == "--jitter" && !is_barrier()) return "needs --traffic barrier";
    if (option == "--scheme" && is_memory() && directory == "exact")
        return "not used with --directory exact";
    if (option == "--pruning" && directory == "exact") return "not used with --directory exact";
    if (option == "--cache-ways" && memory.cache_lines == 0) return "needs --cache-lines";
    if (option == "--check-blocks" && check.empty()) return "needs --check";
    if (option == "--gates" && engine != "rtl" &&
        std::find(check.begin(), check.end(), "rtl") == check.end())
        return "needs --engine rtl or --check rtl";
    if (option == "--threads" && !has_threads()) return "needs --engine fast";
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
    if (!machine.rtl_blocks.empty())
        load_part("rtl_blocks.so", "--rtl-blocks", "SystemC and Verilator");
    if (machine.gates) load_part("rtl_gates.so", "--gates", "Yosys");
    read_flits(flits, traffic);
    memory.protocol = protocol == "update" ? dsm::Protocol::Update : dsm::Protocol::Invalidate;
    memory.is_mixed = protocol == "mixed";
    memory.directory =
        directory == "exact" ? dsm::DirectoryKind::Exact : dsm::DirectoryKind::Multicast;
    if (mbp == "jump-1") memory.mbp = dsm::MbpCosts::jump_1();
    else if (mbp == "hardware") memory.mbp = dsm::MbpCosts::jump_1().without_software();
    else memory.mbp = {};
    traffic.scheme = memory.scheme = *machine::multicast_scheme(scheme);
    traffic.seed = machine.seed;
    machine::set_ack_periods(machine, traffic);
    if (traffic.acks && NumEntries < NumEntryClasses)
        complain(
            fmt::format("warning: with {} ack entries per router, acknowledged multicasts can "
                        "block each other until TEnt expires",
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
                : listed("Workloads from plug-ins", machine::WorkloadKind::all()));
}

void show_defaults(CLI::App& cmd) {
    for (CLI::Option* option : cmd.get_options())
        if (!is_flag(*option) && option->get_default_str().empty() &&
            option->get_type_name() != "FILE" && option->get_items_expected_max() == 1)
            option->capture_default_str();
}

namespace {

using Json = nlohmann::ordered_json;

// Numbers are not quoted; what only looks like one, as the link 9.E0, is.
Json value_of(const CLI::Option& option, const std::string& text) {
    const std::string type = option.get_type_name();
    const auto is = [&type](const char* name) { return type.rfind(name, 0) == 0; };
    if (!is("UINT") && !is("INT") && !is("FLOAT")) return text;
    uint64_t whole = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, whole);
    if (error == std::errc() && at == end) return whole;
    double real = 0;
    const auto [to, wrong] = std::from_chars(text.data(), end, real);
    if (wrong == std::errc() && to == end && std::isfinite(real)) return real;
    return text;
}

// Output options and the source of the options do not change results.
bool is_setting(const CLI::Option& option) {
    const std::string name = option.get_single_name();
    return option.get_group() != OutputGroup && name != "help" && name != "config" &&
           name != "print-config";
}

}  // namespace

Json settings_of(const CLI::App& cmd, const MachineOptions& options) {
    Json settings = Json::object();
    for (const CLI::Option* option : cmd.get_options()) {
        const std::string name = option->get_single_name();
        if (!is_setting(*option) || !options.in_vain("--" + name).empty()) continue;
        // Shared-memory runs end with their operations by default.
        if (options.is_memory() && option->count() == 0 && (name == "cycles" || name == "warmup"))
            continue;
        if (is_flag(*option)) {
            settings[name] = option->count() > 0;
        } else if (option->count() > 0) {
            Json values = Json::array();
            for (const std::string& text : option->results())
                values.push_back(value_of(*option, text));
            settings[name] = option->get_items_expected_max() > 1 ? values : values.back();
        } else if (!option->get_default_str().empty() &&
                   option->get_default_str().find(' ') == std::string::npos &&
                   option->get_default_str() != "[]") {
            settings[name] = value_of(*option, option->get_default_str());
        }
    }
    return settings;
}

}  // namespace rdt
