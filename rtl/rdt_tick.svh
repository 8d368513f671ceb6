// SPDX-License-Identifier: MIT
// What rdt_tick promises.
`RDT_PROMISE("no tick in a halted chip, nor with a period of 0", !tick_o || (!halt_i && period_i != '0))
