# SPDX-License-Identifier: MIT
"""Gates of the chip before links recovered, turns were fair and nodes protected from each other.

Areas of all instances in NAND2X1, by the same script and the LEF's areas: the RTL of that commit in
another directory, measured with `python3 -m rtl.flow.synth --tree DIRECTORY --cycles 0 --build OTHER`.
"""

BEFORE = {
    "commit": "f552566",
    "rdt_crossbar": 2567,
    "rdt_arbiter": 2113,
    "rdt_input_unit": 11735,
    "rdt_link_io": 2497,
    "rdt_bitmap_gen": 10889,
    "rdt_ack": 2043,
    "rdt_buffer_ram": 46547,
    "rdt_output_unit": 3831,
    "rdt_local": 3689,
    "rdt_inject": 413,
    "rdt_router": 210,
}
