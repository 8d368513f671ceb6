// SPDX-License-Identifier: MIT
// What rdt_route promises and relies on.
