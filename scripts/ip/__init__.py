# SPDX-License-Identifier: MIT
"""Register, port and parameter descriptions of the router in SystemRDL and IP-XACT."""
