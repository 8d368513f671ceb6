// SPDX-License-Identifier: MIT
// What rdt_regs promises and relies on.
