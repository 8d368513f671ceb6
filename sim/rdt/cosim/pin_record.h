// SPDX-License-Identifier: MIT
// What chips have read from their pins, cycle by cycle, so that one of them can be run again by
// itself. It is kept in a temporary file, 2 bytes per cycle and 3 for every link that has changed.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include <rdt/fast/router.h>

namespace rdt::machine {

class PinRecord {
public:
    explicit PinRecord(uint32_t chips);

    // In every cycle of every chip, in the order of their numbers.
    void add(const core::PinsIn& in, bool rst_n);

    // One cycle of one chip at a time.
    class Reader {
    public:
        Reader(PinRecord& record, uint32_t chip);
        // False at the end.
        bool next();
        const core::PinsIn& in() const { return m_pins.in; }
        bool rst_n() const { return m_pins.rst_n; }

    private:
        struct Pins {
            core::PinsIn in;
            bool rst_n = false;
        };
        bool read(Pins* to);

        std::FILE* m_file;
        uint32_t m_chip;
        uint32_t m_chips;
        Pins m_pins;
    };
    // No file could be written.
    bool is_lost() const { return m_lost; }

private:
    using Packed = std::array<uint32_t, NumPorts>;  // a word a link

    void flush();

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file;
    std::vector<uint8_t> m_buffer;  // entries not yet in the file
    size_t m_filled = 0;
    std::vector<Packed> m_last;  // by chip
    uint32_t m_next = 0;         // chip
    bool m_lost = false;
};

}  // namespace rdt::machine
