// SPDX-License-Identifier: MIT
// The picture of the machine.

const Smoothing = 0.15;  // smoothing of link utilization from frame to frame
const kindOf = (type) => (type === 0 ? "uni" : type <= 3 ? "multi" : type === 4 ? "ack" : "other");

class MachineMap {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.use = new Float32Array(NumNodes * Senders);
    this.before = new Uint32Array(NumNodes * Senders);
    this.lastClock = 0;
    this.flits = [];  // as drawn: x, y, packet
    this.neighbors = null;
  }

  begin(neighbors) {
    this.neighbors = neighbors;
    this.use.fill(0);
    this.before.fill(0);
    this.lastClock = 0;
    this.resize();
  }

  resize() {
    if (!this.neighbors) return;
    const room = Math.max(320, window.innerHeight - 190);
    const width = Math.min(this.canvas.closest("main").querySelector(".stage").clientWidth || window.innerWidth - 16, window.innerWidth <= 960 ? 1e9 : room);
    const scale = window.devicePixelRatio || 1;
    this.canvas.style.width = this.canvas.style.height = width + "px";
    this.canvas.width = this.canvas.height = Math.round(width * scale);
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.shape = new Shape(width, this.neighbors);
    this.readColors();
  }
  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.colors = {};
    for (const name of ["back", "text", "faint", "uni", "multi", "ack", "other", "chosen", "link", "link-upper",
                        "busy", "node", "edge", "dot", "full", "focus"])
      this.colors[name] = style.getPropertyValue("--" + name).trim();
  }

  // view: flits and nodes of the engine, clock, share of it that has passed, what is chosen.
  draw(view) {
    if (!this.shape) return;
    const g = this.context;
    g.fillStyle = this.colors.back;
    g.fillRect(0, 0, this.shape.width, this.shape.width);
    this.measure(view);
    for (const link of this.shape.links) this.drawLink(link, view);
    if (view.way) this.drawWay(view.way);
    for (let n = 0; n < NumNodes; ++n) this.drawNode(n, view);
    this.drawFlits(view);
  }

  // How much of the time each end of a link has driven it of late.
  measure(view) {
    const clocks = view.clock - this.lastClock;
    if (clocks <= 0) return;
    this.lastClock = view.clock;
    const weight = 1 - Math.pow(1 - Smoothing, Math.min(clocks, 8) / 4);
    for (let i = 0; i < this.use.length; ++i) {
      const flits = view.flits[i * WordsOfSender + 2];
      const share = ((flits - this.before[i]) >>> 0) / clocks;
      this.before[i] = flits;
      this.use[i] += weight * (share - this.use[i]);
    }
  }
  useOf(link) {
    return this.use[link.node * Senders + link.port] + this.use[link.to * Senders + opposite(link.port)];
  }

  trace(pieces) {
    const g = this.context;
    g.beginPath();
    for (const piece of pieces) piece.forEach((p, i) => (i ? g.lineTo(p.x, p.y) : g.moveTo(p.x, p.y)));
    g.stroke();
  }

  drawLink(link, view) {
    const g = this.context, c = this.colors;
    link.pieces ??= this.shape.pieces(link);
    const down = view.isDown(link.node, link.port) || view.isDown(link.to, opposite(link.port));
    const chosen = view.link && view.link.node === link.node && view.link.port === link.port;
    if (chosen) {
      g.strokeStyle = c.focus;
      g.lineWidth = 7;
      g.globalAlpha = 0.45;
      this.trace(link.pieces);
      g.globalAlpha = 1;
    }
    if (down) {
      g.setLineDash([4, 4]);
      g.strokeStyle = c.other;
      g.lineWidth = 2;
      this.trace(link.pieces);
      g.setLineDash([]);
      for (const piece of link.pieces) this.cross(piece[link.wraps ? (piece === link.pieces[0] ? 8 : 2) : 5]);
      return;
    }
    g.strokeStyle = isUpper(link.port) ? c["link-upper"] : c.link;
    g.lineWidth = 1.2;
    this.trace(link.pieces);
    const use = Math.min(1, this.useOf(link));
    if (use < 0.03) return;
    g.strokeStyle = c.busy;
    g.globalAlpha = 0.12 + 0.4 * use;
    g.lineWidth = 1 + 3 * use;
    this.trace(link.pieces);
    g.globalAlpha = 1;
  }
  cross({ x, y }) {
    const g = this.context, r = 5;
    g.lineWidth = 2.5;
    g.beginPath();
    g.moveTo(x - r, y - r); g.lineTo(x + r, y + r);
    g.moveTo(x - r, y + r); g.lineTo(x + r, y - r);
    g.stroke();
  }

  drawNode(n, view) {
    const g = this.context, c = this.colors, size = this.shape.size;
    const p = this.shape.at(n);
    const full = view.nodes[2 * n];
    g.fillStyle = c.node;
    g.strokeStyle = view.node === n ? c.chosen : c.edge;
    g.lineWidth = view.node === n ? 3 : 1;
    g.beginPath();
    g.roundRect(p.x - size / 2, p.y - size / 2, size, size, 4);
    g.fill();
    g.stroke();
    // 20 buffers, as in the panel: four rows of five.
    const step = size / 6.2, r = Math.max(1, step * 0.33);
    let i = 0;
    for (let port = 0; port < Vcs.length; ++port)
      for (let vc = 0; vc < Vcs[port]; ++vc, ++i) {
        const used = (full >>> (3 * port + vc)) & 1;
        g.fillStyle = used ? c.full : c.dot;
        g.beginPath();
        g.arc(p.x + ((i % 5) - 2) * step, p.y + (Math.floor(i / 5) - 1.5) * step, used ? r * 1.25 : r, 0, 7);
        g.fill();
      }
    if (size >= 26) {
      g.fillStyle = c.faint;
      g.font = "10px system-ui, sans-serif";
      g.textAlign = "left";
      g.textBaseline = "bottom";
      g.fillText(String(n), p.x + size / 2 + 2, p.y - size / 2 + 4);
    }
  }

  drawFlits(view) {
    this.flits = [];
    for (let n = 0; n < NumNodes; ++n)
      for (let p = 0; p < NetworkPorts; ++p) {
        const at = (n * Senders + p) * WordsOfSender;
        const flags = view.flits[at];
        if (flags === 0 || !this.shape.link(n, p)) continue;
        const spot = this.shape.flit(n, p, view.share);
        const packet = view.flits[at + 1];
        this.flits.push({ x: spot.x, y: spot.y, packet });
        this.drawFlit(spot, kindOf((flags >>> 1) & 7), ((flags >>> 4) & 15) === 0,
                      packet !== 0 && packet === view.packet + 1);
      }
  }
  drawFlit({ x, y, angle }, kind, first, chosen) {
    const g = this.context, c = this.colors;
    const r = Math.max(2.4, this.shape.step * 0.048) * (chosen ? 1.5 : 1);
    g.save();
    g.translate(x, y);
    g.rotate(kind === "ack" ? Math.PI / 4 : angle);
    g.fillStyle = chosen ? c.chosen : c[kind];
    g.strokeStyle = c.back;
    g.lineWidth = 1;
    g.beginPath();
    if (kind === "other") {
      g.arc(0, 0, r, 0, 7);
    } else if (first && kind !== "ack") {
      g.moveTo(2 * r, 0); g.lineTo(-r, 1.6 * r); g.lineTo(-r, -1.6 * r); g.closePath();
    } else {
      g.rect(-r, -r, 2 * r, 2 * r);
    }
    g.fill();
    g.stroke();
    g.restore();
  }

  drawWay(way) {
    const g = this.context, c = this.colors;
    const ring = (node, width) => {
      const p = this.shape.at(node);
      g.lineWidth = width;
      g.strokeRect(p.x - this.shape.size / 2 - 4, p.y - this.shape.size / 2 - 4, this.shape.size + 8, this.shape.size + 8);
    };
    g.strokeStyle = c.chosen;
    for (const s of way.steps) {
      const port = PortNames.indexOf(s.port);
      if (s.mbp || port >= NetworkPorts) continue;
      const { link } = this.shape.link(s.node, port);
      g.lineWidth = 4;
      g.globalAlpha = 0.75;
      this.trace(this.shape.pieces(link));
      g.globalAlpha = 1;
    }
    ring(way.source, 3);
    g.setLineDash([3, 3]);
    for (const node of way.destination === null ? way.received : [way.destination]) ring(node, 3);
    g.setLineDash([]);
  }

  // The object drawn at a point: a packet before a router before a link.
  whatIsAt(x, y) {
    let best = null, least = 10;
    for (const flit of this.flits) {
      const d = Math.hypot(flit.x - x, flit.y - y);
      if (flit.packet !== 0 && d < least) [best, least] = [flit, d];
    }
    const node = this.shape.nodeAt(x, y);
    if (best !== null && (node === null || least < 5)) return { packet: best.packet - 1 };
    if (node !== null) return { node };
    const link = this.shape.linkAt(x, y);
    return link === null ? {} : { link: { node: link.node, port: link.port } };
  }
}
