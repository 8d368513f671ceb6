// SPDX-License-Identifier: MIT
// Compiled for AVX2, as the gates of 256 routers are.
#include <rdt/machine/engines/bit_matrix.h>
#include <rdt/machine/engines/gates.h>

namespace rdt::machine {

void wide_transpose(uint64_t* rows) { transpose(reinterpret_cast<WideWord*>(rows)); }

}  // namespace rdt::machine
