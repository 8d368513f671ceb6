// SPDX-License-Identifier: MIT
// What rdt_bitmap promises and relies on.
