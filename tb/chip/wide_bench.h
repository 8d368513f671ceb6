// SPDX-License-Identifier: MIT
// The SystemC design of blocks with links of 36 bits. Such a chip is compiled apart from all others
// (RDT_DATA_W), in a namespace of its own; here is what the test sees of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace wide_bench {

constexpr unsigned NumPorts = 10;

struct In {
    std::array<uint64_t, NumPorts> d{};
    std::array<unsigned, NumPorts> req{};
    std::array<unsigned, NumPorts> cred{};
    bool shoot = false;
    bool slice = false;
    bool rst_n = true;
};
struct Out {
    std::array<uint64_t, NumPorts> d{};
    std::array<bool, NumPorts> oe{};
    std::array<unsigned, NumPorts> req{};
    std::array<unsigned, NumPorts> cred{};
    bool err = false;
    bool slice = false;
};

// Needs a kernel of its own, which has to outlive it.
class Chip {
public:
    Chip();
    ~Chip();
    void clock(const In& in);
    Out pins() const;

private:
    struct Inside;
    std::unique_ptr<Inside> m_inside;
};

}  // namespace wide_bench
