// SPDX-License-Identifier: MIT
// A server of gdb's remote serial protocol, on 127.0.0.1 only. Every hart is a thread. All harts
// stop together, between two cycles. Shared memory is read as its newest value, and writes change
// memory and all copies; neither takes time. Watchpoints are for shared memory.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <rdt/exec/programs.h>

namespace rdt::exec {

class GdbServer {
public:
    // Port 0: any that is free. Throws std::invalid_argument if the port is taken.
    explicit GdbServer(uint16_t port);
    ~GdbServer();
    GdbServer(const GdbServer&) = delete;
    GdbServer& operator=(const GdbServer&) = delete;
    uint16_t port() const { return m_port; }

    // Waits for gdb and executes its requests. `step` is a cycle of the machine; false: the run is
    // over. Returns when gdb detaches or goes, or the run is over.
    void serve(Programs& programs, const std::function<bool()>& step,
               const std::function<bool()>& is_interrupted);
    bool is_killed() const { return m_is_killed; }

private:
    enum class Next { Stay, Leave };

    bool wait_for_gdb(const std::function<bool()>& is_interrupted);
    bool receive(std::string& packet);
    int next_byte();
    bool has_interrupt();
    void send(const std::string& packet);
    Next handle(const std::string& packet);
    std::string query(const std::string& packet);
    std::string read_registers();
    std::string read_register(const std::string& number);
    std::string write_register(const std::string& text);
    std::string read_memory(const std::string& text);
    std::string write_memory(const std::string& text);
    std::string change_point(const std::string& packet);
    // Threads of H and vCont count from 1.
    Next resume(bool is_step, uint32_t hart);
    std::string stop_reply(uint32_t hart, const std::string& more = "");
    uint8_t* local_bytes(uint64_t address, uint64_t count);

    struct Watch {
        uint64_t begin;
        uint64_t end;
        char kind;  // 2 write, 3 read, 4 access
        bool operator<(const Watch& w) const {
            return std::tie(begin, end, kind) < std::tie(w.begin, w.end, w.kind);
        }
    };
    int m_listener = -1;
    int m_connection = -1;
    uint16_t m_port = 0;
    Programs* m_programs = nullptr;
    std::function<bool()> m_step;
    bool m_acknowledges = true;
    bool m_is_over = false;
    bool m_is_killed = false;
    uint32_t m_thread = 0;  // thread of commands g, p, m
    uint32_t m_stopped = 0;
    std::set<uint64_t> m_breakpoints;
    std::set<Watch> m_watches;
    std::vector<uint64_t> m_instructions;  // by hart, when it was looked at last
    std::string m_input;
};

}  // namespace rdt::exec
