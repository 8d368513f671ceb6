// SPDX-License-Identifier: MIT
// Faults in the other forms of a node, on 64 nodes under load: two chips of 18 bits that run apart
// or compare their grants (Ctrl[0]), and one chip of 36 bits. Slice k of all nodes is a network of
// its own, so a sliced machine is two machines whose nodes see each other's slice_o. Every packet,
// in a sliced machine each of its halves, is delivered once or its loss is reported.
//
// Slices that compare halt when they differ. MBP 0 then clears Ctrl[0] in both slices of all nodes,
// and the halves continue apart; to be slices of one node again, the machine needs a reset.
//
// RDT_CASES of each kind, selected by RDT_SEED; the lines that begin with | are the table of
// docs/robustness.md (scripts/sliced_table.py).
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <set>

#include "attack/random_packet.h"
#include "common/core_machine.h"
#include "common/run_options.h"
#include "common/watched_load.h"
#include <rdt/machine/packets.h>

namespace rdt::tb {
namespace {

using machine::Endpoint;

enum class Form { Apart, Compare, Wide };
enum class Kind { FlipD, FlipReq, FlipCred, StuckPin, CutLink, DeadChip };
constexpr const char* FormNames[] = {"apart", "compare", "wide"};
constexpr const char* FormTexts[] = {"two chips, apart", "two chips, compared",
                                     "one chip, 36 bits"};
constexpr const char* KindNames[] = {"flip_d",    "flip_req", "flip_cred",
                                     "stuck_pin", "cut_link", "dead_chip"};
constexpr const char* KindTexts[] = {"a flip in D", "a flip in REQ", "a flip in CRED",
                                     "a stuck pin", "a cut link",    "a dead chip"};
bool is_lasting(Kind kind) { return kind >= Kind::StuckPin; }

constexpr uint64_t Slice = WatchedLoad::Slice;
constexpr uint32_t Tick = 500;
// As in flips.cpp and broken.cpp.
constexpr uint64_t MostLost[] = {2, 4, 0};
constexpr uint64_t RecoveryOfFlip = 6 * Slice;
constexpr uint64_t RecoveryOfFault = 2 * SlowTick + 100 + 2 * Tick + 3000;
constexpr uint64_t Measured = 4 * Slice;
constexpr uint64_t Reacts = 100;  // cycles from a halt until MBP 0 of all nodes clears Ctrl[0]
constexpr uint64_t ClearGap = 200;

// One machine of 36 bits, or two of 18.
class SlicedMachine {
public:
    SlicedMachine(Form form, machine::Config config) : m_form(form) {
        config.event_driven = false;
        const flit_t lanes = form == Form::Wide ? TwoLanes : OneLane;
        for (int k = 0; k < (form == Form::Wide ? 1 : 2); ++k) {
            planes.push_back(std::make_unique<CoreMachine>(config, ChipOptions(lanes)));
            planes.back()->bring_up();
        }
        if (form != Form::Compare) return;
        write_all({{RegCtrl, config.ctrl() | core::Config::CtrlCompare}});
        for (int n = 0; n < 100; ++n) {
            couple();
            for (auto& plane : planes) plane->clock();
        }
    }

    // Before each cycle: the slices of a node see each other.
    void couple() {
        if (planes.size() < 2) return;
        for (uint32_t n = 0; n < 64; ++n)
            for (uint32_t k = 0; k < 2; ++k) planes[k]->show_slice(n, planes[1 - k]->slice(n));
    }
    // After each cycle: MBP 0 clears the error pins, in both slices alike, and ends a halt.
    void tend() {
        for (uint32_t n = 0; n < 64; ++n) {
            uint32_t status = 0;
            uint32_t link_err = 0;
            uint32_t halted = 0;
            for (auto& plane : planes) {
                const core::Config& registers = plane->state(n)->local().q().cfg;
                status |= registers.status;
                link_err |= registers.link_err;
                halted += plane->state(n)->local().halt() ? 1 : 0;
            }
            if (halted == 1 && compares() && wrong.empty())
                wrong = fmt::format("cycle {}: one slice of node {} has halted alone", now(), n);
            if (halted == 0 && compares() && (status >> StatusSlice & 1) != 0 && wrong.empty())
                wrong = fmt::format("cycle {}: the slices of node {} continue", now(), n);
            if (halted != 0 && m_halted_at == 0) m_halted_at = now();
            if (halted != 0) m_halted.insert(n);
            if (status == 0 || now() < m_cleared[n] + ClearGap) continue;
            if (m_halted_at != 0 && compares()) continue;
            m_cleared[n] = now();
            for (auto& plane : planes)
                plane->mbp(n, 0).send_first(
                    machine::setup_packet({{RegStatus, status}, {RegLinkErr, link_err}}));
        }
        for (uint32_t n = 0; n < 64 && compares(); ++n)
            came_apart |= planes[0]->pins(n, PortM1).oe != planes[1]->pins(n, PortM1).oe;
        if (m_halted_at != 0 && m_compares && now() == m_halted_at + Reacts) {
            m_compares = false;
            write_all({{RegCtrl, planes[0]->config().ctrl()}});
        }
    }
    bool compares() const { return m_form == Form::Compare && m_compares; }
    uint64_t now() const { return planes[0]->now(); }
    // 0: no node has halted.
    uint64_t halted_at() const { return m_halted_at; }
    size_t halted_nodes() const { return m_halted.size(); }
    bool idle() const {
        for (const auto& plane : planes)
            if (!plane->idle()) return false;
        return true;
    }

    std::vector<std::unique_ptr<CoreMachine>> planes;
    std::string wrong;
    bool came_apart = false;  // halves of a packet for an MBP 1, while the slices were compared

private:
    void write_all(const std::vector<std::pair<uint32_t, uint32_t>>& registers) {
        for (auto& plane : planes)
            for (uint32_t n = 0; n < 64; ++n)
                plane->mbp(n, 0).send_first(machine::setup_packet(registers));
    }

    const Form m_form;
    bool m_compares = true;
    uint64_t m_halted_at = 0;
    std::set<uint32_t> m_halted;
    std::array<uint64_t, 64> m_cleared{};
};

struct Totals {
    uint64_t cases = 0;
    uint64_t sent = 0;
    uint64_t delivered = 0;
    uint64_t lost = 0;
    uint64_t halts = 0;
    uint64_t latest_halt = 0;  // cycles after the fault
    size_t most_halted = 0;    // nodes
    uint64_t unseen = 0;       // halves came apart, and no node halted
    double least_share = 1;
};

class SlicedRun {
public:
    SlicedRun(Form form, bool lasting, uint64_t seed)
        : m_form(form), m_lasting(lasting), m_random(seed), m_machine(form, config(lasting)) {
        LoadOptions options;
        options.seed = seed;
        options.deadline = deadline();
        options.clears_errors = false;
        options.mbp0_sends = form != Form::Compare;
        for (auto& plane : m_machine.planes)
            m_loads.push_back(std::make_unique<WatchedLoad>(*plane, options));
        clocks(2 * Slice - m_machine.now() % Slice + m_random.below(80));
    }
    ~SlicedRun() { m_loads.clear(); }

    void strike(Kind kind, bool announced = true) {
        m_plane = m_random.below(uint32_t(m_machine.planes.size()));
        m_announced = announced;
        m_struck = m_machine.now();
        if (kind == Kind::DeadChip) {
            const uint32_t node = m_random.below(64);
            for (uint32_t p = 0; p < NumPorts; ++p) break_off(node, p);
            for (uint32_t p = 0; p < NumPorts; ++p) plane().cut(node, p);
        } else if (kind == Kind::CutLink || kind == Kind::StuckPin) {
            const uint32_t node = m_random.below(64);
            const uint32_t port = m_random.below(NumNetworkPorts);
            break_off(node, port);
            if (kind == Kind::CutLink) plane().cut(node, port);
            else plane().stick(node, port, pin(m_random.below(3)), m_random.bits(1) != 0);
        } else flip(uint32_t(kind) - uint32_t(Kind::FlipD));
        if (is_lasting(kind)) tell();
    }

    // Empty: all is well.
    std::string verdict(Totals& totals) {
        const uint64_t from = m_struck + (m_lasting ? RecoveryOfFault : RecoveryOfFlip) +
                              (m_form == Form::Compare ? RecoveryOfFlip : 0);
        clocks(from + Measured + Slice - m_machine.now());
        double share = 1;
        for (auto& load : m_loads) share = std::min(share, load->share(from, from + Measured));
        if (m_lasting) clocks(deadline(), false);
        else if (!drain()) m_machine.wrong += "packets are stuck; ";
        std::string text = m_machine.wrong;
        for (auto& load : m_loads) {
            load->close();
            text += load->wrong();
            totals.delivered += load->delivered();
            totals.lost += load->lost();
            totals.sent += load->sent();
        }
        ++totals.cases;
        totals.least_share = std::min(totals.least_share, share);
        if (m_machine.halted_at() != 0) {
            ++totals.halts;
            totals.latest_halt = std::max(totals.latest_halt, m_machine.halted_at() - m_struck);
            totals.most_halted = std::max(totals.most_halted, m_machine.halted_nodes());
        }
        totals.unseen += m_machine.came_apart && m_machine.halted_at() == 0 ? 1 : 0;
        if (share < (m_lasting ? 0.95 : 0.99))
            text += fmt::format("only {:.3f} of the packets came in time", share);
        return text;
    }

private:
    static machine::Config config(bool lasting) {
        machine::Config c;
        c.timeout = Tick;
        c.sink = lasting;
        return c;
    }
    uint64_t deadline() const {
        return (m_lasting ? 12000 : RecoveryOfFlip + 1000) + (m_form == Form::Compare ? 1000 : 0);
    }
    CoreMachine& plane() { return *m_machine.planes[m_plane]; }
    void clocks(uint64_t n, bool sends = true) {
        for (; n > 0; --n) {
            m_machine.couple();
            for (auto& load : m_loads) load->clocks(1, sends);
            m_machine.tend();
        }
    }
    bool drain() {
        for (uint64_t n = 0, quiet = 0; quiet < 16; ++n) {
            if (n > 20000) return false;
            clocks(1, false);
            quiet = m_machine.idle() ? quiet + 1 : 0;
        }
        return true;
    }
    core::LinkPinsIn pin(uint32_t what) {
        core::LinkPinsIn bits;
        if (what == 0)
            bits.d = flit_t(1) << m_random.below(m_form == Form::Wide ? 2 * FlitW : FlitW);
        else (what == 1 ? bits.req : bits.cred) = 1u << m_random.bits(1);
        return bits;
    }
    // Mostly a pin with something on it, since most are idle at any time.
    void flip(uint32_t what) {
        uint32_t node = 0;
        uint32_t port = 0;
        for (int tries = m_random.chance(75) ? 400 : 1; tries > 0; --tries) {
            node = m_random.below(64);
            port = m_random.below(NumPorts);
            const core::LinkPinsOut far = plane().far_pins(node, port);
            const core::LinkPinsOut own = plane().pins(node, port);
            if (what == 0 ? far.oe : what == 1 ? far.req != 0 || own.req != 0 : far.cred != 0)
                break;
        }
        plane().flip({node, port, pin(what)});
        if (m_announced) m_loads[m_plane]->disturb(node, port, false, MostLost[what]);
    }
    void break_off(uint32_t node, uint32_t port) {
        if (m_announced) m_loads[m_plane]->disturb(node, port, true);
        if (!is_network(port)) {
            m_dead.insert(2 * node + port - PortM0);
            return;
        }
        m_links.insert({node, port});
        m_links.insert({plane().geometry().neighbor(node, port), opposite(port)});
    }
    // Packets that use a broken part do not count; an MBP with a dead half sends no more.
    void tell() {
        m_whole.assign(64 * 64, true);
        for (uint32_t from = 0; from < 64; ++from)
            for (uint32_t to = 0; to < 64; ++to) {
                for (const Hop& hop : plane().geometry().walk(from, to).hops)
                    if (m_links.count({hop.node, hop.port}) != 0) m_whole[from * 64 + to] = false;
                for (const uint32_t mbp : m_dead)
                    if (mbp / 2 == from || mbp / 2 == to) m_whole[from * 64 + to] = false;
            }
        for (auto& load : m_loads) {
            load->is_dead = [this](uint32_t mbp) { return m_dead.count(mbp) != 0; };
            load->counts = [this](uint32_t from, uint32_t to) { return m_whole[from * 64 + to]; };
        }
    }

    const Form m_form;
    const bool m_lasting;
    Dice m_random;
    SlicedMachine m_machine;
    std::vector<std::unique_ptr<WatchedLoad>> m_loads;
    uint32_t m_plane = 0;
    bool m_announced = true;
    uint64_t m_struck = 0;
    std::set<std::pair<uint32_t, uint32_t>> m_links;
    std::set<uint32_t> m_dead;  // MBPs
    std::vector<bool> m_whole;
};

void print_row(Form form, const char* what, const Totals& t) {
    const bool under_load = t.least_share >= 0;
    const std::string halts =
        form != Form::Compare
            ? "- | - | -"
            : fmt::format("{} | {} | {}", t.halts, t.halts != 0 ? t.latest_halt : 0,
                          under_load ? std::to_string(t.unseen) : "-");
    const std::string in_time = under_load ? fmt::format("{:.1f} %", 100 * t.least_share) : "-";
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", FormTexts[int(form)], what, t.cases,
               t.sent, t.delivered, t.lost, halts, in_time);
}

using Case = std::tuple<Form, Kind>;
class Sliced : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    sliced, Sliced,
    ::testing::Combine(::testing::Values(Form::Apart, Form::Compare, Form::Wide),
                       ::testing::Values(Kind::FlipD, Kind::FlipReq, Kind::FlipCred, Kind::StuckPin,
                                         Kind::CutLink, Kind::DeadChip)),
    [](const auto& p) {
        return fmt::format("{}_{}", FormNames[int(std::get<0>(p.param))],
                           KindNames[int(std::get<1>(p.param))]);
    });

TEST_P(Sliced, node_delivers_or_reports_every_packet) {
    const auto [form, kind] = GetParam();
    Totals totals;
    for (uint64_t n = 0; n < from_environment("RDT_CASES", 2); ++n) {
        SlicedRun run(form, is_lasting(kind), seed_or(1) * 1000000 + n);
        run.strike(kind);
        ASSERT_EQ(run.verdict(totals), "") << "case " << n << " seed=" << seed_or(1);
    }
    print_row(form, KindTexts[int(kind)], totals);
}

// The scoreboard itself: a loss on a link that is not known to be disturbed is found.
TEST(sliced, silent_loss_is_found) {
    for (const Form form : {Form::Apart, Form::Compare, Form::Wide}) {
        Totals totals;
        SlicedRun run(form, true, seed_or(1));
        run.strike(Kind::CutLink, false);
        EXPECT_NE(run.verdict(totals), "") << FormNames[int(form)];
    }
}

// Packets with random headers, one at a time: in a sliced machine the same halves, or one damaged.
class SlicedHeaders : public ::testing::TestWithParam<Form> {};
INSTANTIATE_TEST_SUITE_P(sliced, SlicedHeaders,
                         ::testing::Values(Form::Apart, Form::Compare, Form::Wide),
                         [](const auto& p) { return FormNames[int(p.param)]; });

class HeaderRun {
public:
    HeaderRun(Form form, uint64_t seed) : m_form(form), m_random(seed), m_machine(form, config()) {
        for (uint32_t k = 0; k < m_machine.planes.size(); ++k)
            for (uint32_t at = 0; at < 128; ++at) {
                Endpoint& end = m_machine.planes[k]->mbp(at / 2, at % 2);
                end.on_receive = [this, k, &end](const Endpoint::Received& r) {
                    const flit_t h0 = r.flits[0];
                    ++(get(h0, H0Type) == int(TypeErr) ? m_reports : m_came)[k];
                    if (is_multicast(h0) && get(h0, H0Tag) != 0)
                        end.send_ack(uint32_t(get(h0, H0Tag)), 0, Endpoint::generation_of(r.flits));
                };
            }
    }
    // Empty: delivered or reported, in every half.
    std::string send(Totals& totals) {
        m_came = m_reports = {};
        // MBP 0 keeps its buffer for SETUP packets where a node may halt.
        const uint32_t at = m_random.below(128) | (m_form == Form::Compare ? 1 : 0);
        const machine::Flits flits = random_packet(m_random, m_machine.planes[0]->geometry(), at);
        const bool damaged = m_machine.planes.size() > 1 && m_random.chance(25);
        const uint32_t half = m_random.bits(1);
        const uint32_t flit = m_random.below(3);
        const uint32_t bit = m_random.below(14);
        const uint64_t from = m_machine.now();
        for (uint32_t k = 0; k < m_machine.planes.size(); ++k) {
            machine::Flits own = flits;
            if (damaged && k == half) own[flit] ^= 1u << bit;
            m_machine.planes[k]->mbp(at / 2, at % 2).send(0, own);
        }
        // A lost credit is late after two slow ticks.
        if (!settle(2 * SlowTick + 2000)) return "stuck or circulating";
        ++totals.cases;
        if (m_machine.halted_at() != 0) {
            ++totals.halts;
            totals.latest_halt = std::max(totals.latest_halt, m_machine.halted_at() - from);
            totals.most_halted = std::max(totals.most_halted, m_machine.halted_nodes());
        }
        for (uint32_t k = 0; k < m_machine.planes.size(); ++k) {
            ++totals.sent;
            if (m_came[k] != 0) ++totals.delivered;
            else if (m_reports[k] != 0 || was_dropped(k, at)) ++totals.lost;
            else return fmt::format("silence in half {}", k);
        }
        return m_machine.wrong;
    }
    bool has_halted() const { return m_machine.halted_at() != 0; }

private:
    static machine::Config config() {
        machine::Config c;
        c.timeout = Tick;
        c.sink = true;
        c.t_ent = 400;
        c.t_ack = 2500;
        return c;
    }
    // Before MBP 0 clears it: its own link has no notice, but Status and LinkErr show it.
    bool was_dropped(uint32_t k, uint32_t at) const { return at % 2 == 0 && m_mbp0[k] == at / 2; }
    bool settle(uint64_t limit) {
        m_mbp0 = {64, 64};
        for (uint64_t n = 0; n < limit; ++n) {
            m_machine.couple();
            for (uint32_t k = 0; k < m_machine.planes.size(); ++k) {
                m_machine.planes[k]->clock();
                for (uint32_t node = 0; node < 64; ++node)
                    if (m_machine.planes[k]->err(node) &&
                        (m_machine.planes[k]->state(node)->local().q().cfg.link_err >> PortM0 &
                         1) != 0)
                        m_mbp0[k] = node;
            }
            m_machine.tend();
            bool quiet = n % 8 == 7 && m_machine.idle();
            for (uint32_t node = 0; node < 64 && quiet; ++node)
                for (auto& plane : m_machine.planes) quiet = quiet && !plane->err(node);
            if (quiet) return true;
        }
        return false;
    }

    const Form m_form;
    Dice m_random;
    SlicedMachine m_machine;
    std::array<uint64_t, 2> m_came{};
    std::array<uint64_t, 2> m_reports{};
    std::array<uint32_t, 2> m_mbp0{};  // node whose MBP 0 lost something on its own link
};

TEST_P(SlicedHeaders, packet_is_delivered_or_reported) {
    const Form form = GetParam();
    const uint64_t packets = 50 * from_environment("RDT_CASES", 2);
    Totals totals;
    totals.least_share = -1;  // not measured
    uint64_t seed = seed_or(1) * 1000000;
    auto run = std::make_unique<HeaderRun>(form, seed);
    for (uint64_t n = 0; n < packets; ++n) {
        ASSERT_EQ(run->send(totals), "") << "packet " << n << " seed=" << seed_or(1);
        if (run->has_halted()) run = std::make_unique<HeaderRun>(form, ++seed);
    }
    EXPECT_GT(totals.delivered, packets / 10);
    print_row(form, "a random header", totals);
}

}  // namespace
}  // namespace rdt::tb
