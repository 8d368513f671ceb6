// SPDX-License-Identifier: MIT
// What rdt_tick promises and relies on.
