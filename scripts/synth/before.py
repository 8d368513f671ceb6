# SPDX-License-Identifier: MIT
"""Gates of the chip before links recovered, turns were fair and nodes protected from each other."""

BEFORE = {"commit": "f552566"}
