// SPDX-License-Identifier: MIT
// Elements of the flat vectors that a Verilated module has for pins.
#pragma once

#include <cstdint>
#include <type_traits>

namespace rdt {

// Bits [lo +: width] of a pin: a word, or an array of words of 32 bits.
template <typename Pin>
uint64_t pin_slice(const Pin& pin, unsigned lo, unsigned width) {
    const uint64_t ones = (uint64_t(1) << width) - 1;
    if constexpr (std::is_integral_v<Pin>) {
        return uint64_t(pin) >> lo & ones;
    } else {
        uint64_t two = pin[lo / 32];
        if (lo % 32 + width > 32) two |= uint64_t(pin[lo / 32 + 1]) << 32;
        return two >> lo % 32 & ones;
    }
}
template <typename Pin>
void set_pin_slice(Pin& pin, unsigned lo, unsigned width, uint64_t value) {
    const uint64_t ones = (uint64_t(1) << width) - 1;
    if constexpr (std::is_integral_v<Pin>) {
        pin = Pin((uint64_t(pin) & ~(ones << lo)) | value << lo);
    } else {
        for (unsigned word = lo / 32; word <= (lo + width - 1) / 32; ++word) {
            const int up = int(lo) - int(word) * 32;
            const auto moved = [up](uint64_t x) { return uint32_t(up >= 0 ? x << up : x >> -up); };
            pin[word] = (pin[word] & ~moved(ones)) | moved(value);
        }
    }
}

}  // namespace rdt
