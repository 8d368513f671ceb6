// SPDX-License-Identifier: MIT
// What rdt_local promises and relies on.
