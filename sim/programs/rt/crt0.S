# SPDX-License-Identifier: MIT
# Every hart begins here. The first rdt_nodes_ harts get a private stack and call rdt_start_(); others,
# which QEMU may have, halt.
    .file "crt0.S"
    .section .text.rdt_crt0, "ax"
    .global _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    csrr a0, mhartid
    la t0, rdt_nodes_
    lw t0, 0(t0)
    bgeu a0, t0, 1f
    li t0, 0x6000               # floating point on
    csrs mstatus, t0
    li t0, 0x88000000           # private memory, 256 KiB per hart
    slli t1, a0, 18
    add tp, t0, t1              # thread-local data at its bottom, the stack from its top
    li t1, 0x40000
    add sp, tp, t1
    call rdt_start_
1:  wfi
    j 1b
    .size _start, . - _start

# What the loader of the machine sets (docs/programs.md); QEMU leaves it as it is.
    .section .rodata.rdt, "a"
    .macro fact name, value
    .balign 4
    .global \name
    .type \name, @object
    .size \name, 4
\name: .word \value
    .endm
    fact rdt_nodes_, 1
    fact rdt_machine_, 0
    fact rdt_homes_, 1
    fact rdt_page_bytes_, 4096
    .global rdt_arguments_
    .type rdt_arguments_, @object
    .size rdt_arguments_, 256
rdt_arguments_: .zero 256
