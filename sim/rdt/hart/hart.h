// SPDX-License-Identifier: MIT
// A RISC-V hart: RV64IMAFDC with Zicsr and Zifencei, machine mode, in order, without interrupts. It
// executes instructions that concern itself alone; for every other memory operation run() stops,
// and complete() continues with the value. Instructions and private data are windows of host
// memory.
//
// Timing: the hart counts cycles as one per instruction; its user adds those of memory operations.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rdt/dsm/line.h>
#include <rdt/hart/instruction.h>

namespace rdt::hart {

// Addresses that are host memory.
struct Window {
    uint64_t base = 0;
    uint64_t size = 0;
    uint8_t* bytes = nullptr;

    bool has(uint64_t address, uint64_t count) const {
        return address - base < size && count <= size - (address - base);
    }
    uint8_t* at(uint64_t address) const { return bytes + (address - base); }
};

// Code that harts share. Instructions are decoded when they are first executed.
class Text {
public:
    explicit Text(const Window& window) : m_window(window) { forget(); }
    // Undecoded before it is first executed, Outside outside. Those that follow are its successors.
    const Instruction* find(uint64_t pc) const {
        const uint64_t offset = pc - m_window.base;
        return offset < m_window.size && (pc & 1) == 0 ? &m_decoded[offset / 2] : &m_decoded.back();
    }
    // Within the text.
    void decode_now(uint64_t pc) { m_decoded[(pc - m_window.base) / 2] = decode_at(pc); }
    // nullptr outside.
    const Instruction* at(uint64_t pc) {
        const Instruction* n = find(pc);
        if (n->op == Opcode::Undecoded) decode_now(pc);
        return n->op == Opcode::Outside ? nullptr : n;
    }
    // The code has changed.
    void forget() {
        m_decoded.assign((m_window.size + 1) / 2, {});
        Instruction outside;
        outside.op = Opcode::Outside;
        m_decoded.insert(m_decoded.end(), 2, outside);  // behind instructions of 2 and 4 bytes
    }

private:
    Instruction decode_at(uint64_t pc) const;

    Window m_window;
    std::vector<Instruction> m_decoded;
};

enum Cause : uint64_t {
    FetchFault = 1,
    IllegalInstruction = 2,
    Breakpoint = 3,
    LoadMisaligned = 4,
    LoadFault = 5,
    StoreMisaligned = 6,
    StoreFault = 7,
    EnvironmentCall = 11,
};

struct MemoryRequest {
    dsm::Op op = dsm::Op::Load;
    uint32_t size = 8;
    uint64_t address = 0;
    uint64_t value = 0;  // stored, or the operand of an atomic operation
};

class Hart {
public:
    enum class Stop : uint8_t {
        Budget,  // the requested number of instructions
        Access,  // request(): complete() or fault() has to follow
        Region,  // the last instruction has entered or left the region
        Trap,    // without a handler: cause() and trap_value()
        Halt,    // wfi: no interrupt will come
    };

    Hart(uint32_t id, Text& text) : m_text(text), m_id(id) {}

    // At most so many instructions. `cycle` is that of the first.
    Stop run(uint64_t max, uint64_t cycle);
    // ... while `hits` answers memory operations that end at once (execute.h):
    //   bool load(uint64_t address, uint32_t size, uint64_t cycle, uint64_t& value);
    //   bool store(uint64_t address, uint32_t size, uint64_t cycle, uint64_t value);
    // `cycle` is that of the instruction. False: the hart stops with the request.
    template <class Hits>
    Stop run_with(Hits& hits, uint64_t max, uint64_t cycle);
    // Instructions that the last run() has completed.
    uint64_t executed() const { return m_executed; }

    const MemoryRequest& request() const { return m_request; }
    // The memory operation ends with this value, zero-extended; of a conditional store 0 is
    // success.
    void complete(uint64_t value);
    // The memory operation is not possible. False: there is no handler.
    bool fault(Cause cause, uint64_t value) { return trap(cause, value); }

    std::array<uint64_t, 33> x{};  // the last one receives writes to x0
    std::array<uint64_t, 32> f{};  // single precision is NaN-boxed
    uint64_t pc = 0;
    uint32_t fcsr = 0;
    Window memory{};     // read and written by this hart without a request
    Window constants{};  // read only
    // Text whose entry and exit stop run(): where the profile of the caller changes.
    uint64_t region_base = 0;
    uint64_t region_size = 0;
    bool in_region() const { return pc - region_base < region_size; }
    bool requests_fences = false;

    uint32_t id() const { return m_id; }
    uint64_t instructions() const { return m_instructions; }
    void add_instructions(uint64_t count) { m_instructions += count; }
    // The state now, or that of the call of run() at the current memory operation. Stores to
    // `memory` are recorded from here on until forget_checkpoint().
    void make_checkpoint();
    // Back to the checkpoint, which remains.
    void return_to_checkpoint();
    void forget_checkpoint() { m_records_stores = false; }
    // Counts changes of state beyond integer registers and pc: a loop that leaves it and all
    // registers as they were does the same again.
    uint64_t effects() const { return m_effects; }
    // Cause of the last trap.
    uint64_t cause() const { return m_control.mcause; }
    uint64_t trap_value() const { return m_control.mtval; }
    // Another hart may have written: LR/SC in `memory`.
    void clear_reservation() { m_control.has_reservation = false; }
    const Instruction* instruction() { return m_text.at(pc); }

private:
    bool trap(Cause cause, uint64_t value);
    bool execute_csr(const Instruction& n);
    bool read_csr(uint32_t number, uint64_t& value) const;
    bool write_csr(uint32_t number, uint64_t value);
    uint64_t atomic(const Instruction& n, uint64_t address, uint64_t operand);
    // False: illegal, because of its rounding mode.
    bool execute_float(const Instruction& n);
    template <class F>
    bool execute_float_of(const Instruction& n);

    // State beside registers and pc.
    struct Control {
        bool has_reservation = false;
        uint64_t reservation = 0;
        uint64_t mstatus = 0;
        uint64_t mie = 0;
        uint64_t mtvec = 0;
        uint64_t mscratch = 0;
        uint64_t mepc = 0;
        uint64_t mcause = 0;
        uint64_t mtval = 0;
    };
    struct Checkpoint {
        std::array<uint64_t, 33> x;
        std::array<uint64_t, 32> f;
        uint64_t pc;
        uint32_t fcsr;
        uint64_t instructions;
        uint64_t effects;
        Control control;
    };
    struct OverwrittenWord {
        uint64_t address;
        uint64_t value;
        uint32_t size;
    };
    void record_store(uint64_t address, uint32_t size);

    Text& m_text;
    const uint32_t m_id;
    uint64_t m_executed = 0;      // instructions of run(),
    uint64_t m_instructions = 0;  // of the hart: both without those since the last stop or request
    uint64_t m_effects = 0;
    uint64_t m_cycle = 0;  // cycle of the first instruction of run()
    MemoryRequest m_request;
    Control m_control;
    bool m_records_stores = false;
    Checkpoint m_checkpoint{};
    std::vector<OverwrittenWord> m_overwritten;  // since the checkpoint
};

const char* to_string(Cause cause);

}  // namespace rdt::hart
