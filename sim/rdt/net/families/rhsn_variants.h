// SPDX-License-Identifier: MIT
// Sizes between those of RHSNs (Yeh and Parhami, section 6): several copies of one, and one without
// some of its topmost clusters.
#pragma once

#include <rdt/net/families/rhsn.h>

namespace rdt {

// As many copies as the lowest blocks of a word have values; that part of the word and the number
// of the copy change places over one more link. With one block of HSN(l,G) it is HSN(l+1,G).
class RhsnCopies : public GraphNetwork {
public:
    // The lowest `blocks` blocks of the topmost depth.
    RhsnCopies(const std::string& name, std::shared_ptr<const Rhsn> one, uint32_t blocks);
    const Rhsn& one() const { return *m_one; }
    uint32_t blocks() const { return m_blocks; }
    uint32_t copies() const { return nodes() / m_one->nodes(); }

private:
    const std::shared_ptr<const Rhsn> m_one;
    const uint32_t m_blocks;
};

// The first so many of its topmost clusters.
class RhsnPart : public GraphNetwork {
public:
    RhsnPart(const std::string& name, const Rhsn& whole, uint32_t clusters);
};

}  // namespace rdt
