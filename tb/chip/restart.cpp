// SPDX-License-Identifier: MIT
// Restart of a whole machine: all chips are shot down at once under load, everything
// they hold is collected, they are reset and configured again, and everything is put
// back. On the 64-node machine of the C++ core, and on a 2x2 patch also in lockstep.
#include <gtest/gtest.h>

#include <random>

#include "common/answer.h"
#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/mc_territory.h"
#include "common/run_options.h"
#include "common/scoreboard.h"
#include "common/shot_keeper.h"
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

// Positions of nodes, and the vectors between them.
struct World {
    uint32_t nodes = 0;
    std::function<void(WiredChips&)> wire;
    std::function<BringUp(uint32_t node)> place;
    std::function<std::array<PacketSpec::Vector, 5>(uint32_t from, uint32_t to)> vectors;
    struct Multicast {
        std::array<uint32_t, 5> map{};
        std::map<uint32_t, int> receivers;  // node, how often
    };
    std::function<Multicast(uint32_t from, std::mt19937_64&)> multicast;
};

World machine_of_64() {
    static const Geometry geometry(8);
    World w;
    w.nodes = geometry.nodes();
    w.wire = [](WiredChips& net) {
        for (uint32_t n = 0; n < geometry.nodes(); ++n)
            for (uint32_t p : {PortE0, PortN0, PortE1, PortN1})
                net.wire(n, p, geometry.neighbor(n, p), p ^ 1);
    };
    w.place = [](uint32_t n) -> BringUp {
        const RouteConfig& c = geometry.config(n);
        return {{c.rank, c.xfer, c.dateline},
                0xFF,
                0,
                uint32_t(geometry.x_of(n)),
                uint32_t(geometry.y_of(n))};
    };
    w.vectors = [](uint32_t from, uint32_t to) {
        std::array<PacketSpec::Vector, 5> v{};
        const Vectors found = geometry.vectors(from, to);
        for (size_t r = 0; r < v.size(); ++r) v[r] = {found[r].x, found[r].y};
        return v;
    };
    w.multicast = [](uint32_t from, std::mt19937_64& random) {
        World::Multicast mc;
        for (uint32_t level = 0; level <= geometry.top_rank(); ++level)
            mc.map[level] = random() % 4 == 0 ? 0xFF : uint32_t(random() % 256);
        McSpec spec;
        spec.map = mc.map;
        const Territory territory(8, 1, 0);
        for (const auto& [at, times] :
             territory.receivers({geometry.x_of(from), geometry.y_of(from)}, spec))
            mc.receivers[geometry.index(at.first, at.second)] = times;
        return mc;
    };
    return w;
}

World patch_of_4() {
    World w;
    w.nodes = 4;
    w.wire = [](WiredChips& net) {
        for (uint32_t row : {0u, 2u}) net.wire(row, PortE0, row + 1, PortW0);
        for (uint32_t column : {0u, 1u}) net.wire(column, PortN0, column + 2, PortS0);
    };
    w.place = [](uint32_t n) -> BringUp {
        return {{}, (n % 2 == 0 ? 1u : 2u) | (n / 2 == 0 ? 4u : 8u), 0, n % 2, n / 2};
    };
    w.vectors = [](uint32_t from, uint32_t to) {
        std::array<PacketSpec::Vector, 5> v{};
        v[0] = {int(to % 2) - int(from % 2), int(to / 2) - int(from / 2)};
        return v;
    };
    w.multicast = [](uint32_t from, std::mt19937_64& random) {
        // Itself, its neighbors, and through the South the one diagonally below.
        std::map<uint32_t, uint32_t> reach{
            {0, from}, {from % 2 == 0 ? 1 : 2, from ^ 1}, {from / 2 == 0 ? 3 : 4, from ^ 2}};
        if (from / 2 == 1) reach[from % 2 == 0 ? 5 : 6] = from ^ 3;
        World::Multicast mc;
        for (const auto& [bit, to] : reach) {
            if (random() % 3 == 0) continue;
            mc.map[0] |= 1u << bit;
            mc.receivers[to] = 1;
        }
        return mc;
    };
    return w;
}

class Machine {
public:
    using Spoil = std::function<void(uint32_t node, ShotKeeper&)>;

    Machine(WiredChips& net, const World& world, uint64_t seed)
        : m_random(seed), m_net(net), m_world(world) {
        m_world.wire(m_net);
        for (uint32_t n = 0; n < m_world.nodes; ++n)
            for (uint32_t m = 0; m < 2; ++m) attach(n, m);
        for (uint32_t n = 0; n < m_world.nodes; ++n)
            m_keepers.push_back(std::make_unique<ShotKeeper>(mbp(n, 0)));
        m_net.reset();
        configure();
        all([this](uint32_t n) { switch_on(n); });
        m_net.drain(2000);
    }

    void load(uint64_t clocks) {
        for (; clocks > 0 && ok(); --clocks) {
            for (uint32_t n = 0; n < m_world.nodes; ++n)
                for (uint32_t m = 0; m < 2; ++m)
                    if (mbp(n, m).queued() < 2 && m_random() % 16 == 0) offer(n, m);
            m_net.clock();
        }
    }

    // Everything stops, comes out, and starts again in chips that know nothing.
    void restart(const Spoil& spoil = {}) {
        all([this](uint32_t n) { m_net.shoot(n, true); });
        m_net.clock();
        all([this](uint32_t n) { m_net.shoot(n, false); });
        wait([this] { return ended(); }, 20000, "no End");
        wait([this] { return m_net.acks_idle(); }, 5000, "acks do not come to rest");
        all([this](uint32_t n) { m_keepers[n]->dump_again(); });
        wait([this] { return ended(); }, 20000, "no second End");
        if (!ok()) return;
        // MBP 1 waits too: a credit it is given may be for a buffer that its packet is put back to.
        all([this](uint32_t n) { mbp(n, 1).hold_back = true; });
        m_net.reset();
        configure();
        m_net.clocks(100);
        for (uint32_t n = 0; n < m_world.nodes; ++n) {
            ShotKeeper& keeper = *m_keepers[n];
            m_dumped += keeper.slots().size();
            m_entries += keeper.entries().size();
            if (spoil) spoil(n, keeper);
            for (const ShotKeeper::Kept& kept : keeper.slots())
                if (kept.port() == PortM1) m_net.forfeit(n, PortM1, 0);
            keeper.put_back(true);
        }
        wait([this] { return settled(); }, 20000, "not put back");
        // Acks need no credit, so no router may run before all links are on.
        all([this](uint32_t n) { switch_on(n); });
        m_net.clocks(200);
        all([this](uint32_t n) {
            m_keepers[n]->run();
            mbp(n, 1).hold_back = false;
        });
    }

    std::string finish() {
        m_net.drain(20000);
        if (!m_error.empty()) return m_error;
        if (!m_net.error().empty()) return m_net.error();
        if (!m_board.empty()) return m_board.missing();
        return m_open.empty() && m_acks.empty() ? "" : "acks are missing: " + m_acks.missing();
    }
    bool ok() const { return m_error.empty() && m_net.error().empty(); }

    uint64_t dumped() const { return m_dumped; }
    uint64_t entries() const { return m_entries; }
    uint64_t packets() const { return m_board.received(); }
    uint64_t acks() const { return m_acks.received(); }

private:
    Endpoint& mbp(uint32_t node, uint32_t m) { return m_net.endpoint(node, PortM0 + m); }
    template <typename F>
    void all(F&& f) {
        for (uint32_t n = 0; n < m_world.nodes; ++n) f(n);
    }
    bool ended() const {
        for (const auto& keeper : m_keepers)
            if (!keeper->ended()) return false;
        return true;
    }
    bool settled() const {
        for (const auto& keeper : m_keepers)
            if (!keeper->settled()) return false;
        return true;
    }
    template <typename Test>
    void wait(Test&& test, uint64_t limit, const char* what) {
        for (uint64_t n = 0; n < limit && ok(); ++n) {
            if (test()) return;
            m_net.clock();
        }
        fail(what);
    }
    void fail(const std::string& what) {
        if (m_error.empty()) m_error = what + " at cycle " + std::to_string(m_net.now());
    }

    // All but the links.
    void configure() {
        all([this](uint32_t n) {
            const BringUp to = m_world.place(n);
            mbp(n, 0).send_first(setup_write({{RegX, to.x},
                                              {RegY, to.y},
                                              {RegRank, to.place.rank},
                                              {RegXfer, to.place.xfer},
                                              {RegDateline, to.place.dateline},
                                              {RegRanks, to.ranks}}));
        });
    }
    void switch_on(uint32_t n) {
        mbp(n, 0).send_first(setup_write({{RegLink, m_world.place(n).links}}));
    }

    void attach(uint32_t node, uint32_t m) {
        Endpoint& end = m_net.attach(node, PortM0 + m);
        const uint32_t where = 2 * node + m;
        end.hold = [this] { return m_random() % 20; };
        end.on_receive = [this, &end, node, m, where](const Endpoint::Received& r) {
            if (m == 0 && m_keepers[node]->take(r.flits)) return;
            const uint32_t serial = serial_of(r.flits);
            if (auto wrong = m_board.receive(where, 0, as_delivered(r.flits))) return fail(*wrong);
            if (asks_for_ack(r.flits)) answer(end, r.flits, serial);
        };
        end.on_ack = [this, where](const core::AckNote& ack) {
            if (auto wrong = m_acks.receive(where, 0, {ack.tag, ack.status})) fail(*wrong);
        };
    }

    // The part that does not change on the path: the type, and the body, whose first two flits
    // identify the packet.
    static Flits as_delivered(const Flits& flits) {
        Flits out{flits[0] >> 14 & 7};
        out.insert(out.end(), flits.begin() + 3, flits.end());
        return out;
    }
    static uint32_t serial_of(const Flits& flits) {
        return (flits[3] & 0xFFFF) << 16 | (flits[4] & 0xFFFF);
    }

    void answer(Endpoint& end, const Flits& copy, uint32_t serial) {
        const auto it = m_open.find(serial);
        if (it == m_open.end()) return fail("copy of an unknown multicast");
        const uint32_t status = uint32_t(m_random() % 64) & ~3u;
        answer_copy(end, PortM0, copy, status);
        it->second.status |= status;
        if (--it->second.copies != 0) return;
        m_acks.expect(it->second.where, 0, {it->second.tag, it->second.status});
        m_open.erase(it);
    }

    std::vector<uint32_t> body() {
        ++m_serial;
        std::vector<uint32_t> out{m_serial >> 16, m_serial & 0xFFFF};
        out.resize(2 + m_random() % 12, uint32_t(m_random()) & 0x1FFFF);
        return out;
    }

    void offer(uint32_t node, uint32_t m) {
        if (m_random() % 8 == 0) return offer_multicast(node, m);
        const uint32_t to = uint32_t(m_random() % m_world.nodes);
        PacketSpec p;
        p.mbp = uint32_t(m_random() % 2);
        p.v = m_world.vectors(node, to);
        p.body = body();
        mbp(node, m).send(0, encode(p));
        m_board.expect(2 * to + p.mbp, 0, as_delivered(encode(p)));
    }

    // So few request an ack at a time that no table can be full, so multicasts do not block each
    // other.
    void offer_multicast(uint32_t node, uint32_t m) {
        const World::Multicast to = m_world.multicast(node, m_random);
        if (to.receivers.empty()) return;
        McSpec mc;
        mc.map = to.map;
        mc.mbp = uint32_t(m_random() % 2);
        mc.tag = m_open.size() < 3 ? uint32_t(m_random() % (MaxOrdinaryTag + 1)) : 0;
        mc.body = body();
        size_t copies = 0;
        for (const auto& [receiver, times] : to.receivers)
            for (int k = 0; k < times; ++k, ++copies)
                m_board.expect(2 * receiver + mc.mbp, 0, as_delivered(encode(mc)));
        if (mc.tag != 0) m_open[m_serial] = {2 * node + m, mc.tag, 0, copies};
        mbp(node, m).send(0, encode(mc));
    }

    struct Open {
        uint32_t where;
        uint32_t tag;
        uint32_t status;
        size_t copies;
    };

    std::mt19937_64 m_random;
    WiredChips& m_net;
    World m_world;
    std::vector<std::unique_ptr<ShotKeeper>> m_keepers;
    Scoreboard m_board;
    Scoreboard m_acks;
    std::map<uint32_t, Open> m_open;  // multicasts not answered by all, by serial number
    uint32_t m_serial = 0;
    uint64_t m_dumped = 0;
    uint64_t m_entries = 0;
    std::string m_error;
};

void restart_at_random_clocks(WiredChips& net, const World& world, uint64_t seed, uint64_t times,
                              const std::string& rerun) {
    Machine machine(net, world, seed);
    std::mt19937_64 random(seed);
    for (uint64_t n = 0; n < times && machine.ok(); ++n) {
        machine.load(100 + random() % 900);
        machine.restart();
    }
    machine.load(200);
    ASSERT_EQ(machine.finish(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_GT(machine.dumped(), times * world.nodes / 4);
    EXPECT_GT(machine.entries(), 0u);
    EXPECT_GT(machine.acks(), 0u);
    ::testing::Test::RecordProperty("dumped", std::to_string(machine.dumped()));
    ::testing::Test::RecordProperty("entries", std::to_string(machine.entries()));
    ::testing::Test::RecordProperty("packets", std::to_string(machine.packets()));
    ::testing::Test::RecordProperty("acks", std::to_string(machine.acks()));
    ::testing::Test::RecordProperty("cycles", std::to_string(net.now()));
}

TEST(restart, restart_of_64_routers_under_load_loses_and_doubles_nothing) {
    const uint64_t seed = seed_or(1);
    const uint64_t times = cycles_or(20);
    CoreChips net(64);
    restart_at_random_clocks(net, machine_of_64(), seed, times,
                             rerun_line("chip_restart", "*of_64*", seed, times));
}

TEST(restart, restart_of_a_patch_of_core_routers_loses_and_doubles_nothing) {
    const uint64_t seed = seed_or(2);
    const uint64_t times = cycles_or(100);
    CoreChips net(4);
    restart_at_random_clocks(net, patch_of_4(), seed, times,
                             rerun_line("chip_restart", "*patch_of_core*", seed, times));
}

TEST(restart, restart_of_a_patch_with_banks_of_entries_loses_and_doubles_nothing) {
    const uint64_t seed = seed_or(5);
    const uint64_t times = cycles_or(100);
    CoreChips net(4, {OneLane, MaxEntries});
    restart_at_random_clocks(net, patch_of_4(), seed, times,
                             rerun_line("chip_restart", "*with_banks*", seed, times));
}

TEST(restart, restart_of_a_patch_in_lockstep_loses_and_doubles_nothing) {
    const uint64_t seed = seed_or(3);
    const uint64_t times = cycles_or(20);
    const std::string rerun = rerun_line("chip_restart", "*patch_in_lockstep*", seed, times);
    ChipNet net(4, "restart", seed, rerun);
    restart_at_random_clocks(net, patch_of_4(), seed, times, rerun);
}

TEST(restart, restart_that_omits_one_packet_is_detected) {
    CoreChips net(4);
    Machine machine(net, patch_of_4(), 4);
    machine.load(500);
    bool dropped = false;
    machine.restart([&dropped](uint32_t, ShotKeeper& keeper) {
        if (dropped || keeper.slots().empty()) return;
        keeper.slots().pop_back();
        dropped = true;
    });
    EXPECT_TRUE(dropped);
    EXPECT_NE(machine.finish(), "");
}

}  // namespace
}  // namespace rdt::tb
