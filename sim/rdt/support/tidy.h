// SPDX-License-Identifier: MIT
// Files that shall not outlive the program. A signal that ends it (Ctrl-C, SIGTERM of a batch
// system, SIGHUP of a closed terminal, SIGXCPU ...) takes them with it.
#pragma once

#include <string>

namespace rdt {

// From now on such a signal removes the files below and then ends the program as it always did,
// unless an InterruptGuard (interrupt.h) lives. Once, at the beginning of the program.
void tidy_up_on_signals();

// Remembers a file by its name while this lives. It holds some tens of files at a time; more are
// not recorded.
class TransientName {
public:
    TransientName() = default;
    explicit TransientName(const std::string& path);
    ~TransientName();
    TransientName(TransientName&& other) noexcept;
    TransientName& operator=(TransientName&& other) noexcept;

private:
    int m_slot = -1;
};

}  // namespace rdt
