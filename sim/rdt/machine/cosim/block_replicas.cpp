// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/block_replicas.h>

#include <fmt/core.h>

#include <map>
#include <stdexcept>

#include <rdt/machine/cosim/meanings.h>

namespace rdt::machine {

BlockReplicas::BlockReplicas(const InsideValues& rtl, const blocks& parts) : m_rtl(rtl) {
    const auto ten = [this](const char* kind, const auto& make) {
        for (uint32_t p = 0; p < NumPorts; ++p)
            add(kind, make(fmt::format("u_{}_{}", kind, p).c_str(), p));
    };
    const auto one = [this](const char* kind, const auto& make) {
        add(kind, make(fmt::format("u_{}", kind).c_str()));
    };
    ten("link_io", parts.link_io);
    ten("input_unit", parts.input_unit);
    ten("output_unit", parts.output_unit);
    one("arbiter", parts.arbiter);
    one("crossbar", parts.crossbar);
    one("local", parts.local);
    one("ack", parts.ack);
    one("inject", parts.inject);
    add("glue", std::make_unique<glue>("u_glue"));
    for (Replica& replica : m_replicas) find_meanings(replica);
}

void BlockReplicas::add(const std::string& kind, std::unique_ptr<sc_core::sc_module> module) {
    std::map<std::string, size_t> of_rtl;
    const std::string prefix = std::string(module->basename()) + ".";
    for (size_t i = 0; i < m_rtl.signals().size(); ++i)
        if (m_rtl.signals()[i].path().rfind(prefix, 0) == 0)
            of_rtl[m_rtl.signals()[i].path().substr(prefix.size())] = i;
    Replica replica;
    replica.name = module->basename();
    replica.kind = kind;
    for (const BoundPort& port : bind_ports(*module)) {
        if (port.name == "clk_i") {
            replica.clocks.push_back(port.elements.front());
            continue;
        }
        const auto found = of_rtl.find(port.name);
        if (found == of_rtl.end())
            throw std::logic_error(fmt::format("the RTL has no {}{}", prefix, port.name));
        const unsigned width = rtl_width(port.name, port.width);
        for (unsigned i = 0; i < port.elements.size(); ++i) {
            const std::string name =
                port.is_vector ? fmt::format("{}[{}]", port.name, i) : port.name;
            auto& lines = port.direction == "in" ? replica.inputs : replica.outputs;
            lines.push_back({name, port.elements[i], found->second, i * width, width, 0, 0, {}});
        }
    }
    replica.module = std::move(module);
    m_replicas.push_back(std::move(replica));
}

void BlockReplicas::find_meanings(Replica& replica) const {
    const auto of = [&replica](const char* name) -> const Line* {
        for (const auto* lines : {&replica.inputs, &replica.outputs})
            for (const Line& line : *lines)
                if (line.name == name) return &line;
        return nullptr;
    };
    for (const Meaning& m : meanings()) {
        if (replica.kind != m.kind) continue;
        for (Line& line : replica.outputs)
            if (line.name == m.output) line.strobes.emplace_back(of(m.strobe), m.mask);
    }
}

void BlockReplicas::settle() {
    for (Replica& replica : m_replicas) {
        for (const BoundPort::Element& clk : replica.clocks) clk.write(0);
        for (Line& line : replica.inputs) {
            line.value = of_rtl(line);
            line.port.write(line.value);
        }
    }
}

void BlockReplicas::edge() {
    for (Replica& replica : m_replicas) {
        for (const BoundPort::Element& clk : replica.clocks) clk.write(1);
        for (Line& line : replica.inputs) line.before = line.value;
    }
}

bool BlockReplicas::means_something(const Line& output) const {
    for (const auto& [strobe, mask] : output.strobes)
        if (((strobe->port.read() | of_rtl(*strobe)) & mask) == 0) return false;
    return true;
}

std::optional<BlockDifference> BlockReplicas::difference() const {
    for (const Replica& replica : m_replicas)
        for (const Line& line : replica.outputs) {
            const uint64_t mask = ~uint64_t(0) >> (64 - line.width);
            const uint64_t systemc = line.port.read() & mask;
            if (of_rtl(line) == systemc || !means_something(line)) continue;
            BlockDifference found{replica.name, replica.kind, line.name, of_rtl(line),
                                  systemc,      {},           {}};
            for (const Line& in : replica.inputs) {
                if (in.before != 0) found.before.emplace_back(in.name, in.before);
                if (in.value != 0) found.inputs.emplace_back(in.name, in.value);
            }
            return found;
        }
    return std::nullopt;
}

}  // namespace rdt::machine
