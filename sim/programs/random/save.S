# SPDX-License-Identifier: MIT
# Calls fold_registers() between blocks of random instructions, which are not to change sp and s0
# (pointers into the scratch memory), tp (the save area) and x31 (the link).
    .macro integers op
    .irp n, 1,3,5,6,7,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
    \op x\n, 8*\n(x4)
    .endr
    .endm
    .macro floats op
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \op f\n, 8*(32+\n)(x4)
    .endr
    .endm
    .macro own_registers op
    \op ra, 0(x31)
    \op sp, 8(x31)
    \op gp, 16(x31)
    \op tp, 24(x31)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    \op s\n, 32+8*\n(x31)
    .endr
    .endm

    .bss
    .balign 32
own:  .zero 8 * 16
link: .zero 8

    .text
    .global random_blocks, random_return, fold
random_blocks:
    la x31, own
    own_registers sd
    la t0, random_begin
    la x31, link
    sd t0, 0(x31)
    j restore

random_return:
    la x31, own
    own_registers ld
    ret

fold:
    integers sd
    floats fsd
    csrr x5, fcsr
    sd x5, 8*64(x4)
    la x6, link
    sd x31, 0(x6)
    la x31, own
    own_registers ld
    call fold_registers
restore:
    la x4, save_area
    ld x5, 8*64(x4)
    andi x5, x5, 0x7f           # no reserved rounding mode, nor ties away
    csrw fcsr, x5
    floats fld
    integers ld
    la x8, scratch + 2048
    la x2, scratch
    la x31, link
    ld x31, 0(x31)
    jr x31
