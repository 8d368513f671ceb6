// SPDX-License-Identifier: MIT
// Everything around one chip in a fuzz run: far ends at its ten ports, what they send, what they do
// not take, and pins that lie. All of it follows from one seed.
#pragma once

#include <memory>
#include <vector>

#include "fuzz/keeper.h"
#include "fuzz/noise.h"
#include "fuzz/setups.h"
#include <rdt/cosim/chip_pins.h>

namespace rdt::tb::fuzz {

class Surroundings {
public:
    Surroundings(uint64_t seed, uint32_t kinds, Totals& totals)
        : m_random(seed),
          m_kinds(kinds),
          m_totals(totals),
          m_packets(m_random),
          m_noise(m_random, totals) {
        for (uint32_t p = 0; p < NumPorts; ++p) attach(p);
        m_keeper = std::make_unique<Keeper>(end(PortM0), m_random, m_packets, totals);
    }
    Surroundings(const Surroundings&) = delete;
    Surroundings& operator=(const Surroundings&) = delete;

    // A calm epoch also repairs the state left by disturbed ones, as far as possible from outside.
    void begin_epoch(bool calm) {
        m_epoch = calm ? Epoch::calm(m_random) : Epoch::disturbed(m_random, m_kinds);
        m_packets.aim(m_rank, m_epoch.own_rank);
        m_slow = m_random.chance(50) ? 0 : 1u << m_random.between(4, 10);
        if (!calm) {
            if (m_random.chance(50)) configure();
            return;
        }
        m_noise.clear();
        for (auto& far : m_far) far->go_on();
        m_keeper->run();
        configure();
    }

    // The chip is reset; so are these peers, and the others continue as if nothing had been.
    void reset(uint32_t peers) {
        for (uint32_t p = 0; p < NumPorts; ++p)
            if ((peers >> p & 1) != 0) m_far[p]->reset();
        m_keeper->reset();
        m_answers.clear();
    }
    // A position in the network, links on; sent before queued packets.
    void configure() {
        if (end(PortM0).queued() > 20) return;
        m_rank = m_random.below(5);
        m_packets.aim(m_rank, m_epoch.own_rank);
        end(PortM0).send_first(setup_write({{RegRank, m_rank},
                                            {RegXfer, m_random.bits(4)},
                                            {RegDateline, m_random.bits(8)},
                                            {RegMask, m_random.chance(50) ? 0 : m_random.bits(8)},
                                            {RegLink, 0xFF},
                                            {RegCtrl, m_packets.control(0)}}));
        end(PortM0).send_first(
            setup_write({{RegTimeout, period(m_random.chance(50) ? 200 : 3000, 5)},
                         {RegTEnt, period(m_epoch.t_ent, 20)},
                         {RegTAck, period(m_epoch.t_ack, 20)},
                         {RegStatus, 0xFFFF},
                         {RegLinkErr, 0xFFFF},
                         {RegRanks, m_random.chance(80) ? 0xF : m_random.bits(4)}}));
        m_totals.writes += 12;
    }

    // One cycle; `chip` holds the chip's pins in this cycle. Returns what it sees.
    const core::PinsIn& clock(const machine::ChipPins& chip, uint64_t now) {
        m_now = now;
        m_noise.clock(m_epoch, now);
        m_keeper->clock(m_epoch, now);
        answer();
        act();
        for (uint32_t p = 0; p < NumPorts; ++p) {
            offer(p);
            core::LinkPinsOut out = chip.link[p];
            const core::LinkPinsOut far = m_far[p]->pins(now);
            // A wired OR where both drive.
            const flit_t d = (far.oe ? far.d : 0) | (out.oe ? out.d : 0);
            m_pins.link[p] = {d, far.req, far.cred};
            m_noise.to_chip(p, m_pins.link[p]);
            m_noise.to_peer(p, out);
            m_far[p]->clock(out, now);
        }
        m_pins.shoot = m_epoch.happens(Shoots, m_random);
        m_pins.slice = chip.slice != m_epoch.happens(SliceNoise, m_random);
        return m_pins;
    }

private:
    struct Answer {
        uint64_t at;
        uint32_t port;
        uint32_t tag;
        uint32_t generation;
    };

    machine::Endpoint& end(uint32_t p) { return m_far[p]->end(); }

    // 0 is none. With few cycles all that takes several periods meets what takes its time.
    uint32_t period(uint32_t below, uint32_t tiny) {
        if (m_random.chance(15)) return 0;
        return m_random.chance(tiny) ? m_random.between(1, 10) : 20 + m_random.below(below);
    }

    void attach(uint32_t p) {
        m_far.push_back(std::make_unique<FarEnd>(p));
        machine::Endpoint& e = end(p);
        e.hold = [this, p]() -> uint64_t {
            if (m_epoch.strikes(Holding, m_random))
                return m_random.chance(10) ? Ages : m_random.below(3000);
            return m_epoch.hold[p] == 0 ? 0 : m_random.below(m_epoch.hold[p]);
        };
        e.may_start = [this, p] { return m_random.chance(m_epoch.eager[p]); };
        e.on_start = [this, p](const machine::Endpoint::Sent&, uint64_t now) {
            ++m_totals.sent;
            // The packet of a context comes in as the context is read.
            if (p == PortM0 && m_epoch.has(Forged) && m_keeper->puts_back())
                m_noise.hasten(now + m_random.between(1, 4));
        };
        e.on_receive = [this, p](const machine::Endpoint::Received& r) { received(p, r.flits); };
    }

    void received(uint32_t p, const Flits& flits) {
        ++m_totals.received;
        if (p == PortM0 && m_keeper->take(flits, m_epoch, m_now)) return;
        const uint32_t tag = uint32_t(get(uint32_t(flits[0]), H0Tag));
        if (!is_multicast(uint32_t(flits[0])) || tag == 0 || flits.size() < 3) return;
        // An MBP answers with the generation that came with the copy.
        const uint32_t generation = m_random.chance(5) ? uint32_t(core::AckNote::OfRouter)
                                                       : machine::Endpoint::generation_of(flits);
        if (m_epoch.strikes(StrayAcks, m_random)) {
            const uint32_t other = m_random.chance(50) ? tag : m_random.bits(3);
            ack(p, other, generation ^ 1u << m_random.below(4));
        }
        if (!m_random.chance(m_epoch.answers)) return;
        if (m_slow == 0) ack(p, tag, generation);
        else m_answers.push_back({m_now + m_random.below(m_slow), p, tag, generation});
    }
    // Answers that come late fill the table of acks.
    void answer() {
        for (size_t i = 0; i < m_answers.size();) {
            const Answer a = m_answers[i];
            if (a.at > m_now) {
                ++i;
                continue;
            }
            ack(a.port, a.tag, a.generation);
            m_answers[i] = m_answers.back();
            m_answers.pop_back();
        }
    }
    // Only an MBP's has a generation.
    void ack(uint32_t p, uint32_t tag, uint32_t generation) {
        if (end(p).acks_queued() >= 10) return;
        if (p < PortM0) generation = core::AckNote::OfRouter;
        end(p).send_ack(tag, m_random.chance(70) ? 0 : m_random.bits(6), generation);
        ++m_totals.acks;
    }

    // Occasional events at some port.
    void act() {
        const uint32_t p = m_random.below(NumPorts);
        if (m_epoch.happens(StrayAcks, m_random)) {
            const uint32_t tag = m_random.bits(3);
            ack(p, tag, m_random.bits(4));
        }
        // Into a chip that is halted nothing else comes while packets are put back.
        if (m_epoch.has(StrayAcks) && m_keeper->puts_back()) ack(p, m_random.bits(3), 0);
        if (m_epoch.happens(Stops, m_random)) {
            const uint64_t until =
                m_random.chance(10) ? FarEnd::ForEver : m_now + m_random.below(2000);
            if (m_random.chance(20)) m_far[p]->reset();  // begins again, in the middle of anything
            else m_far[p]->stop(until, m_random.chance(50));
            ++m_totals.stops;
        }
        if (m_epoch.happens(Flaps, m_random)) flap(p);
        if (m_epoch.happens(Writes, m_random)) {
            const uint32_t by = m_random.chance(70) ? uint32_t(PortM0) : p;
            const uint32_t number = m_random.between(1, 6);
            if (end(by).queued() > 20) return;
            const uint32_t vc = m_random.below(vcs_of(by));
            end(by).send(vc, m_packets.writes(number));
            m_totals.writes += number;
        }
    }

    // One end of a link goes down, or both, and soon comes up again.
    void flap(uint32_t p) {
        ++m_totals.stops;
        switch (m_random.below(3)) {
        case 0: m_far[p]->reset(); break;
        case 1: {
            const uint64_t until = m_now + m_random.between(1, 100);
            m_far[p]->stop(until, m_random.chance(50));
            break;
        }
        default:
            if (end(PortM0).queued() > 20) return;
            end(PortM0).send_first(setup_write({{RegLink, 0xFF ^ 1u << p % 8}}));
            end(PortM0).send_first(setup_write({{RegLink, 0xFF}}));
            m_totals.writes += 2;
            break;
        }
    }

    void offer(uint32_t p) {
        if (end(p).queued() >= 3 || m_random.below(1000) >= m_epoch.load[p]) return;
        Flits flits = next();
        if (m_epoch.strikes(BadPackets, m_random)) {
            flits = m_packets.spoilt(std::move(flits));
            ++m_totals.spoilt;
        } else if (m_epoch.strikes(Shorts, m_random)) {
            flits = m_packets.shortened(std::move(flits));
            ++m_totals.spoilt;
        }
        end(p).send(m_random.below(vcs_of(p)), std::move(flits));
    }

    Flits next() {
        if (m_epoch.strikes(OddPackets, m_random))
            return m_random.chance(70) ? m_packets.anything() : odd_setup(m_random);
        if (m_random.chance(3)) return register_read(m_random);
        if (m_epoch.strikes(Refusals, m_random)) return m_packets.refused();
        if (m_epoch.strikes(AckFloods, m_random)) return m_packets.flooding_ack();
        if (m_random.chance(m_epoch.setups)) {
            ++m_totals.writes;
            return m_packets.setup(m_epoch.is_disturbed() || m_epoch.theme == Theme::Setups);
        }
        if (m_epoch.crowd != NumPorts && m_random.chance(80))
            return m_packets.unicast_to(m_epoch.crowd);
        return m_random.chance(m_epoch.multicasts) ? m_packets.multicast(m_epoch.acked)
                                                   : m_packets.unicast();
    }

    static constexpr uint64_t Ages = uint64_t(1) << 40;

    Dice m_random;
    uint32_t m_kinds;
    Totals& m_totals;
    Packets m_packets;
    Noise m_noise;
    Epoch m_epoch;
    uint32_t m_rank = 0;  // rank of the router, as last configured
    uint64_t m_now = 0;
    uint32_t m_slow = 0;  // cycles that an answer may take
    std::vector<Answer> m_answers;
    std::vector<std::unique_ptr<FarEnd>> m_far;
    std::unique_ptr<Keeper> m_keeper;
    core::PinsIn m_pins;
};

}  // namespace rdt::tb::fuzz
