// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/recorder.h>

#include <fmt/core.h>

#include <algorithm>

#include <rdt/core/format.h>
#include <rdt/cosim/inside_recorder.h>
#include <rdt/cosim/save_file.h>
#include <rdt/machine/measure/packet_log.h>

namespace rdt::machine {

Recorder::Recorder(Machine& machine, const WaveOptions& options)
    : m_machine(machine), m_options(options), m_file(options.path) {
    if (options.from > options.to)
        throw std::invalid_argument(fmt::format("--wave-to {1}: must be at least --wave-from, {0}",
                                                options.from, options.to));
    for (uint32_t n : options.nodes)
        if (n >= machine.nodes())
            throw std::invalid_argument(
                fmt::format("--wave-nodes {}: must be 0 to {}", n, machine.nodes() - 1));
    for (uint32_t n : options.nodes) add(n);
    if (m_insides.empty()) return;
    m_machine.on_settled = [this] {
        if (m_is_running) record();
    };
}

Recorder::~Recorder() {
    if (!m_insides.empty()) m_machine.on_settled = nullptr;
}

void Recorder::add(uint32_t node) {
    std::vector<Inside> insides = m_machine.insides(node);
    if (insides.empty()) add_signal_views(node);
    else m_insides.push_back(std::make_unique<InsideRecorder>(node, std::move(insides), m_file));
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const auto name = [&](const char* signal) {
            return fmt::format("link.n{}.{}.{}", node, to_string(Port(p)), signal);
        };
        const auto far = [this, node, p] { return m_machine.far_pins(node, p); };
        m_inputs.push_back(
            {m_file.add(name("d_i"), FlitW), [far] { return far().oe ? far().d : 0; }});
        m_inputs.push_back({m_file.add(name("req_i"), 2), [far] { return far().req; }});
        m_inputs.push_back({m_file.add(name("cred_i"), 2), [far] { return far().cred; }});
        m_senders.push_back({node, p, m_file.add(name("type"), 4), {}, {}});
    }
}

void Recorder::add_signal_views(uint32_t node) {
    for (SignalView& view : m_machine.signal_views(node)) {
        m_signal_views.push_back({node, std::move(view), {}});
        Recorded& recorded = m_signal_views.back();
        for (size_t i = 0; i < chip_signals().size(); ++i)
            if (recorded.view.has(i))
                recorded.ids.emplace_back(
                    i, m_file.add(fmt::format("{}.n{}.{}", recorded.view.name(), node,
                                              chip_signals()[i].name),
                                  chip_signals()[i].signal->width));
    }
}

// Internal signals follow the pins only in the next cycle.
void Recorder::clock() {
    m_is_running = true;
    if (m_insides.empty()) record();
}

void Recorder::record() {
    const uint64_t now = m_machine.now();
    const bool records = now >= m_options.from && now <= m_options.to;
    if (records) m_file.time(now);
    if (records && !m_first) m_first = now;
    for (Sender& s : m_senders) {
        // The driving end; both ends drive only during link recovery.
        const bool sends = s.follower.clock(m_machine.pins(s.node, s.port));
        const bool receives = s.far.clock(m_machine.far_pins(s.node, s.port));
        if (records)
            m_file.value(s.id, sends      ? s.follower.type()
                               : receives ? s.far.type()
                                          : Follower::NoType);
    }
    if (!records) return;
    for (Recorded& r : m_signal_views) {
        r.view.read();
        for (const auto& [signal, id] : r.ids) m_file.value(id, r.view.value(signal));
    }
    for (const auto& inside : m_insides) inside->record(now);
    for (const Input& i : m_inputs) m_file.value(i.id, i.read());
}

std::string Recorder::difference() const {
    for (const auto& inside : m_insides)
        if (inside->first_difference()) return *inside->first_difference();
    return "";
}

std::string Recorder::finish() {
    if (!m_insides.empty() && m_is_running) {
        m_machine.settle();
        record();
    }
    if (!m_first) return "";
    m_file.time(std::min(m_machine.now(), m_options.to) + 1);
    m_file.close();
    const std::string save = write_save();
    m_file.commit();
    return save;
}

std::string Recorder::write_save() const {
    if (!m_insides.empty()) {
        std::vector<SaveInside> shown;
        for (const auto& inside : m_insides) shown.push_back(inside->shown());
        return write_save_file(m_options.path, shown, *m_first);
    }
    std::vector<SaveGroup> groups;
    for (uint32_t n : m_options.nodes) {
        std::vector<std::string> sides;
        for (const Recorded& r : m_signal_views)
            if (r.node == n) sides.push_back(r.view.name());
        for (uint32_t p = 0; p < NumPorts; ++p) groups.push_back({n, p, sides});
    }
    return write_save_file(m_options.path, groups, *m_first);
}

namespace {

constexpr uint32_t Senders = NumPorts + 2;
constexpr uint32_t FirstOfNumber = 3;  // flit

}  // namespace

PacketLog::PacketLog(const Machine& machine, const std::string& path)
    : m_machine(machine), m_file(path), m_senders(machine.nodes() * Senders) {}

void PacketLog::clock(const Transport& transport) {
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
        for (uint32_t m = 0; m < 2; ++m)
            follow(transport, n, PortM0 + m, true, m_machine.mbp_pins(n, m));
        for (uint32_t p = 0; p < NumPorts; ++p)
            follow(transport, n, p, false, m_machine.pins(n, p));
    }
}

// A packet is known by its number, and so two flits after its header.
void PacketLog::follow(const Transport& transport, uint32_t node, uint32_t port, bool from_mbp,
                       const core::LinkPinsOut& pins) {
    Sender& s = m_senders[node * Senders + port + (from_mbp ? 2 : 0)];
    if (!s.follower.clock(pins)) return;
    const uint32_t index = s.follower.index();
    if (index == 0) s.started = m_machine.now();
    if (index == FirstOfNumber) s.number = pins.d;
    if (index != FirstOfNumber + 1 || s.follower.type() > TypeMcLarp) return;
    const Packet* packet = transport.find(s.number, pins.d);
    if (packet == nullptr) return;
    Life& life = m_open[packet->number];
    if (life.head.empty()) life.head = head_of(*packet);
    const std::string vc = is_network(port) ? fmt::format("/{}", s.follower.vc()) : "";
    life.steps += fmt::format(" {}.{}{}@{}", node, to_string(Port(port)), vc, s.started);
}

std::string PacketLog::head_of(const Packet& p) {
    const Message& m = p.message;
    const std::string to = p.is_multicast() ? fmt::format("{} nodes", p.receivers)
                                            : fmt::format("{}.M{}", m.destination, m.mbp);
    return fmt::format("{} {}.M{} to {}, {} flits: generated {};", p.number, m.source, m.source_mbp,
                       to, m.flits, p.born);
}

void PacketLog::done(const Packet& packet, uint64_t now) {
    const auto it = m_open.find(packet.number);
    if (it == m_open.end()) return;
    m_file.write(fmt::format("{}{}; delivered {}\n", it->second.head, it->second.steps, now));
    m_open.erase(it);
}

void PacketLog::finish() {
    for (const auto& [number, life] : m_open)
        m_file.write(fmt::format("{}{}; in flight\n", life.head, life.steps));
    m_file.commit();
}

}  // namespace rdt::machine
