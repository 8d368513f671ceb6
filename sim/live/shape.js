// SPDX-License-Identifier: MIT
// Where nodes and links of the machine are in the picture.

const Side = 8;
const NumNodes = Side * Side;
const Room = 0.72;   // around the nodes, for links that leave the picture; in steps between nodes
const Stub = 0.3;    // of such a link that is drawn at each side
const Bend = 0.8;    // of upper links, so that they pass by the node in their middle; in steps

const opposite = (port) => port ^ 1;
const isUpper = (port) => port >= 4;

function curve(a, b, bend) {
  const dx = b.x - a.x, dy = b.y - a.y;
  const length = Math.hypot(dx, dy);
  return { a, b, c: { x: (a.x + b.x) / 2 - (bend * dy) / length, y: (a.y + b.y) / 2 + (bend * dx) / length } };
}
function pointOn({ a, b, c }, t) {
  const u = 1 - t;
  return { x: u * u * a.x + 2 * u * t * c.x + t * t * b.x, y: u * u * a.y + 2 * u * t * c.y + t * t * b.y };
}
function directionOn({ a, b, c }, t) {
  const dx = (1 - t) * (c.x - a.x) + t * (b.x - c.x), dy = (1 - t) * (c.y - a.y) + t * (b.y - c.y);
  return Math.atan2(dy, dx);
}

// Both ends of a link name it; it is kept at the end with the even port.
class Shape {
  constructor(width, neighbors) {
    this.width = width;
    this.step = width / (Side - 1 + 2 * Room);
    this.size = Math.min(0.44 * this.step, 46);  // size of a node
    this.neighbors = neighbors;
    this.links = [];
    for (let n = 0; n < NumNodes; ++n)
      for (let p = 0; p < NetworkPorts; p += 2)
        if (neighbors[n * NetworkPorts + p] >= 0) this.links.push(this.linkOf(n, p));
    this.byEnd = new Map();
    for (const link of this.links) {
      this.byEnd.set(link.node * NetworkPorts + link.port, { link, back: false });
      this.byEnd.set(link.to * NetworkPorts + opposite(link.port), { link, back: true });
    }
  }

  // North is up.
  at(node) {
    return { x: (Room + (node % Side)) * this.step,
             y: (Room + Side - 1 - Math.floor(node / Side)) * this.step };
  }

  linkOf(node, port) {
    const to = this.neighbors[node * NetworkPorts + port];
    const near = (d) => (d > Side / 2 ? d - Side : d < -Side / 2 ? d + Side : d);
    const dx = near((to % Side) - (node % Side));
    const dy = near(Math.floor(to / Side) - Math.floor(node / Side));
    const a = this.at(node), b = this.at(to);
    const beyond = { x: a.x + dx * this.step, y: a.y - dy * this.step };
    const before = { x: b.x - dx * this.step, y: b.y + dy * this.step };
    const wraps = Math.hypot(beyond.x - b.x, beyond.y - b.y) > 1;
    const bend = isUpper(port) ? Bend * this.step : 0;
    return { node, port, to, wraps, out: curve(a, beyond, bend), in: curve(before, b, bend) };
  }

  // The link at a port, and whether this is its other end.
  link(node, port) { return this.byEnd.get(node * NetworkPorts + port); }

  // Where a flit is that has come so far (0 to 1) from a node through a port.
  flit(node, port, share) {
    const { link, back } = this.link(node, port);
    let t = back ? 1 - share : share;
    let on = link.out;
    if (link.wraps) {
      on = t < 0.5 ? link.out : link.in;
      t = t < 0.5 ? 2 * Stub * t : 1 - 2 * Stub * (1 - t);
    }
    const at = pointOn(on, t);
    at.angle = directionOn(on, t) + (back ? Math.PI : 0);
    return at;
  }

  // The parts of a link that are drawn, as lists of points.
  pieces(link) {
    const points = (on, from, to) => {
      const list = [];
      for (let i = 0; i <= 10; ++i) list.push(pointOn(on, from + ((to - from) * i) / 10));
      return list;
    };
    if (link.wraps) return [points(link.out, 0, Stub), points(link.in, 1 - Stub, 1)];
    return [points(link.out, 0, 1)];
  }

  nodeAt(x, y) {
    for (let n = 0; n < NumNodes; ++n) {
      const p = this.at(n);
      if (Math.max(Math.abs(p.x - x), Math.abs(p.y - y)) <= this.size / 2 + 2) return n;
    }
    return null;
  }
  linkAt(x, y) {
    let best = null, least = 9;
    for (const link of this.links)
      for (const piece of this.pieces(link))
        for (let i = 1; i < piece.length; ++i) {
          const d = distance(piece[i - 1], piece[i], x, y);
          if (d < least) [best, least] = [link, d];
        }
    return best;
  }
}

// From a point to the line between two others.
function distance(a, b, x, y) {
  const dx = b.x - a.x, dy = b.y - a.y;
  const t = Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
}
