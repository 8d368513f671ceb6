// SPDX-License-Identifier: MIT
// Simulation models of the generic cells (rtl/flow/synth/generic.py), without delays.
module INV_X1 (input A, output Y); assign Y = ~A; endmodule
module INV_X2 (input A, output Y); assign Y = ~A; endmodule
module INV_X4 (input A, output Y); assign Y = ~A; endmodule
module INV_X8 (input A, output Y); assign Y = ~A; endmodule
module BUF_X2 (input A, output Y); assign Y = A; endmodule
module BUF_X4 (input A, output Y); assign Y = A; endmodule
module NAND2_X1 (input A, B, output Y); nand (Y, A, B); endmodule
module NAND3_X1 (input A, B, C, output Y); nand (Y, A, B, C); endmodule
module NOR2_X1 (input A, B, output Y); nor (Y, A, B); endmodule
module NOR3_X1 (input A, B, C, output Y); nor (Y, A, B, C); endmodule
module AND2_X1 (input A, B, output Y); and (Y, A, B); endmodule
module AND2_X2 (input A, B, output Y); and (Y, A, B); endmodule
module OR2_X1 (input A, B, output Y); or (Y, A, B); endmodule
module OR2_X2 (input A, B, output Y); or (Y, A, B); endmodule
module AOI21_X1 (input A, B, C, output Y); assign Y = C ? 1'b0 : ~(A & B); endmodule
module OAI21_X1 (input A, B, C, output Y); assign Y = C ? ~(A | B) : 1'b1; endmodule
module AOI22_X1 (input A, B, C, D, output Y); assign Y = ~(A & B) & ~(C & D); endmodule
module OAI22_X1 (input A, B, C, D, output Y); assign Y = ~(A | B) | ~(C | D); endmodule
module XOR2_X1 (input A, B, output Y); xor (Y, A, B); endmodule
module XNOR2_X1 (input A, B, output Y); xnor (Y, A, B); endmodule
module MUX2_X1 (input A, B, S, output Y); assign Y = S ? B : A; endmodule
module DFF_X1 (input CLK, D, output reg Q); always @(posedge CLK) Q <= D; endmodule
module LATCH_X1 (input CLK, D, output reg Q); always @* if (CLK) Q = D; endmodule
