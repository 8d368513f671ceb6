// SPDX-License-Identifier: MIT
// What rdt_inject promises and relies on.
