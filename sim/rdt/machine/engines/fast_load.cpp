// SPDX-License-Identifier: MIT
// Registers out of the fast engine and into it.
#include <rdt/fast/chips_image.h>
#include <rdt/machine/engines/fast_machine.h>

namespace rdt::machine {

using fast::PortBits;

fast::ChipImage FastMachine::image(uint32_t node) const {
    fast::ChipImage image = m_chips[node / GroupSize].image(node % GroupSize);
    const uint64_t since = m_groups[node / GroupSize].asleep_since;
    if (since != 0) image.inject.skip(m_clock + 1 - since);
    return image;
}

void FastMachine::pause() {
    for (uint32_t g = 0; g < m_chips.size(); ++g) {
        const uint64_t since = std::exchange(m_groups[g].asleep_since, 0);
        if (since != 0) m_chips[g].skip(m_clock + 1 - since);
    }
}

void FastMachine::begin_load(uint64_t clocks) {
    for (Four& chips : m_chips) chips.skip(clocks);
}

void FastMachine::begin_load(const FastMachine& up, uint64_t now) {
    for (uint32_t g = 0; g < m_chips.size(); ++g) {
        const uint64_t since = up.m_groups[g].asleep_since;
        m_chips[g] = up.m_chips[g];
        m_chips[g].skip((since == 0 ? 0 : up.m_clock + 1 - since) + now - up.now());
    }
}

// Links that are off stay as they are.
void FastMachine::load(uint32_t node, const fast::ChipImage& image, const fast::Local::In* last,
                       uint32_t status) {
    Four& chips = m_chips[node / GroupSize];
    fast::ChipImage all = image;
    const fast::ChipImage before = chips.image(node % GroupSize);
    for (uint32_t p = 0; p < NumPorts; ++p) {
        if (has_link(p)) continue;
        all.link[p] = before.link[p];
        all.out[p] = before.out[p];
    }
    chips.load(node % GroupSize, all, last, status);
}

// What everybody sees of the others.
void FastMachine::end_load() {
    m_clock = 0;
    m_groups.assign(m_chips.size(), {});
    for (auto& d : m_d) d.assign(nodes() * PortBits, 0);
    for (uint32_t n = 0; n < nodes(); ++n) {
        Group& group = m_groups[n / GroupSize];
        const uint32_t first = n % GroupSize * PortBits;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut own = FastMachine::pins(n, p);
            const core::LinkPinsOut far =
                is_network(p) ? FastMachine::pins(geometry().neighbour(n, p), opposite(p))
                              : mbp(n, p - PortM0).pins();
            group.shown.req.set(first + p, own.req);
            group.shown.cred.set(first + p, own.cred);
            group.seen.req.set(first + p, far.req);
            group.seen.cred.set(first + p, far.cred);
            fast::set_bit(group.driven, first + p, own.oe);
            if (!is_network(p)) fast::set_bit(group.driven, first + p + NumPorts - PortM0, far.oe);
            m_d[0][n * PortBits + p] = far.oe ? far.d : 0;
        }
        group.driven_before = group.driven;
        wake(n);
    }
}

}  // namespace rdt::machine
