# SPDX-License-Identifier: MIT
"""Yosys' own gates, as a library."""
from .liberty import Cell

TWO = ("A", "B")
CELLS = {
    "$_BUF_": Cell("gate", 1, ("A",), {"Y": 0b10}),
    "$_NOT_": Cell("gate", 1, ("A",), {"Y": 0b01}),
    "$_AND_": Cell("gate", 1, TWO, {"Y": 0b1000}),
    "$_NAND_": Cell("gate", 1, TWO, {"Y": 0b0111}),
    "$_OR_": Cell("gate", 1, TWO, {"Y": 0b1110}),
    "$_NOR_": Cell("gate", 1, TWO, {"Y": 0b0001}),
    "$_XOR_": Cell("gate", 1, TWO, {"Y": 0b0110}),
    "$_XNOR_": Cell("gate", 1, TWO, {"Y": 0b1001}),
    "$_ANDNOT_": Cell("gate", 1, TWO, {"Y": 0b0010}),
    "$_ORNOT_": Cell("gate", 1, TWO, {"Y": 0b1011}),
    "$_MUX_": Cell("gate", 1, ("A", "B", "S"), {"Y": 0b11001010}),
    "$_DFF_P_": Cell("ff", 1, (), {"Q": 0}, data="D", clock="C"),
}
