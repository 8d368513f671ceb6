// SPDX-License-Identifier: MIT
// RISC-V harts as SystemC modules: they execute an ELF file over TLM-2.0 sockets, for example those
// of tlm_memory::SharedMemory. Code, constants and the stack are in the module; address 0 of the
// socket is the first byte of shared data. An instruction takes one cycle, annotated as a delay,
// and a memory operation the time of its transaction.
//   - Program has what the harts share: the file, the console, how it ended. All harts exist before
//     the simulation begins; the first one then writes the initial data by debug transport.
//   - A trap without a handler ends the program with error(). There is no network barrier, so the
//     run-time uses the one in memory.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <string>
#include <vector>

#include <rdt/exec/console.h>
#include <rdt/exec/image.h>
#include <rdt/process.h>
#include <rdt/tlm/shared_memory.h>

namespace rdt::tlm_exec {

class Program {
public:
    // Throws std::invalid_argument for a file or arguments that do not fit.
    Program(const std::string& file, uint32_t harts, const std::string& arguments,
            exec::Console::Write console, uint32_t homes = 64)
        : m_image(exec::read_elf(file), facts_of(harts, arguments, homes)),
          m_text(m_image.code()),
          m_console(harts, false, std::move(console)) {}

    // The memory needs so many.
    uint32_t lines() const { return uint32_t(m_image.shared().size() / dsm::LineBytes); }
    bool has_ended() const { return m_has_ended; }
    int exit_code() const { return m_exit_code; }
    // Why it ended before its end, in a line; empty: it did not.
    const std::string& error() const { return m_error; }

private:
    friend class Hart;
    static exec::Facts facts_of(uint32_t harts, const std::string& arguments, uint32_t homes) {
        exec::Facts facts;
        facts.harts = harts;
        facts.machine = 1;
        facts.homes = homes;
        facts.page_bytes = dsm::LineBytes;
        facts.arguments = arguments;
        return facts;
    }
    void end(int code, const std::string& error = "") {
        if (m_has_ended) return;
        m_has_ended = true;
        m_exit_code = code;
        m_error = error;
        m_console.flush();
    }

    exec::Image m_image;
    hart::Text m_text;
    exec::Console m_console;
    bool m_has_ended = false;
    int m_exit_code = 0;
    std::string m_error;
};

class Hart : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Hart> socket;

    Hart(const sc_core::sc_module_name& name, Program& program, uint32_t id,
         const sc_core::sc_time& period = sc_core::sc_time(10, sc_core::SC_NS))
        : sc_module(name),
          socket("socket"),
          m_program(program),
          m_id(id),
          m_period(period),
          m_stack(exec::StackBytes),
          m_hart(id, program.m_text) {
        m_hart.pc = program.m_image.elf().entry;
        m_hart.memory = {exec::StackBase + id * exec::StackBytes, exec::StackBytes, m_stack.data()};
        m_hart.constants = program.m_image.constants();
        RDT_HAS_PROCESS(Hart);
        SC_THREAD(run);
    }
    uint64_t instructions() const { return m_hart.instructions(); }

private:
    // Instructions between two looks at whether the program has ended.
    static constexpr uint64_t Quantum = 1000;

    void start_of_simulation() override {
        if (m_id != 0) return;
        const std::vector<uint8_t>& bytes = m_program.m_image.shared();
        std::vector<uint8_t> copy(bytes.begin(), bytes.end());
        tlm::tlm_generic_payload trans;
        fill(trans, tlm::TLM_WRITE_COMMAND, 0, copy.data(), uint32_t(copy.size()));
        if (socket->transport_dbg(trans) != copy.size())
            SC_REPORT_ERROR(name(), "the memory is smaller than the program's data");
    }

    void run() {
        while (!m_program.m_has_ended) {
            const auto cycle = uint64_t((sc_core::sc_time_stamp() + m_delay) / m_period);
            const hart::Hart::Stop stop = m_hart.run(Quantum, cycle);
            m_delay += double(m_hart.executed()) * m_period;
            if (stop == hart::Hart::Stop::Access) {
                access();
                continue;
            }
            wait(m_delay);
            m_delay = sc_core::SC_ZERO_TIME;
            if (stop == hart::Hart::Stop::Halt) return;
            if (stop == hart::Hart::Stop::Trap) fail(hart::Cause(m_hart.cause()));
        }
    }

    void fail(hart::Cause cause) {
        m_program.end(1, "hart " + std::to_string(m_id) + ", " +
                             m_program.m_image.elf().name_of(m_hart.pc, true) + ": " +
                             hart::to_string(cause));
    }
    void refuse(hart::Cause cause) {
        if (m_hart.fault(cause, m_hart.request().address)) m_delay += m_period;
        else fail(cause);
    }

    void access() {
        const hart::MemoryRequest q = m_hart.request();
        const uint64_t offset = q.address - m_program.m_image.shared_base();
        const bool is_load = dsm::is_load(q.op);
        if (offset >= m_program.m_image.shared().size()) return access_device(q);
        if (offset % dsm::WordBytes + q.size > dsm::WordBytes)
            return refuse(is_load ? hart::LoadMisaligned : hart::StoreMisaligned);
        uint64_t value = is_load ? 0 : q.value;
        tlm::tlm_generic_payload trans;
        fill(trans, is_load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, offset, &value,
             q.size);
        tlm_memory::AtomicExtension atomic(q.op);
        const bool is_plain = q.op == dsm::Op::Load || q.op == dsm::Op::Store;
        if (!is_plain) trans.set_extension(&atomic);
        socket->b_transport(trans, m_delay);
        if (!is_plain) trans.clear_extension(&atomic);
        if (trans.is_response_error()) return refuse(is_load ? hart::LoadFault : hart::StoreFault);
        m_hart.complete(q.op == dsm::Op::StoreConditional ? (atomic.is_success ? 0 : 1) : value);
    }

    void access_device(const hart::MemoryRequest& q) {
        const bool is_load = q.op == dsm::Op::Load;
        const bool is_plain = is_load || q.op == dsm::Op::Store;
        const uint64_t interest = exec::NodeRegisters + 8 * uint64_t(exec::Register::Interest);
        if (is_plain && q.address - exec::SerialPort < 8) {
            if (!is_load && q.address == exec::SerialPort)
                m_program.m_console.put(m_id, char(q.value));
            m_hart.complete(is_load && q.address == exec::SerialPort + 5 ? 0x60 : 0);
        } else if (is_plain && q.address == interest) {
            m_hart.complete(0);
        } else if (is_plain && !is_load && q.address == exec::EndDevice) {
            const auto code = int(q.value >> 16 & 0xff);
            m_program.end((q.value & 0xffff) != 0x3333 ? 0 : code == 0 ? 1 : code);
        } else {
            return refuse(is_load ? hart::LoadFault : hart::StoreFault);
        }
        m_delay += m_period;
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

    Program& m_program;
    const uint32_t m_id;
    const sc_core::sc_time m_period;
    std::vector<uint8_t> m_stack;
    hart::Hart m_hart;
    sc_core::sc_time m_delay;
};

}  // namespace rdt::tlm_exec
