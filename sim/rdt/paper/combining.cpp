// SPDX-License-Identifier: MIT
// What combining saves: a multicast on a whole machine of chips, answered through the chips' ack
// tables, and answered by every receiver with a unicast to the source. The paper states that
// combining reduces the traffic drastically and gives no figures.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/machine/machine.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

using machine::Endpoint;
using machine::flits_of;
using machine::Machine;

// Answers to one multicast. Links are directed, and only those between chips count.
struct Answers {
    uint64_t at_source = 0;  // acks that the source's MBP receives
    uint64_t copies = 0;     // of the multicast, on the link that carries most of them
    uint64_t busiest = 0;    // on the link that carries most of them
    uint64_t flits = 0;      // over all links
    uint64_t clocks = 0;     // from the multicast at the source's MBP to the last one there
};

// Counts the multicast's copies and the answers on every link between chips.
class LinkWatch {
public:
    explicit LinkWatch(const Machine& machine)
        : m_machine(machine), m_links(machine.nodes() * NumNetworkPorts) {}

    // After every cycle.
    void look() {
        for (uint32_t i = 0; i < m_links.size(); ++i) {
            const core::LinkPinsOut pins = m_machine.pins(i / NumNetworkPorts, i % NumNetworkPorts);
            if (!pins.oe) continue;
            Link& link = m_links[i];
            if (link.left == 0) {
                link.left = uint32_t(get(pins.d, H0Len)) + 1;
                link.is_answer = !is_multicast(pins.d);
                ++(link.is_answer ? link.answers : link.copies);
            }
            --link.left;
            if (link.is_answer) ++m_flits;
        }
    }
    void add_to(Answers& answers) const {
        answers.flits = m_flits;
        for (const Link& link : m_links) {
            answers.copies = std::max(answers.copies, link.copies);
            answers.busiest = std::max(answers.busiest, link.answers);
        }
    }

private:
    struct Link {
        uint32_t left = 0;  // flits of the packet on it
        bool is_answer = false;
        uint64_t copies = 0;
        uint64_t answers = 0;
    };
    const Machine& m_machine;
    std::vector<Link> m_links;
    uint64_t m_flits = 0;
};

// Receivers answer as soon as they have the multicast, with the shortest packet there is: three
// flits, which is also what an ack has.
Answers measure(Machine& machine, uint32_t source, Maps maps, uint64_t receivers, bool combined) {
    Answers answers;
    uint64_t received = 0;
    for (uint32_t node = 0; node < machine.nodes(); ++node) {
        Endpoint& mbp = machine.mbp(node, 0);
        mbp.on_receive = [&, node](const Endpoint::Received& r) {
            if (!is_multicast(r.flits[0])) {
                ++answers.at_source;
                return;
            }
            ++received;
            if (combined)
                mbp.send_ack(uint32_t(get(r.flits[0], H0Tag)), 0, uint32_t(get(r.flits[2], H2Gen)));
            else mbp.send(0, flits_of(machine.geometry().make_header(node, source)));
        };
        mbp.on_ack = [&](const core::AckNote&) { ++answers.at_source; };
    }
    const uint64_t expected = combined ? 1 : receivers;
    const uint64_t start = machine.now();
    const uint64_t limit = start + 1000 + 100 * receivers;
    LinkWatch watch(machine);
    machine.mbp(source, 0).send(0,
                                flits_of(multicast_header(maps, 0, TypeMcSm, 2, combined ? 1 : 0)));
    while (answers.at_source < expected || !machine.idle()) {
        if (machine.now() == limit) throw std::runtime_error("a multicast was not answered");
        machine.clock();
        watch.look();
        if (answers.at_source == expected && answers.clocks == 0)
            answers.clocks = machine.now() - start;
    }
    if (received != receivers) throw std::logic_error("the maps name other receivers");
    watch.add_to(answers);
    return answers;
}

// The worst value over sources of all kinds.
Answers worst(int side, Maps maps, uint64_t receivers, bool combined, uint32_t kinds) {
    machine::Config config;
    config.side = side;
    const std::unique_ptr<Machine> machine = make_machine(config);
    machine->bring_up();
    Answers all;
    for (uint32_t kind = 0; kind < kinds; ++kind) {
        const Vec at = example_of(kind);
        const uint32_t source = machine->geometry().index(at.x, at.y);
        const Answers one = measure(*machine, source, maps, receivers, combined);
        all.at_source = std::max(all.at_source, one.at_source);
        all.copies = std::max(all.copies, one.copies);
        all.busiest = std::max(all.busiest, one.busiest);
        all.flits = std::max(all.flits, one.flits);
        all.clocks = std::max(all.clocks, one.clocks);
    }
    return all;
}

}  // namespace

Report combining(const Options& options) {
    Report r{"combining", "Answers to a multicast: combined acks, and one by one", {}, {}, {}};
    const struct {
        int side;
        Maps maps;
        uint64_t receivers;
    } cases[] = {
        {8, map_byte(0), 8}, {8, full_maps(Geometry(8)), 64}, {32, full_maps(Geometry(32)), 1024}};
    for (const auto& c : cases)
        for (const bool combined : {true, false}) {
            const std::string name = fmt::format("{} receivers, {}, ", c.receivers,
                                                 combined ? "combined" : "one by one");
            options.say("combining, " + name);
            const Answers a = worst(c.side, c.maps, c.receivers, combined,
                                    options.quick && !combined ? 1 : NumKinds);
            const auto add = [&](const char* what, uint64_t value) {
                r.values.push_back({name + what, double(value), {}, 0, ""});
            };
            add("answers at the source", a.at_source);
            if (combined) add("copies of the multicast on the busiest link", a.copies);
            add("answers on the busiest link", a.busiest);
            add("flits over links", a.flits);
            add("cycles to the last answer", a.clocks);
        }
    r.notes = {
        "8: level 0 on 8 x 8; 64: both levels on 8 x 8; 1024: all levels on 32 x 32. Of sources",
        "of all kinds the worst. Links are directed, between chips. An answer has three flits",
        "in either case. Combined, a link brings one ack for each copy it carried; two, where",
        "copies of two levels take the same hop. The paper states that combining reduces the",
        "traffic drastically, and gives no figures."};
    return r;
}

}  // namespace rdt::paper
