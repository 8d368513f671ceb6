// SPDX-License-Identifier: MIT
// What combining saves: a multicast on a whole machine of chips, answered through the chips' ack
// tables, and answered by every receiver with a unicast to the source. The paper says that
// combining reduces the traffic drastically and gives no figures.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "common/core_net.h"
#include "paper/report.h"

namespace rdt::paper {

namespace {

// Answers to one multicast. Links are directed, and only those between chips count.
struct Answers {
    uint64_t at_source = 0;  // that the source's MBP takes
    uint64_t copies = 0;     // of the multicast, on the link that carries most of them
    uint64_t busiest = 0;    // on the link that carries most of them
    uint64_t flits = 0;      // over all links
    uint64_t clocks = 0;     // from the multicast at the source's MBP to the last one there
};

// Counts the multicast's copies and the answers on every link between chips.
class LinkWatch {
public:
    explicit LinkWatch(const tb::CoreNet& net)
        : m_net(net), m_links(net.nodes() * NumNetworkPorts) {}

    // After every clock.
    void look() {
        for (uint32_t i = 0; i < m_links.size(); ++i) {
            const core::LinkPinsOut pins =
                m_net.chip(i / NumNetworkPorts).pins(i % NumNetworkPorts);
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
    const tb::CoreNet& m_net;
    std::vector<Link> m_links;
    uint64_t m_flits = 0;
};

tb::Flits flits_of(const Header& h) { return {h.h0, h.h1, h.h2}; }

// Receivers answer as soon as they have the multicast, with the shortest packet there is: three
// flits, which is also what an ack has.
Answers measure(const Geometry& geometry, uint32_t source, Maps maps, uint64_t receivers,
                bool combined) {
    tb::CoreNet net(geometry);
    Answers answers;
    const auto answered = [&] { ++answers.at_source; };
    uint64_t received = 0;
    for (uint32_t node = 0; node < net.nodes(); ++node) {
        tb::Endpoint& mbp = net.mbp(node, 0);
        mbp.on_receive = [&, node](const tb::Endpoint::Received& r) {
            if (!is_multicast(r.flits[0])) return answered();
            ++received;
            if (combined) mbp.send_ack(uint32_t(get(r.flits[0], H0Tag)), 0);
            else mbp.send(0, flits_of(geometry.make_header(node, source)));
        };
        mbp.on_ack = [&](const core::AckNote&) { answered(); };
    }
    net.configure(0, 0);
    const uint64_t expected = combined ? 1 : receivers;
    const uint64_t start = net.now();
    const uint64_t limit = start + 1000 + 100 * receivers;
    LinkWatch watch(net);
    net.mbp(source, 0).send(0, flits_of(multicast_header(maps, 0, TypeMcSm, 2, combined ? 1 : 0)));
    while (answers.at_source < expected) {
        if (net.now() == limit) throw std::runtime_error("a multicast was not answered");
        net.clock();
        watch.look();
    }
    if (received != receivers) throw std::logic_error("the maps name other receivers");
    watch.add_to(answers);
    answers.clocks = net.now() - start;
    return answers;
}

// Of sources of all kinds the worst in every respect.
Answers worst(const Geometry& geometry, Maps maps, uint64_t receivers, bool combined,
              uint32_t kinds) {
    Answers all;
    for (uint32_t kind = 0; kind < kinds; ++kind) {
        const Vec at = example_of(kind);
        const Answers one =
            measure(geometry, geometry.index(at.x, at.y), maps, receivers, combined);
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
    const Geometry small(8);
    const Geometry large(32);
    const struct {
        const Geometry& geometry;
        Maps maps;
        uint64_t receivers;
    } cases[] = {
        {small, map_byte(0), 8}, {small, full_maps(small), 64}, {large, full_maps(large), 1024}};
    for (const auto& c : cases)
        for (const bool combined : {true, false}) {
            const std::string name = fmt::format("{} receivers, {}, ", c.receivers,
                                                 combined ? "combined" : "one by one");
            options.say("combining, " + name);
            const Answers a = worst(c.geometry, c.maps, c.receivers, combined,
                                    options.quick && !combined ? 1 : NumKinds);
            const auto add = [&](const char* what, uint64_t value) {
                r.values.push_back({name + what, double(value), {}, 0, ""});
            };
            add("answers at the source", a.at_source);
            if (combined) add("copies of the multicast on the busiest link", a.copies);
            add("answers on the busiest link", a.busiest);
            add("flits over links", a.flits);
            add("clocks to the last answer", a.clocks);
        }
    r.notes = {
        "8: level 0 on 8 x 8; 64: both levels on 8 x 8; 1024: all levels on 32 x 32. Of sources",
        "of all kinds the worst. Links are directed, between chips. An answer has three flits",
        "in either case. Combined, a link brings one ack for each copy it carried; two, where",
        "copies of two levels take the same hop. The paper says that combining reduces the",
        "traffic drastically, and gives no figures."};
    return r;
}

}  // namespace rdt::paper
