// SPDX-License-Identifier: MIT
// MBP ports as TLM-2.0 sockets of packets: the cycles are those of the machine, data arrive as
// sent, multicasts and their acks too, and unsupported transactions are refused by their code.
#include <gtest/gtest.h>

#include "common/dice.h"
#include "machine/tlm_bench.h"

#include <deque>
#include <map>

#include <rdt/cosim/kernel.h>
#include <rdt/tlm/packet_ports.h>

namespace rdt::tb {
namespace {

using machine::Transport;
using tlm_packets::Multicast;
using tlm_packets::PacketPorts;
using Data = std::vector<uint8_t>;

// Both sides of a port.
class Peer : public sc_core::sc_module {
public:
    struct Got {
        uint64_t from;
        Data data;
        sc_time at;
        bool is_multicast;
    };
    tlm_utils::simple_initiator_socket<Peer> send;
    tlm_utils::simple_target_socket<Peer> receive;
    std::function<void(Peer&)> program;
    std::vector<Got> got;
    sc_time pause = sc_core::SC_ZERO_TIME;  // pause after each packet
    uint32_t user_bits = 0;                 // answered to barriers
    bool has_ended = false;

    explicit Peer(const sc_core::sc_module_name& name)
        : sc_module(name), send("send"), receive("receive") {
        receive.register_b_transport(this, &Peer::b_transport);
        RDT_HAS_PROCESS(Peer);
        SC_THREAD(run);
    }
    tlm::tlm_response_status put(uint64_t to, Data data, Multicast* multicast = nullptr) {
        tlm::tlm_generic_payload trans;
        Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, to, data.data(), uint32_t(data.size()));
        if (multicast != nullptr) trans.set_extension(multicast);
        sc_time delay = sc_core::SC_ZERO_TIME;
        send->b_transport(trans, delay);
        if (multicast != nullptr) trans.clear_extension(multicast);
        return trans.get_response_status();
    }

private:
    void run() {
        if (program) program(*this);
        has_ended = true;
    }
    void b_transport(tlm::tlm_generic_payload& trans, sc_time&) {
        Multicast* multicast = trans.get_extension<Multicast>();
        const unsigned char* data = trans.get_data_ptr();
        got.push_back({trans.get_address(), Data(data, data + trans.get_data_length()),
                       sc_time_stamp(), multicast != nullptr});
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        if (pause != sc_core::SC_ZERO_TIME) wait(pause);
        if (multicast != nullptr) multicast->status = user_bits << AckUser;
    }
};

class Packets : public ::testing::Test {
protected:
    Packets() : m_ports("ports", config()) {
        for (uint32_t i = 0; i < m_ports.ports(); ++i) {
            Peer& peer = m_peers.emplace_back(("peer_" + std::to_string(i)).c_str());
            peer.send.bind(m_ports.send(i));
            m_ports.receive(i).bind(peer.receive);
        }
    }
    static machine::Config config() {
        machine::Config config;
        config.t_ent = 60;
        config.t_ack = 4000;
        return config;
    }
    void play() {
        const auto is_over = [this] {
            for (const Peer& p : m_peers)
                if (!p.has_ended) return false;
            return true;
        };
        for (int i = 0; i < 10000 && !is_over(); ++i) sc_core::sc_start(100 * m_ports.period());
        EXPECT_TRUE(is_over());
        sc_core::sc_start(3000 * m_ports.period());
        EXPECT_EQ(m_ports.damaged() + m_ports.dropped(), 0u);
    }

    machine::Kernel m_kernel;
    PacketPorts m_ports;
    std::deque<Peer> m_peers;
};

TEST_F(Packets, packets_arrive_in_the_cycles_in_which_the_machine_delivers_them) {
    // The same by hand.
    struct Sent {
        uint32_t from, to, words;
    };
    std::vector<Sent> sent;
    Dice dice(3);
    // One per port, so that no packet waits at its source.
    for (uint32_t i = 0; i < 128; ++i) sent.push_back({i, dice.below(128), 1 + dice.below(11)});
    const auto machine = machine::make_machine(config());
    machine->bring_up();
    Transport transport(*machine);
    std::map<uint64_t, uint64_t> tails;
    const uint64_t first = machine->now();
    transport.on_delivery = [&](const machine::Packet& p, const machine::Delivery&) {
        tails[p.message.user] = machine->now() - first;
    };
    for (uint32_t i = 0; i < sent.size(); ++i) {
        machine::Message m;
        m.source = sent[i].from / 2;
        m.source_mbp = sent[i].from % 2;
        m.destination = sent[i].to / 2;
        m.mbp = sent[i].to % 2;
        m.user = i;
        m.data.assign(sent[i].words, i);
        transport.send(m);
    }
    while (transport.open() > 0) transport.clock();
    // Through the sockets, before the first cycle as well.
    for (uint32_t port = 0; port < 128; ++port)
        m_peers[port].program = [&, port](Peer& peer) {
            for (uint32_t i = 0; i < sent.size(); ++i)
                if (sent[i].from == port) {
                    Data data;
                    for (uint32_t w = 0; w < sent[i].words; ++w) {
                        data.push_back(uint8_t(i));
                        data.push_back(uint8_t(i >> 8));
                    }
                    EXPECT_EQ(peer.put(sent[i].to, data), tlm::TLM_OK_RESPONSE);
                }
        };
    play();
    uint32_t count = 0;
    std::map<uint64_t, uint64_t> times;
    for (uint32_t port = 0; port < 128; ++port)
        for (const Peer::Got& g : m_peers[port].got) {
            const uint32_t i = g.data[0] | uint32_t(g.data[1]) << 8;
            ASSERT_LT(i, sent.size());
            EXPECT_EQ(g.from, sent[i].from);
            EXPECT_EQ(port, sent[i].to);
            EXPECT_EQ(g.data.size(), 2 * sent[i].words);
            times[i] = g.at.value() / m_ports.period().value();
            ++count;
        }
    EXPECT_EQ(count, sent.size());
    // `now` there is the clock that comes next.
    for (const auto& [i, time] : times) EXPECT_EQ(time + 1, tails[i]) << "packet " << i;
}

TEST_F(Packets, multicasts_reach_all_receivers_and_their_acks_return) {
    m_peers[2 * 9].program = [](Peer& peer) {
        Multicast all;
        all.maps = 0xFFFF;  // both levels: 64 nodes
        all.wants_ack = true;
        EXPECT_EQ(peer.put(1, {1, 2, 3, 4}, &all), tlm::TLM_OK_RESPONSE);
        EXPECT_NE(all.status, 0u);
    };
    play();
    uint32_t receivers = 0;
    for (uint32_t port = 0; port < 128; ++port) {
        EXPECT_EQ(m_peers[port].got.empty(), port % 2 == 0) << port;
        for (const Peer::Got& g : m_peers[port].got) {
            EXPECT_TRUE(g.is_multicast);
            EXPECT_EQ(g.from, 2u * 9);
            EXPECT_EQ(g.data, (Data{1, 2, 3, 4}));
            ++receivers;
        }
    }
    EXPECT_EQ(receivers, machine::receivers_of(m_ports.geometry(), TypeMcSm, 0xFFFF));
    EXPECT_GT(receivers, 32u);
}

TEST_F(Packets, acks_have_the_or_of_the_user_bits_of_all_receivers) {
    m_ports.set_user_bits(2 * 5 + 1, 4);
    m_ports.set_user_bits(2 * 60 + 1, 2);
    m_ports.set_user_bits(2 * 60, 7);  // receives nothing
    EXPECT_THROW(m_ports.set_user_bits(1, 8), std::invalid_argument);
    EXPECT_THROW(m_ports.set_user_bits(128, 0), std::invalid_argument);
    m_peers[2 * 9].program = [this](Peer& peer) {
        Multicast all;
        all.maps = 0xFFFF;
        all.wants_ack = true;
        EXPECT_EQ(peer.put(1, {1, 2}, &all), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(all.status, 7u << AckUser);
        for (uint32_t port = 1; port < 128; port += 2) m_ports.set_user_bits(port, 0);
        EXPECT_EQ(peer.put(1, {1, 2}, &all), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(all.status, 0u);
    };
    play();
}

TEST_F(Packets, barriers_end_when_the_last_process_has_arrived) {
    Dice dice(5);
    for (uint32_t port = 1; port < 128; port += 2)
        m_peers[port].pause = dice.below(2000) * m_ports.period();
    m_peers[2 * 30 + 1].pause = 5000 * m_ports.period();  // longer than TAck
    m_peers[2 * 30 + 1].user_bits = 4;
    m_peers[2 * 31 + 1].user_bits = 1;
    std::vector<sc_time> ends;
    m_peers[2 * 9 + 1].program = [this, &ends](Peer& peer) {
        for (int n = 0; n < 2; ++n) {
            Multicast barrier;
            barrier.maps = 0xFFFF;
            barrier.is_barrier = true;
            EXPECT_EQ(peer.put(1, {1, 2}, &barrier), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(barrier.status, 5u << AckUser);
            ends.push_back(sc_time_stamp());
        }
    };
    play();
    ASSERT_EQ(ends.size(), 2u);
    for (size_t n = 0; n < 2; ++n) {
        sc_time last = sc_core::SC_ZERO_TIME;
        for (uint32_t port = 1; port < 128; port += 2) {
            ASSERT_EQ(m_peers[port].got.size(), 2u) << port;
            last = std::max(last, m_peers[port].got[n].at + m_peers[port].pause);
        }
        EXPECT_GT(ends[n], last);
        EXPECT_LT(ends[n] - last, 100 * m_ports.period());
    }
}

TEST_F(Packets, wait_for_a_receiver_that_takes_its_time) {
    m_peers[40].pause = 500 * m_ports.period();
    m_peers[7].program = [](Peer& peer) {
        for (uint8_t i = 0; i < 10; ++i) EXPECT_EQ(peer.put(40, {i, 0}), tlm::TLM_OK_RESPONSE);
    };
    play();
    sc_core::sc_start(5000 * m_ports.period());
    ASSERT_EQ(m_peers[40].got.size(), 10u);
    for (uint8_t i = 0; i < 10; ++i) EXPECT_EQ(m_peers[40].got[i].data[0], i);
    EXPECT_GE(m_peers[40].got[9].at - m_peers[40].got[0].at, 9 * 500 * m_ports.period());
}

TEST_F(Packets, unsupported_packets_are_refused_by_their_codes) {
    m_peers[0].program = [](Peer& peer) {
        EXPECT_EQ(peer.put(128, {1, 2}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(peer.put(~uint64_t(0), {1, 2}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        for (const size_t length : {0u, 1u, 3u, 23u, 24u})
            EXPECT_EQ(peer.put(1, Data(length)), tlm::TLM_BURST_ERROR_RESPONSE) << length;
        Multicast nobody;
        EXPECT_EQ(peer.put(0, {1, 2}, &nobody), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        tlm::tlm_generic_payload trans;
        Data data(4);
        sc_time delay = sc_core::SC_ZERO_TIME;
        Initiator::fill(trans, tlm::TLM_READ_COMMAND, 1, data.data(), 4);
        peer.send->b_transport(trans, delay);
        EXPECT_EQ(trans.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
        Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 1, data.data(), 4);
        trans.set_streaming_width(2);
        peer.send->b_transport(trans, delay);
        EXPECT_EQ(trans.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
        Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 1, data.data(), 4);
        trans.set_byte_enable_ptr(data.data());
        trans.set_byte_enable_length(4);
        peer.send->b_transport(trans, delay);
        EXPECT_EQ(trans.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(peer.send->get_direct_mem_ptr(trans, dmi));
        EXPECT_EQ(peer.send->transport_dbg(trans), 0u);
    };
    play();
    for (const Peer& p : m_peers) EXPECT_TRUE(p.got.empty());
}

}  // namespace
}  // namespace rdt::tb
