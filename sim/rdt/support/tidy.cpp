// SPDX-License-Identifier: MIT
#include <rdt/support/tidy.h>

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <utility>

#include <rdt/support/interrupt.h>

namespace rdt {

namespace {

// A signal handler may neither allocate nor wait, so the names lie in fixed places.
constexpr int Slots = 64;
constexpr size_t Longest = 4096;
struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<bool> valid{false};
    char path[Longest];
};
Slot slots[Slots];
pid_t owner = 0;  // not a process that was made by fork()

void remove_all() {
    if (getpid() != owner) return;
    for (Slot& s : slots)
        if (s.valid.load()) unlink(s.path);
}

void on_signal(int signal) {
    if (InterruptGuard::take(signal)) return;
    remove_all();
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

void tidy_up_on_signals() {
    owner = getpid();
    for (const int signal :
         {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGPIPE, SIGUSR1, SIGUSR2}) {
        struct sigaction before {};
        // What was switched off from outside, as by nohup, stays so.
        if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        sigaction(signal, &action, nullptr);
    }
    // A limit on the size of files shows as an error of the write.
    std::signal(SIGXFSZ, SIG_IGN);
}

TransientName::TransientName(const std::string& path) {
    if (path.size() >= Longest) return;
    for (int i = 0; i < Slots; ++i) {
        if (slots[i].taken.exchange(true)) continue;
        std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
        slots[i].valid = true;
        m_slot = i;
        return;
    }
}

TransientName::~TransientName() {
    if (m_slot < 0) return;
    slots[m_slot].valid = false;
    slots[m_slot].taken = false;
}

TransientName::TransientName(TransientName&& other) noexcept
    : m_slot(std::exchange(other.m_slot, -1)) {}

TransientName& TransientName::operator=(TransientName&& other) noexcept {
    std::swap(m_slot, other.m_slot);
    return *this;
}

}  // namespace rdt
