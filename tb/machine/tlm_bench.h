// SPDX-License-Identifier: MIT
// An initiator controlled by a test, with blocking and non-blocking transport.
#pragma once

#include <rdt/tlm/shared_memory.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <utility>
#include <vector>

namespace rdt::tb {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

// Runs a test function in its own process.
class Initiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Initiator> socket;
    std::function<void(Initiator&)> program;
    bool has_ended = false;

    explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
        socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
        RDT_HAS_PROCESS(Initiator);
        SC_THREAD(run);
    }

    tlm::tlm_response_status access(tlm::tlm_command command, uint64_t address, void* data,
                                    uint32_t length) {
        tlm::tlm_generic_payload trans;
        fill(trans, command, address, data, length);
        return send(trans);
    }
    static void fill(tlm::tlm_generic_payload& trans, tlm::tlm_command command, uint64_t address,
                     void* data, uint32_t length) {
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(static_cast<unsigned char*>(data));
        trans.set_data_length(length);
        trans.set_streaming_width(length);
        trans.set_byte_enable_ptr(nullptr);
        trans.set_dmi_allowed(false);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    tlm::tlm_response_status send(tlm::tlm_generic_payload& trans,
                                  sc_time delay = sc_core::SC_ZERO_TIME) {
        socket->b_transport(trans, delay);
        return trans.get_response_status();
    }

    // The four phases; returns them in order with their cycles.
    std::vector<std::pair<int, sc_time>> send_in_phases(tlm::tlm_generic_payload& trans) {
        m_phases.clear();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay = sc_core::SC_ZERO_TIME;
        m_phases.push_back({int(phase), sc_time_stamp()});
        const tlm::tlm_sync_enum sync = socket->nb_transport_fw(trans, phase, delay);
        if (sync == tlm::TLM_UPDATED) m_phases.push_back({int(phase), sc_time_stamp() + delay});
        while (m_phases.back().first != tlm::BEGIN_RESP) wait(m_back);
        phase = tlm::END_RESP;
        delay = sc_core::SC_ZERO_TIME;
        m_phases.push_back({int(phase), sc_time_stamp()});
        socket->nb_transport_fw(trans, phase, delay);
        return m_phases;
    }

private:
    void run() {
        if (program) program(*this);
        has_ended = true;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_time& delay) {
        m_phases.push_back({int(phase), sc_time_stamp() + delay});
        m_back.notify(delay);
        return tlm::TLM_ACCEPTED;
    }
    std::vector<std::pair<int, sc_time>> m_phases;
    sc_core::sc_event m_back;
};

}  // namespace rdt::tb
