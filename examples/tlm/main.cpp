// SPDX-License-Identifier: MIT
// Two processors of a platform at nodes 0 and 63 of the machine: one writes a word and a flag, the
// other waits for the flag and reads the word. Instead of Cpu bind your own initiators.
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>

#include <rdt/tlm/shared_memory.h>

class Cpu : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Cpu> socket;

    Cpu(const sc_core::sc_module_name& name, bool writes)
        : sc_module(name), socket("socket"), m_writes(writes) {
        RDT_HAS_PROCESS(Cpu);
        SC_THREAD(run);
    }
    bool has_ended = false;

private:
    void access(tlm::tlm_command command, uint64_t address, uint32_t& word) {
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        trans.set_data_length(sizeof word);
        trans.set_streaming_width(sizeof word);
        const sc_core::sc_time begin = sc_core::sc_time_stamp();
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(trans, delay);
        if (trans.is_response_error()) SC_REPORT_ERROR(name(), "no answer");
        std::cout << name() << (command == tlm::TLM_READ_COMMAND ? " reads " : " writes ") << word
                  << " at " << address << " in " << sc_core::sc_time_stamp() - begin << "\n";
    }
    void run() {
        constexpr uint64_t Word = 32 * 20, Flag = 32 * 21;
        uint32_t word = 42, flag = 1;
        if (m_writes) {
            access(tlm::TLM_WRITE_COMMAND, Word, word);
            access(tlm::TLM_WRITE_COMMAND, Flag, flag);
        } else {
            for (flag = 0; flag == 0; wait(500, sc_core::SC_NS))
                access(tlm::TLM_READ_COMMAND, Flag, flag);
            word = 0;
            access(tlm::TLM_READ_COMMAND, Word, word);
            std::cout << (word == 42 ? "PASS" : "FAIL") << "\n";
        }
        has_ended = true;
    }
    const bool m_writes;
};

int sc_main(int, char**) {
    rdt::tlm_memory::SharedMemory memory("memory", {}, 256);
    Cpu writer("writer", true), reader("reader", false);
    writer.socket.bind(memory.socket(0));
    reader.socket.bind(memory.socket(63));
    while (!writer.has_ended || !reader.has_ended) sc_core::sc_start(1, sc_core::SC_US);
    return 0;
}
