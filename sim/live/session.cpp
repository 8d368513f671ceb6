// SPDX-License-Identifier: MIT
#include "session.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/measure/waits.h>
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/traffic/trace.h>

namespace rdt::live {

using Json = nlohmann::ordered_json;
using machine::Delivery;
using machine::Packet;

namespace {

constexpr uint64_t DrainLimit = 1000000;  // cycles to drain a trace, as in the program

std::string name_of(uint32_t port) { return to_string(Port(port)); }

Json names_of(uint32_t ports) {
    Json list = Json::array();
    for (; ports != 0; ports &= ports - 1) list.push_back(name_of(uint32_t(__builtin_ctz(ports))));
    return list;
}

Json number_of(uint32_t packet) {
    return packet == PacketMonitor::NoPacket ? Json(nullptr) : Json(packet - 1);
}

const char* state_of(uint32_t entry) {
    switch (entry) {
    case fast::AckTable::Wait: return "waits";
    case fast::AckTable::Late: return "late";
    case fast::AckTable::Quar: return "quarantine";
    default: return "free";
    }
}

}  // namespace

Settings settings_of(const nlohmann::json& j) {
    Settings s;
    s.machine.upper_rank = !j.at("torus").get<bool>();
    s.machine.seed = s.traffic.seed = s.run.seed = j.at("seed");
    s.machine.t_ent = j.at("t_ent");
    s.machine.t_ack = j.at("t_ack");
    s.machine.timeout = j.at("timeout");
    s.machine.sink = j.at("sink");
    s.traffic.pattern = j.at("traffic");
    s.traffic.load = j.at("load");
    s.traffic.flits_min = j.at("flits_min");
    s.traffic.flits_max = j.at("flits_max");
    s.traffic.multicasts = j.at("multicast");
    s.traffic.density = j.at("density");
    s.traffic.acks = j.at("acks");
    const auto scheme = machine::multicast_scheme(j.at("scheme"));
    if (!scheme) throw std::invalid_argument("scheme: must be sm, lpra or larp");
    s.traffic.scheme = *scheme;
    s.run.warmup = j.at("warmup");
    s.run.cycles = j.value("cycles", std::numeric_limits<uint64_t>::max());
    s.trace = j.at("trace");
    s.trace_name = j.at("trace_name");
    if (!s.trace.empty()) {  // all of it is measured
        s.run.warmup = 0;
        s.run.cycles = std::numeric_limits<uint64_t>::max();
        s.run.drain = DrainLimit;
    }
    s.program = j.at("program").get<std::vector<uint8_t>>();
    s.program_name = j.at("program_name");
    s.arguments = j.at("arguments");
    if (!s.program.empty()) {
        s.machine.t_ent = dsm::DefaultTEnt;
        s.machine.t_ack = dsm::DefaultTAck;
        s.run.warmup = 0;
        s.run.cycles = std::numeric_limits<uint64_t>::max();
        s.run.drain = DrainLimit;
    }
    for (const auto& c : j.at("cuts")) {
        s.cuts.push_back({c.at("node"), c.at("port"), c.at("clock")});
        if (s.cuts.back().node >= 64 || s.cuts.back().port >= NumNetworkPorts)
            throw std::invalid_argument("cut: not a link of this machine");
    }
    s.machine.faults = !s.cuts.empty();
    return s;
}

namespace {

const machine::Config& checked(const machine::Config& config) {
    machine::check_config(config);
    return config;
}

}  // namespace

// The page looks at all registers in every cycle, so events would not do.
Session::Session(const Settings& settings)
    : m_settings(settings),
      m_machine(std::make_unique<machine::FastMachine>(checked(settings.machine))),
      m_workload(make_workload()),
      m_monitor(*m_machine),
      m_nodes(WordsOfNode * m_machine->nodes()) {
    for (const Settings::Cut& c : m_settings.cuts)
        if (c.clock == 0) m_machine->cut(c.node, c.port);
    m_machine->bring_up();
    m_run = std::make_unique<machine::StepRun>(*m_machine, *m_workload, watched());
}

std::unique_ptr<machine::Workload> Session::make_program() {
    exec::Options options;
    options.harts = m_machine->nodes();
    options.arguments = m_settings.arguments;
    options.memory.seed = m_settings.machine.seed;
    if (!m_settings.machine.upper_rank) options.memory.directory = dsm::DirectoryKind::Exact;
    options.console = [this](const std::string& text) { m_console += text; };
    auto programs = std::make_unique<exec::Programs>(
        *m_machine, exec::elf_of(m_settings.program, m_settings.program_name), options);
    m_programs = programs.get();
    return programs;
}

std::unique_ptr<machine::Workload> Session::make_workload() {
    const machine::Machine& machine = *m_machine;
    if (!m_settings.program.empty()) return make_program();
    if (m_settings.trace.empty()) return machine::make_workload(machine, m_settings.traffic);
    const auto text = [this] { return std::make_unique<std::istringstream>(m_settings.trace); };
    // Wrong lines are reported beforehand.
    machine::read_trace(*text(), m_settings.trace_name, machine.geometry(),
                        m_settings.machine.upper_rank);
    return std::make_unique<machine::Trace>(text(), m_settings.trace_name, machine.geometry(),
                                            m_settings.machine.upper_rank);
}

machine::RunOptions Session::watched() {
    machine::RunOptions run = m_settings.run;
    run.after_clock = [this](const machine::Transport& transport) { m_monitor.clock(transport); };
    run.after_packet = [this](const Packet& p) { m_monitor.done(p, m_machine->now()); };
    run.after_delivery = [this](const Packet& p, const Delivery& d) { m_monitor.delivered(p, d); };
    return run;
}

uint32_t Session::step(uint32_t clocks) {
    for (uint32_t n = 0; n < clocks; ++n) {
        for (const Settings::Cut& c : m_settings.cuts)
            if (c.clock != 0 && c.clock == m_machine->now()) m_machine->cut(c.node, c.port);
        m_over = m_over || !m_run->step();
        if (m_over) return n;
    }
    return clocks;
}

void Session::cut(uint32_t node, uint32_t port) {
    m_settings.cuts.push_back({node, port, m_machine->now()});
    m_machine->cut(node, port);
}

const std::vector<uint32_t>& Session::nodes() {
    for (uint32_t n = 0; n < m_machine->nodes(); ++n) {
        const fast::ChipState& chip = *m_machine->state(n);
        uint32_t full = 0;
        uint32_t down = 0;
        uint32_t entries = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const auto& q = chip.input(p).q();
            full |= (chip.input(p).pkt_mask() | uint32_t(q.rd_busy) << q.rd_vc) << 3 * p;
            down |= uint32_t(m_machine->has_link(p) && !chip.link(p).up()) << p;
        }
        for (const auto& e : chip.ack().q().entry) entries += e.st != fast::AckTable::Free ? 1 : 0;
        m_nodes[WordsOfNode * n] = full;
        m_nodes[WordsOfNode * n + 1] = down | entries << NumPorts;
    }
    return m_nodes;
}

Json Session::result(bool all) {
    Json json = to_json(m_run->result(), m_settings.machine);
    json["now"] = m_machine->now();
    json["over"] = m_over;
    json["mistaken"] = m_monitor.mistaken();
    if (m_programs != nullptr) {
        json["program"] = Json::object();
        m_programs->add_figures(json["program"]);
        json["program"]["console"] = m_console;
    }
    if (!all)
        for (const char* large : {"links", "nodes", "histograms"}) json.erase(large);
    return json;
}

Json Session::buffers_of(uint32_t node) const {
    const fast::ChipState& chip = *m_machine->state(node);
    std::map<std::pair<uint32_t, uint32_t>, std::string> why;  // by port and VC
    for (const machine::Wait& w : waits_of(*m_machine))
        if (w.buffer.node == node) why.insert({{w.buffer.port, w.buffer.vc}, w.why});
    Json list = Json::array();
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const fast::InputUnit& unit = chip.input(p);
        const fast::LinkIo::Regs link = chip.link(p);
        for (uint32_t v = 0; v < vcs_of(p); ++v) {
            const bool waits = (unit.pkt_mask() >> v & 1) != 0;
            const bool read = unit.q().rd_busy && unit.q().rd_vc == v;
            const bool comes = link.rx_valid && link.rx_vc == v && !link.rx_last;
            Json b{{"port", name_of(p)}, {"vc", v}};
            b["state"] = read ? "read" : waits ? "waits" : comes ? "comes" : "empty";
            const bool holds = waits || read || comes;
            b["packet"] = holds ? number_of(m_monitor.in_buffer(node, p, v)) : Json(nullptr);
            b["outs"] = names_of(read    ? m_monitor.pass(node, p)
                                 : waits ? unit.q().slot[v].pend
                                         : 0);
            b["flits_read"] = read ? unit.q().rd_idx + 1 : 0;
            const auto found = why.find({p, v});
            b["why"] = waits && !read && found != why.end() ? found->second : "";
            list.push_back(std::move(b));
        }
    }
    return list;
}

Json Session::node(uint32_t node) const {
    const fast::ChipState& chip = *m_machine->state(node);
    Json json{{"node", node}, {"err", chip.err()}};
    json["buffers"] = buffers_of(node);
    json["links"] = Json::array();
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const core::LinkPinsOut out = m_machine->pins(node, p);
        const core::LinkPinsOut in = m_machine->far_pins(node, p);
        json["links"].push_back(
            {{"port", name_of(p)},
             {"to", is_network(p) ? Json(m_machine->geometry().neighbor(node, p)) : Json(nullptr)},
             {"there", m_machine->has_link(p)},
             {"state", to_string(Line(chip.link(p).st))},
             {"up", chip.link(p).up()},
             {"drives", out.oe  ? "out"
                        : in.oe ? "in"
                                : ""},
             {"credits", chip.credits() >> 3 * p & 7}});
    }
    json["crossbar"] = Json::array();
    for (uint32_t p = 0; p < NumPorts; ++p)
        if (m_monitor.pass(node, p) != 0)
            json["crossbar"].push_back({{"in", name_of(p)},
                                        {"vc", chip.input(p).q().rd_vc},
                                        {"outs", names_of(m_monitor.pass(node, p))}});
    json["acks"] = Json::array();
    for (uint32_t t = 1; t <= NumEntries; ++t) {
        const fast::AckTable::Entry& e = chip.ack().q().entry[t];
        const bool used = e.st != fast::AckTable::Free;
        json["acks"].push_back({{"tag", t},
                                {"state", state_of(e.st)},
                                {"from", used ? name_of(e.port) : ""},
                                {"awaits", names_of(used ? e.pend : 0)},
                                {"status", used ? e.status : 0}});
    }
    json["queued"] = {m_run->transport().queued(node, 0), m_run->transport().queued(node, 1)};
    return json;
}

Json Session::packet(uint64_t number) const {
    const PacketMonitor::Life* life = m_monitor.life(number);
    if (life == nullptr) return nullptr;
    const Packet& p = life->packet;
    Json json{{"number", number},
              {"source", p.message.source},
              {"source_mbp", p.message.source_mbp},
              {"destination", p.is_multicast() ? Json(nullptr) : Json(p.message.destination)},
              {"mbp", p.message.mbp},
              {"receivers", p.receivers},
              {"flits", p.message.flits},
              {"wants_ack", p.message.wants_ack},
              {"born", p.born},
              {"started", p.started == Packet::Never ? Json(nullptr) : Json(p.started)},
              {"done", life->done == 0 ? Json(nullptr) : Json(life->done)},
              {"received", life->receivers}};
    json["steps"] = Json::array();
    for (const PacketMonitor::Step& s : life->steps)
        json["steps"].push_back({{"node", s.node},
                                 {"port", name_of(s.port)},
                                 {"vc", s.vc},
                                 {"mbp", s.from_mbp},
                                 {"clock", s.clock}});
    return json;
}

Json Session::shape() const {
    const Geometry& g = m_machine->geometry();
    Json json{{"side", g.side()}, {"nodes", g.nodes()}, {"senders", PacketMonitor::Senders}};
    json["neighbors"] = Json::array();  // by node and port; -1: no link
    for (uint32_t n = 0; n < g.nodes(); ++n)
        for (uint32_t p = 0; p < NumNetworkPorts; ++p)
            json["neighbors"].push_back(m_machine->has_link(p) ? int(g.neighbor(n, p)) : -1);
    return json;
}

}  // namespace rdt::live
