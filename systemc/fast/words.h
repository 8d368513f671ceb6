// SPDX-License-Identifier: MIT
// Words that hold something of every port, so that all ports cost no more than one.
#pragma once

#include <cstdint>

namespace rdt::fast {

using Ports = uint64_t;  // one bit a port

// Four chips fit in a word, 16 bits for each.
constexpr uint32_t PortBits = 16;
constexpr uint32_t chip_of(uint32_t port) { return port / PortBits; }
constexpr uint32_t port_of(uint32_t port) { return port % PortBits; }
constexpr Ports bit(uint32_t port) { return Ports(1) << port; }
// The bits of one chip, and as part of all.
constexpr uint32_t of_chip(Ports ports, uint32_t chip) {
    return uint32_t(ports >> chip * PortBits) & 0xFFFF;
}
constexpr Ports at_chip(Ports ports, uint32_t chip) { return ports << chip * PortBits; }
constexpr Ports AllOfChip = 0xFFFF;
inline void set_bit(Ports& ports, uint32_t port, bool value) {
    ports = (ports & ~bit(port)) | Ports(value) << port;
}

// for (uint32_t p : each(ports)): the ports whose bit is set, in order.
class each {
public:
    explicit each(Ports ports) : m_ports(ports) {}

    struct Iterator {
        Ports left;
        uint32_t operator*() const { return uint32_t(__builtin_ctzll(left)); }
        Iterator& operator++() {
            left &= left - 1;
            return *this;
        }
        bool operator!=(const Iterator&) const { return left != 0; }
    };
    Iterator begin() const { return {m_ports}; }
    Iterator end() const { return {0}; }

private:
    Ports m_ports;
};

// A value of two bits a port, as REQ and CRED are.
struct TwoBits {
    Ports low = 0;
    Ports high = 0;

    Ports any() const { return low | high; }
    uint32_t of(uint32_t port) const {
        return uint32_t(low >> port & 1) | uint32_t(high >> port & 1) << 1;
    }
    void set(uint32_t port, uint32_t value) {
        set_bit(low, port, (value & 1) != 0);
        set_bit(high, port, (value & 2) != 0);
    }
    TwoBits operator&(Ports ports) const { return {low & ports, high & ports}; }
    TwoBits operator|(const TwoBits& o) const { return {low | o.low, high | o.high}; }
    TwoBits operator^(const TwoBits& o) const { return {low ^ o.low, high ^ o.high}; }
};

}  // namespace rdt::fast
