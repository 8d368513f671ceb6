// SPDX-License-Identifier: MIT
// What rdt_ack_port promises and relies on.
