// SPDX-License-Identifier: MIT
// What rdt_route promises.
`ifdef FORMAL
logic rst_ni;
assign rst_ni = 1'b1;
`RDT_PROMISE("with an error to LOCAL", err_o == rdt_pkg::ErrNone || (dst_o == rdt_pkg::PortLocal && ovc_o == 2'd0))
`RDT_PROMISE("VC-T only on E0 and W0", ovc_o != 2'd2 || dst_o <= rdt_pkg::PortW0)
`RDT_PROMISE("VC 0 for MBPs and LOCAL", dst_o < rdt_pkg::PortM0 || ovc_o == 2'd0)
`RDT_PROMISE("an output and a VC there are", dst_o <= rdt_pkg::PortLocal && ovc_o != 2'd3)
`RDT_COVER(ovc_o == 2'd2 && dst_o == rdt_pkg::PortW0)
`endif
