// SPDX-License-Identifier: MIT
// What rdt_shot promises and relies on.
