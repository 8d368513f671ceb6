# SPDX-License-Identifier: MIT
"""Blocks of this chip and of the paper's (Table VIII)."""

RAM = "rdt_buffer_ram"
RAM_BITS = 16 * 18

# Block -> its name, gates and count in the paper.
PAPER = {
    "rdt_crossbar": ("crossbar", 2927, 1),
    "rdt_arbiter": ("arbiter", 2736, 1),
    "rdt_input_unit": ("multicast controller", 1558, 10),
    "rdt_link_io": ("I/O controller", 397, 10),
    "rdt_bitmap_gen": ("bit-map generator", 2288, 10),
    "rdt_ack": ("acknowledge combining", 2009, 1),
    RAM: ("buffer RAM", 2021, 20),
}
NOT_LISTED = ("rdt_output_unit", "rdt_local", "rdt_inject", "rdt_router")
BLOCKS = (*PAPER, *NOT_LISTED)  # modules that are none of these are part of the block they are in
PAPER_LOGIC = sum(g * n for b, (_, g, n) in PAPER.items() if b != RAM)
PAPER_RAM = PAPER[RAM][1] * PAPER[RAM][2]

# The block boundaries differ (header registers, for example, are in the bit-map generator here), so groups of blocks are compared as well.
# The paper does not list LOCAL, the injector and the gates between the blocks.
SUMS = {
    "front end of a port: route, bit map, multicast": ("rdt_input_unit", "rdt_bitmap_gen"),
    "line of a port: link, credits, header rewrite": ("rdt_link_io", "rdt_output_unit"),
    "shared: crossbar, arbiter, acks, LOCAL": ("rdt_crossbar", "rdt_arbiter", "rdt_ack", "rdt_local", "rdt_inject",
                                               "rdt_router"),
}
