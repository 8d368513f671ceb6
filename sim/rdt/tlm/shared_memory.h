// SPDX-License-Identifier: MIT
// A machine and its shared memory as a SystemC module with one TLM-2.0 target socket per node. A
// model bound to socket n reads and writes as node n does, and waits as many cycles as the packets
// take, with any engine. Address a is byte a % 32 of line a / 32 at every socket.
//   - b_transport waits for the operation, after an annotated delay; several lines are accessed one
//     after the other. nb_transport has the same time, with all four phases.
//   - an address outside the memory, a length of 0 or streaming, byte enables of length 0 and other
//     commands return the standard's error codes; without an answer of the home: GENERIC_ERROR.
//   - AtomicExtension: that operation on 4 or 8 aligned bytes, else TLM_BURST_ERROR_RESPONSE.
//   - direct memory is denied, because it would bypass the network; debug transport reads the
//     newest bytes in no time, and writes memory and all copies.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <deque>

#include <rdt/dsm/memory.h>
#include <rdt/tlm/machine_module.h>

namespace rdt::tlm_memory {

// Makes a transaction an atomic operation. LoadReserved is a read. All others are writes of the
// operand; afterwards the data are the old value, and a StoreConditional sets `is_success` and
// leaves its data.
struct AtomicExtension : tlm::tlm_extension<AtomicExtension> {
    explicit AtomicExtension(dsm::Op o = dsm::Op::Swap) : op(o) {}
    tlm::tlm_extension_base* clone() const override { return new AtomicExtension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const AtomicExtension&>(other);
    }
    dsm::Op op;
    bool is_success = false;
};

class SharedMemory : public tlm_machine::MachineModule {
public:
    // Nodes to which nothing is bound do nothing.
    using Socket = tlm_utils::simple_target_socket_tagged_optional<SharedMemory>;

    SharedMemory(const sc_core::sc_module_name& name, machine::Config config, uint32_t lines,
                 const sc_core::sc_time& period = sc_core::sc_time(10, sc_core::SC_NS))
        : SharedMemory(name, std::move(config), options_of(lines), period) {}
    // With Options::operations 0 and one processor per node.
    SharedMemory(const sc_core::sc_module_name& name, machine::Config config,
                 const dsm::Options& options,
                 const sc_core::sc_time& period = sc_core::sc_time(10, sc_core::SC_NS))
        : MachineModule(name, with_registers(config), period),
          m_bytes(uint64_t(options.lines) * dsm::LineBytes),
          m_memory(machine(), options) {
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
    bool is_quiet() const { return transport().open() == 0; }  // no packet is in flight
    // All copies against the memory, while no transaction is in flight. One line; empty: all right.
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
        options.lines = lines;
        options.operations = 0;
        return options;
    }

    void clock() override {
        m_memory.clock(transport());
        transport().clock();
    }

    // Waits until the operation has ended. The access refers to data of the transaction, so all of
    // it happens while the process waits.
    dsm::Result perform(uint32_t node, const dsm::Access& access) {
        sc_core::sc_event done;
        bool has_ended = false;
        dsm::Result got;
        m_memory.request(node, {access, [&](const dsm::Result& result) {
                                    got = result;
                                    has_ended = true;
                                    done.notify(sc_core::SC_ZERO_TIME);
                                }});
        while (!has_ended) wait(done);
        return got;
    }

    // A line's part of a transaction; true unless the home did not answer.
    bool access(uint32_t node, tlm::tlm_generic_payload& trans, uint64_t address, uint32_t at,
                uint32_t count) {
        unsigned char* const data = trans.get_data_ptr() + at;
        dsm::Access access;
        access.address = address;
        access.size = count;
        if (trans.is_write()) {
            access.op = dsm::Op::Store;
            access.enables = 0;
            for (uint32_t i = 0; i < count; ++i)
                if (is_enabled(trans, at + i)) access.enables |= 1u << i;
            if (m_memory.protocol_of(address) == dsm::Protocol::Invalidate) access.bytes = data;
            else
                for (uint32_t i = 0; i < count; ++i) access.value |= uint64_t(data[i]) << 8 * i;
        }
        const dsm::Result result = perform(node, access);
        if (!result.is_failed && trans.is_read())
            for (uint32_t i = 0; i < count; ++i)
                if (is_enabled(trans, at + i)) data[i] = result.line[access.offset() + i];
        return !result.is_failed;
    }

    // Bytes of a transaction from here on that are one operation: those of a line, or those that a
    // page of protocol update writes as a word.
    uint32_t part_of(const tlm::tlm_generic_payload& trans, uint64_t address, uint32_t left) const {
        const bool is_word =
            trans.is_write() && m_memory.protocol_of(address) == dsm::Protocol::Update;
        const uint32_t unit = is_word ? dsm::WordBytes : dsm::LineBytes;
        return std::min(uint32_t(unit - address % unit), left);
    }

    tlm::tlm_response_status atomic(uint32_t node, tlm::tlm_generic_payload& trans,
                                    AtomicExtension& extension) {
        dsm::Access access;
        access.address = trans.get_address();
        access.op = extension.op;
        access.size = trans.get_data_length();
        const bool is_known = extension.op == dsm::Op::LoadReserved ||
                              extension.op == dsm::Op::StoreConditional ||
                              dsm::is_atomic(extension.op);
        if (!is_known || trans.is_read() != (extension.op == dsm::Op::LoadReserved))
            return tlm::TLM_COMMAND_ERROR_RESPONSE;
        if (trans.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        if (dsm::error_of(access, false) != nullptr) return tlm::TLM_BURST_ERROR_RESPONSE;
        for (uint32_t i = 0; i < access.size; ++i)
            access.value |= uint64_t(trans.get_data_ptr()[i]) << 8 * i;
        const dsm::Result result = perform(node, access);
        if (result.is_failed) return tlm::TLM_GENERIC_ERROR_RESPONSE;
        extension.is_success = result.is_success;
        if (extension.op != dsm::Op::StoreConditional)
            for (uint32_t i = 0; i < access.size; ++i)
                trans.get_data_ptr()[i] = uint8_t(result.value >> 8 * i);
        return tlm::TLM_OK_RESPONSE;
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
        AtomicExtension* extension = nullptr;
        trans.get_extension(extension);
        if (extension != nullptr) {
            trans.set_response_status(atomic(uint32_t(id), trans, *extension));
            return;
        }
        uint64_t address = trans.get_address();
        for (uint32_t at = 0; at < trans.get_data_length();) {
            const uint32_t count = part_of(trans, address, trans.get_data_length() - at);
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
        const uint64_t address = trans.get_address();
        if ((!trans.is_read() && !trans.is_write()) || address >= m_bytes) return 0;
        const auto count = unsigned(std::min<uint64_t>(trans.get_data_length(), m_bytes - address));
        if (trans.is_read()) m_memory.peek(address, trans.get_data_ptr(), count);
        else m_memory.poke(address, trans.get_data_ptr(), count);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return count;
    }

    // Denied for all addresses, so initiators do not request it again.
    bool get_direct_mem_ptr(int, tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
        dmi.init();
        dmi.set_start_address(0);
        dmi.set_end_address(~sc_dt::uint64(0));
        dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
        return false;
    }

    const uint64_t m_bytes;
    dsm::Memory m_memory;
    std::deque<Socket> m_sockets;
};

}  // namespace rdt::tlm_memory
