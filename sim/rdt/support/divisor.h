// SPDX-License-Identifier: MIT
// Division by a number that stays the same, as a multiplication: exact for all numbers of 32 bits
// (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019).
#pragma once

#include <cstdint>

namespace rdt {

class Divisor {
public:
    explicit Divisor(uint32_t divisor)
        : m_divisor(divisor), m_reciprocal(divisor > 1 ? UINT64_MAX / divisor + 1 : 0) {}
    uint32_t quotient(uint32_t number) const {
        if (m_reciprocal == 0) return number;
        __extension__ using Wide = unsigned __int128;
        return uint32_t(Wide(m_reciprocal) * number >> 64);
    }
    uint32_t remainder(uint32_t number) const { return number - quotient(number) * m_divisor; }
    // The last digit of a number to the base of the divisor, 2 or more; the number loses it.
    uint32_t cut_off(uint32_t& number) const {
        __extension__ using Wide = unsigned __int128;
        const uint32_t left = uint32_t(Wide(m_reciprocal) * number >> 64);
        const uint32_t digit = number - left * m_divisor;
        number = left;
        return digit;
    }

private:
    uint32_t m_divisor;
    uint64_t m_reciprocal;
};

}  // namespace rdt
