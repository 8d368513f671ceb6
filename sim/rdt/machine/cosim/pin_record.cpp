// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/pin_record.h>

namespace rdt::machine {

namespace {

// An entry is a word of what is to be read, then three bytes for each link whose bit is set.
constexpr uint32_t ShootBit = NumPorts;
constexpr uint32_t SliceBit = NumPorts + 1;
constexpr uint32_t ResetBit = NumPorts + 2;  // rst_ni
constexpr uint32_t BytesOfWord = 2;
constexpr uint32_t BytesOfLink = 3;
constexpr size_t MostBytes = BytesOfWord + NumPorts * BytesOfLink;
constexpr size_t BufferSize = 1 << 16;
constexpr uint32_t ReqAt = 18;
constexpr uint32_t CredAt = 20;

uint32_t packed(const core::LinkPinsIn& link) {
    return uint32_t(link.d) | link.req << ReqAt | link.cred << CredAt;
}
core::LinkPinsIn unpacked(uint32_t word) {
    return {word & 0x3FFFF, word >> ReqAt & 3, word >> CredAt & 3};
}

}  // namespace

PinRecord::PinRecord(uint32_t chips)
    : m_file(std::tmpfile(), std::fclose), m_buffer(BufferSize), m_last(chips, Packed{}) {
    m_lost = m_file == nullptr;
}

void PinRecord::add(const core::PinsIn& in, bool rst_n) {
    Packed& last = m_last[m_next];
    m_next = m_next + 1 == m_last.size() ? 0 : m_next + 1;
    if (m_lost) return;
    if (m_filled + MostBytes > m_buffer.size()) flush();
    uint8_t* const bytes = m_buffer.data() + m_filled;
    uint8_t* to = bytes + BytesOfWord;
    uint32_t word = uint32_t(in.shoot) << ShootBit | uint32_t(in.slice) << SliceBit |
                    uint32_t(rst_n) << ResetBit;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const uint32_t link = packed(in.link[p]);
        if (link == last[p]) continue;
        last[p] = link;
        word |= 1u << p;
        for (uint32_t k = 0; k < BytesOfLink; ++k) *to++ = uint8_t(link >> 8 * k);
    }
    bytes[0] = uint8_t(word);
    bytes[1] = uint8_t(word >> 8);
    m_filled += size_t(to - bytes);
}

void PinRecord::flush() {
    if (!m_lost)
        m_lost = std::fseek(m_file.get(), 0, SEEK_END) != 0 ||
                 std::fwrite(m_buffer.data(), 1, m_filled, m_file.get()) != m_filled;
    m_filled = 0;
}

PinRecord::Reader::Reader(PinRecord& record, uint32_t chip)
    : m_file(record.m_file.get()), m_chip(chip), m_chips(uint32_t(record.m_last.size())) {
    record.flush();
    if (record.m_lost) m_file = nullptr;
    else std::rewind(m_file);
}

bool PinRecord::Reader::read(Pins* to) {
    uint8_t bytes[BytesOfWord];
    if (std::fread(bytes, 1, BytesOfWord, m_file) != BytesOfWord) return false;
    const uint32_t word = bytes[0] | uint32_t(bytes[1]) << 8;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        if ((word >> p & 1) == 0) continue;
        uint8_t link[BytesOfLink];
        if (std::fread(link, 1, BytesOfLink, m_file) != BytesOfLink) return false;
        if (to != nullptr)
            to->in.link[p] = unpacked(link[0] | uint32_t(link[1]) << 8 | uint32_t(link[2]) << 16);
    }
    if (to == nullptr) return true;
    to->in.shoot = (word >> ShootBit & 1) != 0;
    to->in.slice = (word >> SliceBit & 1) != 0;
    to->rst_n = (word >> ResetBit & 1) != 0;
    return true;
}

bool PinRecord::Reader::next() {
    if (m_file == nullptr) return false;
    for (uint32_t c = 0; c < m_chips; ++c)
        if (!read(c == m_chip ? &m_pins : nullptr)) return false;
    return true;
}

}  // namespace rdt::machine
