// SPDX-License-Identifier: MIT
// The timing diagrams of docs/timing.md are drawn from the pins of the router, and compared with
// the page.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "common/bring_up.h"
#include "common/chip_net.h"

namespace rdt::tb {
namespace {

// One row a signal, one column a cycle.
class Diagram {
public:
    using Cell = std::function<std::string()>;

    void row(std::string label, Cell cell) {
        m_rows.push_back({std::move(label), std::move(cell), {}});
    }
    void sample() {
        for (Row& r : m_rows) r.cells.push_back(r.cell());
    }
    // Cycles count from 1. Diagrams that are too wide for a page continue below.
    std::string text() const {
        const size_t clocks = m_rows[0].cells.size();
        std::string out;
        for (size_t from = 0; from < clocks; from += Columns) {
            const size_t to = std::min(clocks, from + Columns);
            if (from != 0) out += "\n";
            out += line("cycle", from, to, [](size_t k) { return std::to_string(k + 1); });
            for (const Row& r : m_rows)
                out += line(r.label, from, to, [&](size_t k) { return r.cells[k]; });
        }
        return out;
    }

private:
    static constexpr size_t Columns = 20;

    struct Row {
        std::string label;
        Cell cell;
        std::vector<std::string> cells;
    };
    template <typename CellOf>
    static std::string line(const std::string& label, size_t from, size_t to, CellOf&& cell_of) {
        std::string out = fmt::format("{:<12}", label);
        for (size_t k = from; k < to; ++k) out += fmt::format("{:<5}", cell_of(k));
        return out.erase(out.find_last_not_of(' ') + 1) + "\n";
    }
    std::vector<Row> m_rows;
};

// Names the flits of the packets on one set of lines, and reads REQ as it is meant.
class Lines {
public:
    explicit Lines(std::function<core::LinkPinsOut()> pins) : m_pins(std::move(pins)) {}

    // To be called once per cycle, before req().
    std::string d() {
        const core::LinkPinsOut p = m_pins();
        m_first = p.oe && m_left == 0;
        if (!p.oe) {
            m_left = 0;  // a call cuts it short
            return ".";
        }
        if (m_first) {
            m_left = (p.d >> 10 & 15) + 1;
            m_index = 0;
        }
        --m_left;
        const uint32_t k = m_index++;
        return k < 3 ? fmt::format("H{}", k) : fmt::format("B{}", k - 3);
    }
    std::string req() const {
        const uint32_t req = m_pins().req;
        return m_first ? to_string(Vc(req)) : req == ReqIdle ? "." : to_string(Req(req));
    }
    std::string cred() {
        const core::LinkPinsOut p = m_pins();
        if (p.cred == 0) return ".";
        const bool calls = p.req == ReqCall && !p.oe;
        // After a call the first code signals that this end is present.
        const bool greets = !calls && m_called;
        m_called = calls;
        return calls ? to_string(Req(p.req)) : greets ? "Here" : to_string(Vc(p.cred));
    }

private:
    std::function<core::LinkPinsOut()> m_pins;
    uint32_t m_left = 0;
    uint32_t m_index = 0;
    bool m_first = false;
    bool m_called = false;
};

void add_rows(Diagram& diagram, const std::string& name, Lines& lines) {
    diagram.row(name + " D", [&lines] { return lines.d(); });
    diagram.row(name + " REQ", [&lines] { return lines.req(); });
    diagram.row(name + " CRED", [&lines] { return lines.cred(); });
}

// The fenced block that follows this heading in the page.
std::string block_of_page(const std::string& heading) {
    std::ifstream file(RDT_SOURCE_DIR "/docs/timing.md");
    std::string block;
    bool found = false;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line == "## " + heading) found = true;
        if (!found) continue;
        if (line.rfind("```", 0) == 0) {
            if (inside) return block;
            inside = true;
        } else if (inside) {
            block += line + "\n";
        }
    }
    return "no block under '" + heading + "' in docs/timing.md";
}

TEST(timing, page_shows_the_six_cycle_path_as_on_the_pins) {
    ChipNet net(1, "timing", 0, "build/bin/chip_timing");
    Endpoint& west = net.attach(0, PortW0);
    net.attach(0, PortE0);
    net.attach(0, PortM0);
    net.reset();
    configure(net, 0, {{}, 0xFF, 0, 0, 0});
    ASSERT_TRUE(net.drain(1000)) << net.error();

    Lines in([&] { return west.pins(); });
    Lines in_chip([&] { return net.pins(0).link[PortW0]; });
    Lines out([&] { return net.pins(0).link[PortE0]; });
    Diagram diagram;
    diagram.row("W0 D in", [&] { return in.d(); });
    diagram.row("W0 REQ in", [&] { return in.req(); });
    diagram.row("W0 CRED out", [&] { return in_chip.cred(); });
    diagram.row("E0 D out", [&] { return out.d(); });
    diagram.row("E0 REQ out", [&] { return out.req(); });
    PacketSpec p;
    p.v[0].x = 1;
    p.body = {1, 2};
    west.send(0, encode(p));
    while (!west.pins().oe) ASSERT_TRUE(net.clock()) << net.error();
    for (int n = 0; n < 12; ++n) {
        diagram.sample();
        ASSERT_TRUE(net.clock()) << net.error();
    }
    EXPECT_EQ(diagram.text(), block_of_page("Six cycles through the chip"));
}

// Chip A, whose E0 is wired to W0 of chip B.
class TwoChips {
public:
    TwoChips() {
        net.wire(0, PortE0, 1, PortW0);
        for (uint32_t node : {0u, 1u}) {
            net.attach(node, PortM0);
            net.attach(node, PortM1);
        }
        net.reset();
        configure(net, 0, {{}, 1u << PortE0, 0, 0, 0});
        configure(net, 1, {{}, 1u << PortW0, 0, 1, 0});
        net.drain(1000);
        add_rows(m_diagram, "A", m_a);
        add_rows(m_diagram, "B", m_b);
    }

    // A packet to the other chip.
    void send(uint32_t node, uint32_t port, uint32_t body) {
        PacketSpec p;
        p.v[0].x = node == 0 ? 1 : -1;
        for (uint32_t k = 1; k <= body; ++k) p.body.push_back(k);
        net.endpoint(node, port).send(0, encode(p));
    }
    core::LinkPinsOut at_a() const { return net.pins(0).link[PortE0]; }
    void draw(uint32_t clocks) {
        for (; clocks > 0; --clocks) {
            m_diagram.sample();
            net.clock();
        }
    }
    std::string drawn() const { return net.error().empty() ? m_diagram.text() : net.error(); }

    ChipNet net{2, "timing", 0, "build/bin/chip_timing"};

private:
    Lines m_a{[this] { return at_a(); }};
    Lines m_b{[this] { return net.pins(1).link[PortW0]; }};
    Diagram m_diagram;
};

TEST(timing, page_shows_the_link_handshake_as_it_is) {
    TwoChips two;
    two.send(0, PortM0, 1);
    two.send(1, PortM0, 1);
    two.send(0, PortM1, 1);
    while (two.at_a().req == 0) ASSERT_TRUE(two.net.clock()) << two.net.error();
    two.draw(20);
    EXPECT_EQ(two.drawn(), block_of_page("The link handshake"));
}

TEST(timing, page_shows_link_recovery_as_on_the_pins) {
    TwoChips two;
    two.send(0, PortM0, 4);
    two.send(0, PortM1, 1);
    while (!two.at_a().oe) ASSERT_TRUE(two.net.clock()) << two.net.error();
    two.draw(1);
    two.net.flip_d(1, PortW0, 1);  // a bit of H1
    two.draw(39);
    EXPECT_EQ(two.drawn(), block_of_page("Link recovery"));
    EXPECT_EQ(two.net.link(0, PortE0).packets(0), 2u);
    EXPECT_TRUE(two.net.pins(1).err);
}

}  // namespace
}  // namespace rdt::tb
