// SPDX-License-Identifier: MIT
// The shared memory behind TLM-2.0 sockets: the requirements of the standard for a target, and 64
// initiators at once whose values and times are checked.
#include <gtest/gtest.h>

#include "machine/tlm_bench.h"

#include <array>
#include <deque>
#include <map>
#include <random>

#include <rdt/cosim/kernel.h>

namespace rdt::tb {
namespace {

using tlm_memory::SharedMemory;

constexpr uint32_t Lines = 256;

// One machine and 64 initiators.
class Tlm : public ::testing::Test {
protected:
    Tlm() : m_memory("memory", {}, Lines) {
        for (uint32_t node = 0; node < m_memory.nodes(); ++node) {
            m_initiators.emplace_back(("initiator_" + std::to_string(node)).c_str());
            m_initiators.back().socket.bind(m_memory.socket(node));
        }
    }
    // Until all programs have ended.
    void play() {
        const auto all_ended = [this] {
            for (const Initiator& i : m_initiators)
                if (!i.has_ended) return false;
            return true;
        };
        for (int i = 0; i < 100000 && !all_ended(); ++i) sc_core::sc_start(100 * m_memory.period());
        EXPECT_TRUE(all_ended());
        sc_core::sc_start(5000 * m_memory.period());  // write-backs
        EXPECT_EQ(m_memory.check(), "");
    }
    void on_node(uint32_t node, std::function<void(Initiator&)> program) {
        m_initiators[node].program = std::move(program);
    }

    machine::Kernel m_kernel;
    SharedMemory m_memory;
    std::deque<Initiator> m_initiators;
};

TEST_F(Tlm, a_value_written_by_one_node_is_read_by_another_and_takes_the_networks_time) {
    on_node(0, [this](Initiator& i) {
        uint64_t value = 0x0123456789ABCDEF;
        const sc_time begin = sc_time_stamp();
        EXPECT_EQ(i.access(tlm::TLM_WRITE_COMMAND, 32 * 9, &value, 8), tlm::TLM_OK_RESPONSE);
        // There and back: home of line 9 is node 9.
        const double clocks = (sc_time_stamp() - begin) / m_memory.period() + 0.5;
        EXPECT_GE(clocks, 40);
        EXPECT_LE(clocks, 400);
        // The memory's own measurement, from the cycle in which the operation began.
        EXPECT_EQ(clocks - 1, m_memory.memory().statistics().write_miss.summary().mean);
        // It owns the line now: no network.
        const sc_time again = sc_time_stamp();
        EXPECT_EQ(i.access(tlm::TLM_WRITE_COMMAND, 32 * 9, &value, 8), tlm::TLM_OK_RESPONSE);
        EXPECT_LE((sc_time_stamp() - again) / m_memory.period(), 1);
    });
    on_node(63, [this](Initiator& i) {
        wait(1000 * m_memory.period());
        uint64_t value = 0;
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, 32 * 9, &value, 8), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(value, 0x0123456789ABCDEF);
    });
    play();
    // The time of the sockets equals the memory's measurement.
    EXPECT_EQ(m_memory.memory().statistics().reads, 1u);
    EXPECT_EQ(m_memory.memory().statistics().writes, 2u);
}

// The standard's list, item by item.
TEST_F(Tlm, addresses_beyond_the_memory_are_refused_and_nothing_is_moved) {
    on_node(5, [this](Initiator& i) {
        std::array<uint8_t, 8> data{};
        // The last byte is there, the one behind it is not, nor what begins within.
        const uint64_t end = m_memory.bytes();
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, end - 1, data.data(), 1), tlm::TLM_OK_RESPONSE);
        for (const uint64_t address : {end, end - 1, ~uint64_t(0)})
            for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
                data[0] = 0x5A;
                EXPECT_EQ(i.access(command, address, data.data(), 2),
                          tlm::TLM_ADDRESS_ERROR_RESPONSE);
                EXPECT_EQ(data[0], 0x5A);
            }
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, end - 1, data.data(), 1), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(data[0], 0) << "written by a transaction that was refused";
    });
    play();
}

TEST_F(Tlm, commands_are_read_write_and_ignore) {
    on_node(5, [this](Initiator& i) {
        std::array<uint8_t, 4> data{};
        tlm::tlm_generic_payload trans;
        const sc_time before = sc_time_stamp();
        Initiator::fill(trans, tlm::TLM_IGNORE_COMMAND, 0, data.data(), 4);
        EXPECT_EQ(i.send(trans), tlm::TLM_OK_RESPONSE);
        Initiator::fill(trans, tlm::tlm_command(7), 0, data.data(), 4);
        EXPECT_EQ(i.send(trans), tlm::TLM_COMMAND_ERROR_RESPONSE);
        EXPECT_EQ(sc_time_stamp(), before);
        EXPECT_EQ(m_memory.memory().operations(), 0u);
    });
    play();
}

TEST_F(Tlm, streaming_and_empty_transactions_are_refused_and_wide_streams_are_none) {
    on_node(5, [](Initiator& i) {
        std::array<uint8_t, 8> data{};
        tlm::tlm_generic_payload trans;
        Initiator::fill(trans, tlm::TLM_READ_COMMAND, 0, data.data(), 0);
        EXPECT_EQ(i.send(trans), tlm::TLM_BURST_ERROR_RESPONSE);
        for (const unsigned width : {0u, 1u, 4u, 7u}) {
            Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 0, data.data(), 8);
            trans.set_streaming_width(width);
            EXPECT_EQ(i.send(trans), tlm::TLM_BURST_ERROR_RESPONSE) << width;
        }
        for (const unsigned width : {8u, 9u, 64u}) {
            Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 0, data.data(), 8);
            trans.set_streaming_width(width);
            EXPECT_EQ(i.send(trans), tlm::TLM_OK_RESPONSE) << width;
        }
    });
    play();
}

TEST_F(Tlm, transactions_cross_the_borders_of_lines) {
    on_node(5, [](Initiator& i) {
        std::array<uint8_t, 80> data{}, read{};
        for (size_t k = 0; k < data.size(); ++k) data[k] = uint8_t(k + 1);
        EXPECT_EQ(i.access(tlm::TLM_WRITE_COMMAND, 100, data.data(), 80), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, 100, read.data(), 80), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(read, data);
        read[0] = 7;
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, 99, read.data(), 1), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(read[0], 0);
    });
    play();
}

TEST_F(Tlm, byte_enables_repeat_and_disabled_bytes_stay_unchanged_on_both_sides) {
    on_node(5, [](Initiator& i) {
        std::array<uint8_t, 8> data{1, 2, 3, 4, 5, 6, 7, 8}, got{};
        EXPECT_EQ(i.access(tlm::TLM_WRITE_COMMAND, 100, data.data(), 8), tlm::TLM_OK_RESPONSE);
        unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
        tlm::tlm_generic_payload trans;
        const auto masked = [&](tlm::tlm_command command, uint8_t* bytes, unsigned length) {
            Initiator::fill(trans, command, 100, bytes, 8);
            trans.set_byte_enable_ptr(enables);
            trans.set_byte_enable_length(length);
            return i.send(trans);
        };
        std::array<uint8_t, 8> ones;
        ones.fill(0xFF);
        EXPECT_EQ(masked(tlm::TLM_WRITE_COMMAND, ones.data(), 2), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, 100, got.data(), 8), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(got, (std::array<uint8_t, 8>{0xFF, 2, 0xFF, 4, 0xFF, 6, 0xFF, 8}));
        got.fill(0);
        EXPECT_EQ(masked(tlm::TLM_READ_COMMAND, got.data(), 2), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(got, (std::array<uint8_t, 8>{0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0}));
        EXPECT_EQ(masked(tlm::TLM_READ_COMMAND, got.data(), 0),
                  tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    });
    play();
}

TEST_F(Tlm, direct_memory_is_denied_for_all_addresses) {
    on_node(5, [](Initiator& i) {
        std::array<uint8_t, 8> data{};
        tlm::tlm_generic_payload trans;
        Initiator::fill(trans, tlm::TLM_READ_COMMAND, 0, data.data(), 8);
        trans.set_dmi_allowed(true);
        EXPECT_EQ(i.send(trans), tlm::TLM_OK_RESPONSE);
        EXPECT_FALSE(trans.is_dmi_allowed()) << "the hint";
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(i.socket->get_direct_mem_ptr(trans, dmi));
        EXPECT_EQ(dmi.get_start_address(), 0u);
        EXPECT_EQ(dmi.get_end_address(), ~sc_dt::uint64(0));
    });
    play();
}

TEST_F(Tlm, debug_transport_reads_and_writes_in_no_time) {
    on_node(5, [this](Initiator& i) {
        std::array<uint8_t, 8> data{1, 2, 3, 4, 5, 6, 7, 8}, got{};
        EXPECT_EQ(i.access(tlm::TLM_WRITE_COMMAND, 100, data.data(), 8), tlm::TLM_OK_RESPONSE);
        const sc_time before = sc_time_stamp();
        tlm::tlm_generic_payload trans;
        Initiator::fill(trans, tlm::TLM_READ_COMMAND, 100, got.data(), 8);
        EXPECT_EQ(i.socket->transport_dbg(trans), 8u);
        EXPECT_EQ(got, data);
        const uint64_t end = m_memory.bytes();
        trans.set_address(end - 3);
        EXPECT_EQ(i.socket->transport_dbg(trans), 3u);
        trans.set_address(end);
        EXPECT_EQ(i.socket->transport_dbg(trans), 0u);
        got.fill(0xFF);
        Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 100, got.data(), 2);
        EXPECT_EQ(i.socket->transport_dbg(trans), 2u);
        EXPECT_EQ(sc_time_stamp(), before);
        EXPECT_EQ(i.access(tlm::TLM_READ_COMMAND, 100, got.data(), 8), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(got, (std::array<uint8_t, 8>{0xFF, 0xFF, 3, 4, 5, 6, 7, 8}));
    });
    play();
}

TEST_F(Tlm, atomic_operations_are_done_by_an_extension) {
    constexpr uint32_t Each = 5;
    for (uint32_t node = 0; node < 64; ++node)
        on_node(node, [](Initiator& i) {
            for (uint32_t k = 0; k < Each; ++k) {
                uint32_t one = 1;
                tlm_memory::AtomicExtension add(dsm::Op::Add);
                tlm::tlm_generic_payload trans;
                Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 200, &one, 4);
                trans.set_extension(&add);
                EXPECT_EQ(i.send(trans), tlm::TLM_OK_RESPONSE);
                EXPECT_LT(one, 64 * Each);
                trans.clear_extension(&add);
            }
        });
    play();
    uint32_t total = 0;
    tlm::tlm_generic_payload trans;
    Initiator::fill(trans, tlm::TLM_READ_COMMAND, 200, &total, 4);
    EXPECT_EQ(m_initiators[0].socket->transport_dbg(trans), 4u);
    EXPECT_EQ(total, 64 * Each);
}

TEST_F(Tlm, a_conditional_store_returns_whether_it_stored) {
    on_node(5, [](Initiator& i) {
        uint64_t value = 0;
        tlm_memory::AtomicExtension reserve(dsm::Op::LoadReserved);
        tlm_memory::AtomicExtension conditional(dsm::Op::StoreConditional);
        const auto send = [&](tlm::tlm_command command, tlm_memory::AtomicExtension& extension,
                              uint32_t length) {
            tlm::tlm_generic_payload trans;
            Initiator::fill(trans, command, 64, &value, length);
            trans.set_extension(&extension);
            const tlm::tlm_response_status status = i.send(trans);
            trans.clear_extension(&extension);
            return status;
        };
        EXPECT_EQ(send(tlm::TLM_READ_COMMAND, reserve, 8), tlm::TLM_OK_RESPONSE);
        value = 9;
        EXPECT_EQ(send(tlm::TLM_WRITE_COMMAND, conditional, 8), tlm::TLM_OK_RESPONSE);
        EXPECT_TRUE(conditional.is_success);
        EXPECT_EQ(send(tlm::TLM_WRITE_COMMAND, conditional, 8), tlm::TLM_OK_RESPONSE);
        EXPECT_FALSE(conditional.is_success);
        EXPECT_EQ(send(tlm::TLM_READ_COMMAND, reserve, 3), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(send(tlm::TLM_WRITE_COMMAND, reserve, 8), tlm::TLM_COMMAND_ERROR_RESPONSE);
    });
    play();
}

TEST_F(Tlm, an_annotated_delay_is_waited_for_and_taken_back) {
    on_node(5, [this](Initiator& i) {
        std::array<uint8_t, 8> data{};
        tlm::tlm_generic_payload trans;
        Initiator::fill(trans, tlm::TLM_READ_COMMAND, 100, data.data(), 8);
        const sc_time before = sc_time_stamp();
        sc_time delay = 77 * m_memory.period();
        i.socket->b_transport(trans, delay);
        EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
        EXPECT_GE(sc_time_stamp() - before, 77 * m_memory.period());
    });
    play();
}

TEST_F(Tlm, non_blocking_transport_has_the_phases_in_order_and_the_same_time) {
    on_node(3, [this](Initiator& i) {
        const auto to_next_multiple = [this] {
            const auto rest = sc_time_stamp().value() % m_memory.period().value();
            wait(m_memory.period() - sc_time::from_value(rest));
        };
        to_next_multiple();
        std::array<uint8_t, 8> data{1, 2, 3};
        tlm::tlm_generic_payload trans;
        Initiator::fill(trans, tlm::TLM_WRITE_COMMAND, 32 * 40, data.data(), 8);
        const auto phases = i.send_in_phases(trans);
        EXPECT_EQ(trans.get_response_status(), tlm::TLM_OK_RESPONSE);
        std::vector<int> order;
        for (const auto& p : phases) order.push_back(p.first);
        EXPECT_EQ(order.front(), int(tlm::BEGIN_REQ));
        EXPECT_EQ(order[order.size() - 2], int(tlm::BEGIN_RESP));
        EXPECT_EQ(order.back(), int(tlm::END_RESP));
        EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
        const sc_time took = phases[phases.size() - 2].second - phases[0].second;
        // As long as a blocking write of a line at the same distance, from the same cycle on.
        wait(1000 * m_memory.period());
        to_next_multiple();
        const sc_time begin = sc_time_stamp();
        EXPECT_EQ(i.access(tlm::TLM_WRITE_COMMAND, 32 * 104, data.data(), 8),
                  tlm::TLM_OK_RESPONSE);  // home 40, too
        EXPECT_EQ(sc_time_stamp() - begin, took);
    });
    play();
}

// Every byte of 64 nodes' accesses against a model that knows their order: each node has bytes of
// its own in lines that all write, so that a lost part of a line is seen at once.
TEST_F(Tlm, bytes_of_64_initiators_in_shared_lines_are_never_lost) {
    const uint32_t transactions = 200;
    uint64_t done = 0;
    for (uint32_t node = 0; node < m_memory.nodes(); ++node)
        on_node(node, [&, node](Initiator& i) {
            std::mt19937 random(node + 1);
            std::map<uint64_t, uint8_t> mine;
            for (uint32_t n = 0; n < transactions; ++n) {
                // 16 lines of 32 bytes for 64 nodes: byte node % 32 of every line with its parity.
                const uint64_t address = 32 * (random() % 8 * 2 + node / 32) + node % 32;
                uint8_t byte = uint8_t(random());
                if (random() % 2 == 0) {
                    ASSERT_EQ(i.access(tlm::TLM_WRITE_COMMAND, address, &byte, 1),
                              tlm::TLM_OK_RESPONSE);
                    mine[address] = byte;
                } else {
                    ASSERT_EQ(i.access(tlm::TLM_READ_COMMAND, address, &byte, 1),
                              tlm::TLM_OK_RESPONSE);
                    const auto it = mine.find(address);
                    ASSERT_EQ(byte, it == mine.end() ? 0 : it->second) << "node " << node;
                }
                ++done;
            }
        });
    play();
    EXPECT_EQ(done, uint64_t(transactions) * m_memory.nodes());
    EXPECT_GT(m_memory.memory().statistics().recalls, 1000u);
}

}  // namespace
}  // namespace rdt::tb
