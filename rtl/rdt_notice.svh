// SPDX-License-Identifier: MIT
// What rdt_notice promises and relies on.
