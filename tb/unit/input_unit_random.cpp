// SPDX-License-Identifier: MIT
// Random traffic into the input unit. What must come out is known from
// common/packet.h; RTL and twin are compared in every clock as well.
#include <optional>

#include "unit/input_unit_bench.h"

namespace rdt::tb {

using input_unit_random = BlockTest;

// A packet on its way in, and what must come out of it.
struct Arrival {
    Flits flits;
    uint32_t vc = 0;
    uint32_t port = 0;
    uint32_t out_vc = 0;
    uint32_t error = 0;
    uint32_t out_flits = 0;
    uint32_t exact = 0;  // flits from the front whose content is known
};

struct Traffic {
    Random& rng;
    uint32_t in_port;

    Arrival make(uint32_t vc, const Place& place) {
        PacketSpec p = random_packet(rng);
        const uint32_t fault = rng.below(20);
        if (fault == 0)
            p.type = rng.pick({TypeMcSm, TypeMcLpra, TypeMcLarp, TypeAck, TypeShot, TypeErr});
        Arrival a;
        a.vc = vc;
        a.flits = encode(p);
        const Expected e = expect(p, in_port, vc, place);
        a.port = e.port;
        a.out_vc = e.vc;
        a.error = e.error;
        if (fault == 0) a.error = p.type == TypeAck ? ErrUnexpectedAck : ErrBadType;
        if (fault == 1) {
            a.flits[rng.below(3)] ^= 1u << rng.below(18);
            a.error = ErrHeaderParity;
        }
        if (fault == 2) {
            uint32_t& flit = a.flits[rng.between(1, 2)];
            flit = with_field(flit, 0, 1, 1);
            a.error = ErrReserved;
        }
        if (fault == 3) {
            a.flits[0] = with_field(a.flits[0], 10, 4, rng.below(2));
            a.error = ErrBadLength;
        }
        a.out_flits = a.exact = uint32_t(a.flits.size());
        if (a.error != ErrNone) {
            a.port = PortLocal;
            a.out_vc = 0;
            a.out_flits = a.exact = 3;
        }
        if (fault == 4 && a.flits.size() > 3) {
            a.flits[rng.between(3, uint32_t(a.flits.size()) - 1)] ^= 1u << rng.below(18);
        } else if (fault == 5 && a.flits.size() > 3) {
            a.flits.resize(rng.between(3, uint32_t(a.flits.size()) - 1));
            a.exact = 3;
        } else if (fault == 6) {
            for (uint32_t n = rng.between(1, 10); n != 0; --n) a.flits.push_back(rng.bits(18));
        }
        return a;
    }
};

template <typename Bench>
class Harness {
public:
    Harness(const TestRun& run, uint32_t num_vc, uint32_t in_port)
        : b(run),
          m_rng(run.seed),
          m_traffic{m_rng, in_port},
          m_num_vc(num_vc),
          m_waiting(3),
          m_free_at(3) {}

    Bench b;
    uint64_t arrived = 0, dropped = 0, delivered = 0, errors = 0, frames = 0, bodies = 0,
             timeouts = 0;

    void clock() {
        if (m_rng.chance(1)) change_phase();
        if (m_rng.chance(10)) {
            uint32_t bits = 0;
            for (uint32_t i = 0; i < 31; ++i) bits |= uint32_t(m_rng.chance(m_credits)) << i;
            b.credit = bits;
        }
        const bool first = drive_flit();
        b.tick_in = m_rng.chance(3);
        b.to_ack = b.to_pend() && m_rng.chance(30);
        b.gnt = b.want() != 0 && m_rng.chance(m_grants);
        b.settle();
        EXPECT_EQ(b.ev_over() != 0, first && m_drop) << "clock " << b.clock();
        frames += b.ev_frame();
        bodies += b.ev_body();
        timeouts += b.to_ack();
        check_read();
        const uint32_t want = b.want();
        b.tick();
        after_edge(want);
    }

private:
    void change_phase() {
        m_credits = m_rng.pick({0, 10, 60, 100});
        m_grants = m_rng.pick({3, 50, 100});
        m_load = m_rng.pick({5, 50, 100});
        if (m_arriving) return;  // its route is known already
        b.rank = m_place.rank = m_rng.bits(3);
        b.xfer = m_place.xfer = m_rng.bits(4);
        b.dateline = m_place.dateline = m_rng.bits(8);
    }

    // A packet on a VC whose buffer is free, or (to be dropped) on one that is taken or missing.
    void choose() {
        const uint32_t vc = m_rng.below(3);
        const bool exists = vc < m_num_vc;
        const bool taken = exists && m_waiting[vc].has_value();
        m_drop = !exists || taken;
        if (m_drop ? !m_rng.chance(10) : b.clock() < m_free_at[vc]) return;
        m_arriving = m_traffic.make(vc, m_place);
        m_k = 0;
        ++(m_drop ? dropped : arrived);
    }

    // Returns whether this is the first flit of a packet.
    bool drive_flit() {
        if (!m_arriving && m_rng.chance(m_load)) choose();
        b.rx_valid = m_arriving.has_value();
        b.rx_d = m_arriving ? m_arriving->flits[m_k] : m_rng.bits(18);
        b.rx_first = m_arriving && m_k == 0;
        b.rx_last = m_arriving && m_k + 1 == m_arriving->flits.size();
        if (m_arriving) b.rx_vc = m_arriving->vc;
        return m_arriving && m_k == 0;
    }

    void check_read() {
        if (!m_reading) {
            EXPECT_EQ(b.rd_x(), 0u) << "clock " << b.clock();
            return;
        }
        const Arrival& a = *m_reading;
        EXPECT_EQ(b.rd_x() >> 18, stream_code_of(m_read, a.out_flits, a.out_vc))
            << "clock " << b.clock();
        if (m_read < a.exact) {
            EXPECT_EQ(b.rd_x() & 0x3FFFF, a.flits[m_read]) << "clock " << b.clock();
        }
        EXPECT_EQ(b.rd_err(), a.error);
        EXPECT_EQ(b.rd_vc(), a.vc);
        if (++m_read < a.out_flits) return;
        ++delivered;
        errors += a.error != ErrNone;
        m_reading.reset();
    }

    void after_edge(uint32_t want) {
        if (b.gnt()) {
            uint32_t vc = 0;
            while (vc < 3 && !(m_waiting[vc] && granted(vc))) ++vc;
            if (vc == 3) throw std::logic_error("a packet was granted that is not there");
            EXPECT_FALSE(m_reading);
            EXPECT_EQ(want, 1u << m_waiting[vc]->port) << "clock " << b.clock();
            m_reading = std::move(m_waiting[vc]);
            m_waiting[vc].reset();
            m_read = 0;
            m_free_at[vc] = b.clock() + 4;
        }
        if (!m_arriving) return;
        ++m_k;
        if (m_k == 3 && !m_drop) m_waiting[m_arriving->vc] = m_arriving;
        if (m_k == m_arriving->flits.size()) m_arriving.reset();
    }
    // After the edge of a grant rd_vc_o names the VC.
    bool granted(uint32_t vc) const { return b.rd_vc() == vc; }

    Random m_rng;
    Traffic m_traffic;
    uint32_t m_num_vc;
    Place m_place;
    uint32_t m_credits = 60;
    uint32_t m_grants = 50;
    uint32_t m_load = 50;
    std::optional<Arrival> m_arriving;
    bool m_drop = false;
    uint32_t m_k = 0;
    std::vector<std::optional<Arrival>> m_waiting;  // by VC
    std::vector<uint64_t> m_free_at;  // by VC: clock from which a sender has the credit
    std::optional<Arrival> m_reading;
    uint32_t m_read = 0;
};

template <typename Bench>
void random_traffic(uint32_t num_vc, uint32_t in_port) {
    const TestRun run(100000);
    Harness<Bench> h(run, num_vc, in_port);
    while (h.b.clock() < run.cycles && !::testing::Test::HasFailure()) h.clock();
    EXPECT_GT(h.delivered, run.cycles / 100);
    EXPECT_LE(h.arrived - h.delivered, num_vc + 2);
    EXPECT_GT(h.dropped, 0u);
    EXPECT_GT(h.errors, 0u);
    EXPECT_GT(h.frames, 0u);
    EXPECT_GT(h.bodies, 0u);
    EXPECT_GT(h.timeouts, 0u);
}

TEST_F(input_unit_random, what_arrives_on_e0_comes_out_right) { random_traffic<FromE0>(3, PortE0); }
TEST_F(input_unit_random, what_arrives_on_n1_comes_out_right) { random_traffic<FromN1>(2, PortN1); }
TEST_F(input_unit_random, what_arrives_on_m0_comes_out_right) { random_traffic<FromM0>(1, PortM0); }

// A neighbour that keeps no rule: packets without credits, restarts, gaps, any bits.
template <typename Bench>
void wild_neighbour() {
    const TestRun run(100000);
    Bench b(run);
    Random rng(run.seed);
    uint64_t grants = 0;
    uint32_t k = 0;
    uint32_t n = 0;
    Flits flits;
    uint32_t percent_granted = 60;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) percent_granted = rng.pick({2, 60, 100});
        b.rst_n = !rng.chance(rng.chance(1) ? 20 : 0);
        if (rng.chance(1)) b.rank = rng.bits(3);
        if (rng.chance(1)) b.dateline = rng.bits(8);
        if (!b.rst_n()) k = n;  // the line is reset with the unit, so no packet goes on behind it
        if (k == n || rng.chance(2)) {
            flits = encode(random_packet(rng));
            n = rng.chance(70) ? uint32_t(flits.size()) : rng.between(3, 20);
            flits.resize(n, rng.bits(18));
            if (rng.chance(20)) flits[rng.below(3)] = rng.bits(18);
            b.rx_vc = rng.below(3);
            k = 0;
        }
        b.rx_valid = b.rst_n() && rng.chance(90);
        b.rx_first = b.rx_valid() && k == 0;
        b.rx_last = b.rx_valid() && k + 1 == n;
        b.rx_d = flits[k];
        k += b.rx_valid();
        b.credit = rng.chance(50) ? 0x7FFFFFFF : rng.bits(31);
        b.gnt = b.want() != 0 && b.rst_n() && rng.chance(percent_granted);
        b.tick_in = rng.chance(5);
        b.to_ack = b.to_pend() && rng.chance(50);
        b.tick();
        grants += b.gnt();
    }
    EXPECT_GT(grants, run.cycles / 100);
}

TEST_F(input_unit_random, wild_neighbour_lockstep_e0) { wild_neighbour<FromE0>(); }
TEST_F(input_unit_random, wild_neighbour_lockstep_n1) { wild_neighbour<FromN1>(); }
TEST_F(input_unit_random, wild_neighbour_lockstep_m0) { wild_neighbour<FromM0>(); }

}  // namespace rdt::tb
