// SPDX-License-Identifier: MIT
// Words that hold something of every port of up to four chips, 16 bits per chip, so that all ports
// and four chips cost no more than one. The chips of a word know nothing of each other.
//
// A set of ports has a bit for each of them, a set of chips the bit of each chip's port 0.
#pragma once

#include <cstdint>

#include <rdt/core/format.h>

namespace rdt::fast {

using Ports = uint64_t;  // one bit per port

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

// All bits of the chips of a set.
constexpr Ports all_bits(Ports chips) { return chips * AllOfChip; }
// Chips that have any of these ports.
inline Ports chips_with(Ports ports) {
    Ports chips = 0;
    for (; ports != 0; ports &= ~all_bits(chips))
        chips |= bit(uint32_t(__builtin_ctzll(ports)) & ~(PortBits - 1));
    return chips;
}
// Gives the bits of one chip a new value.
inline void replace_chip(Ports& ports, uint32_t chip, Ports value) {
    ports = (ports & ~at_chip(AllOfChip, chip)) | at_chip(value, chip);
}

// Layout of a word of this many routers.
template <uint32_t NumChips>
struct Word {
    static constexpr uint32_t Slots = NumChips * PortBits;  // bits in use
    static constexpr Ports AllChips = 0x0001000100010001 & ((Ports(1) << (Slots - 1)) * 2 - 1);
    static constexpr Ports AllPorts = AllChips * ((1u << NumPorts) - 1);
    static constexpr Ports LocalPorts = AllChips << PortLocal;

    // Ports of all chips for which is(port) holds.
    template <typename Is>
    static Ports ports_that(Is&& is) {
        Ports ports = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) ports |= Ports(is(p)) << p;
        return ports * AllChips;
    }
};

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

// A value of two bits per port, as REQ and CRED are.
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
