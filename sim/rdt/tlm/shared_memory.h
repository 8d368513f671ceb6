// SPDX-License-Identifier: MIT
// A machine and its shared memory as a SystemC module with a TLM-2.0 target socket a node: a CPU
// model or a platform that is bound to socket n reads and writes as node n does, and waits as many
// clocks as the packets take. Underneath is any engine, single nodes of RTL included; the times are
// the same with all of them.
//
// Address a is byte a % 32 of line a / 32, the same at every socket. What the sockets answer:
//   - blocking transport takes the time of the operation, by wait(); an access over several lines
//     is one operation after the other. An annotated delay is waited for first;
//   - non-blocking transport has the same time (simple_target_socket's own adapter, with all four
//     phases);
//   - a read or write that leaves the memory: TLM_ADDRESS_ERROR_RESPONSE; a length of 0, or a
//     streaming width less than the length: TLM_BURST_ERROR_RESPONSE; byte enables of length 0:
//     TLM_BYTE_ENABLE_ERROR_RESPONSE; another command than read, write and ignore:
//     TLM_COMMAND_ERROR_RESPONSE; no answer of the home: TLM_GENERIC_ERROR_RESPONSE. Nothing is
//     transferred then;
//   - there is no direct memory: an access that does not use the network would not be the
//   machine's;
//   - debug transport reads the newest bytes in no time, and writes nothing.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <deque>

#include <rdt/dsm/contents.h>
#include <rdt/dsm/memory.h>
#include <rdt/tlm/machine_module.h>

namespace rdt::tlm_memory {

class SharedMemory : public tlm_machine::MachineModule {
public:
    // Nodes to which nothing is bound do nothing.
    using Socket = tlm_utils::simple_target_socket_tagged_optional<SharedMemory>;

    SharedMemory(const sc_core::sc_module_name& name, machine::Config config, uint32_t lines,
                 const sc_core::sc_time& period = sc_core::sc_time(10, sc_core::SC_NS))
        : MachineModule(name, with_registers(config), period),
          m_bytes(uint64_t(lines) * dsm::Contents::LineBytes),
          m_memory(machine(), options_of(lines)) {
        transport().on_delivery = [this](const machine::Packet& p, const machine::Delivery& d) {
            m_memory.delivered(transport(), p, d);
        };
        transport().on_ack = [this](const machine::Packet& p, uint32_t status) {
            m_memory.acked(transport(), p, status);
        };
        for (uint32_t node = 0; node < nodes(); ++node) {
            Socket& socket = m_sockets.emplace_back(("socket_" + std::to_string(node)).c_str());
            const int id = int(node);
            socket.register_b_transport(this, &SharedMemory::b_transport, id);
            socket.register_transport_dbg(this, &SharedMemory::transport_dbg, id);
            socket.register_get_direct_mem_ptr(this, &SharedMemory::get_direct_mem_ptr, id);
        }
    }

    Socket& socket(uint32_t node) { return m_sockets.at(node); }
    uint32_t nodes() const { return machine().nodes(); }
    uint64_t bytes() const { return m_bytes; }
    bool is_quiet() const { return transport().open() == 0; }  // no packet is under way
    // All copies against the memory, while no transaction is under way. One line; empty: all right.
    std::string check() {
        m_memory.check();
        return m_memory.error();
    }
    const dsm::Memory& memory() const { return m_memory; }

private:
    static machine::Config with_registers(machine::Config config) {
        if (config.t_ent == 0) config.t_ent = dsm::DefaultTEnt;
        if (config.t_ack == 0) config.t_ack = dsm::DefaultTAck;
        return config;
    }
    static dsm::Options options_of(uint32_t lines) {
        dsm::Options options;
        options.protocol = dsm::Protocol::Invalidate;  // see dsm/contents.h
        options.lines = lines;
        options.operations = 0;
        return options;
    }

    void clock() override {
        m_memory.clock(transport());
        transport().clock();
    }

    // A line's part of a transaction; true unless nobody answered.
    bool access(uint32_t node, tlm::tlm_generic_payload& trans, uint64_t address, uint32_t at,
                uint32_t count) {
        const auto line = uint32_t(address / dsm::Contents::LineBytes);
        const auto offset = uint32_t(address % dsm::Contents::LineBytes);
        const bool is_write = trans.is_write();
        sc_core::sc_event done;
        bool has_ended = false;
        uint64_t got = 0;
        // Bytes are moved in the clock in which the operation ends, not when the process wakes.
        const auto ended = [&](uint64_t version) {
            got = version;
            has_ended = true;
            if (version != dsm::Cache::Failed && is_write)
                m_contents.write(line, version, [&](dsm::Contents::Bytes& bytes) {
                    for (uint32_t i = 0; i < count; ++i)
                        if (is_enabled(trans, at + i))
                            bytes[offset + i] = trans.get_data_ptr()[at + i];
                });
            else if (version != dsm::Cache::Failed)
                for (uint32_t i = 0; i < count; ++i)
                    if (is_enabled(trans, at + i))
                        trans.get_data_ptr()[at + i] = m_contents.read(line, version)[offset + i];
            done.notify(sc_core::SC_ZERO_TIME);
        };
        m_memory.request(node, {{line, is_write}, ended});
        while (!has_ended) wait(done);
        return got != dsm::Cache::Failed;
    }

    static bool is_enabled(const tlm::tlm_generic_payload& trans, uint32_t i) {
        const unsigned char* enables = trans.get_byte_enable_ptr();
        return enables == nullptr ||
               enables[i % trans.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    }

    tlm::tlm_response_status judge(const tlm::tlm_generic_payload& trans) const {
        if (!trans.is_read() && !trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
        const uint64_t length = trans.get_data_length();
        if (length == 0 || trans.get_data_ptr() == nullptr || trans.get_streaming_width() < length)
            return tlm::TLM_BURST_ERROR_RESPONSE;
        if (trans.get_byte_enable_ptr() != nullptr && trans.get_byte_enable_length() == 0)
            return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (trans.get_address() >= m_bytes || m_bytes - trans.get_address() < length)
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        return tlm::TLM_OK_RESPONSE;
    }

    void b_transport(int id, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        trans.set_dmi_allowed(false);
        if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
            trans.set_response_status(tlm::TLM_OK_RESPONSE);
            return;
        }
        const tlm::tlm_response_status status = judge(trans);
        if (status != tlm::TLM_OK_RESPONSE) {
            trans.set_response_status(status);
            return;
        }
        if (delay != sc_core::SC_ZERO_TIME) {
            wait(delay);
            delay = sc_core::SC_ZERO_TIME;
        }
        uint64_t address = trans.get_address();
        for (uint32_t at = 0; at < trans.get_data_length();) {
            const auto room =
                uint32_t(dsm::Contents::LineBytes - address % dsm::Contents::LineBytes);
            const uint32_t count = std::min(room, trans.get_data_length() - at);
            if (!access(uint32_t(id), trans, address, at, count)) {
                trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
                return;
            }
            address += count;
            at += count;
        }
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    unsigned transport_dbg(int, tlm::tlm_generic_payload& trans) {
        if (!trans.is_read() || trans.get_address() >= m_bytes) return 0;
        const auto count =
            unsigned(std::min<uint64_t>(trans.get_data_length(), m_bytes - trans.get_address()));
        for (unsigned i = 0; i < count; ++i) {
            const uint64_t a = trans.get_address() + i;
            trans.get_data_ptr()[i] = m_contents.newest(
                uint32_t(a / dsm::Contents::LineBytes))[a % dsm::Contents::LineBytes];
        }
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return count;
    }

    // Denied for all addresses, so that nobody asks again.
    bool get_direct_mem_ptr(int, tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
        dmi.init();
        dmi.set_start_address(0);
        dmi.set_end_address(~sc_dt::uint64(0));
        dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
        return false;
    }

    const uint64_t m_bytes;
    dsm::Memory m_memory;
    dsm::Contents m_contents;
    std::deque<Socket> m_sockets;
};

}  // namespace rdt::tlm_memory
