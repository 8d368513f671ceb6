// SPDX-License-Identifier: MIT
// The panel that shows a chip, a packet or a link as it is in this cycle.

// An element of text and others; {onclick} and the like are its properties.
function element(name, properties = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in e) e[key] = value;
    else e.setAttribute(key, value);
  }
  e.append(...children.map((c) => (c instanceof Node ? c : String(c))));
  return e;
}
function list(pairs) {
  const dl = element("dl");
  for (const [name, value] of pairs) dl.append(element("dt", {}, name), element("dd", {}, value));
  return dl;
}
// The same in columns, where the page is wide enough.
function columns(pairs) {
  return pairs.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}
function table(head, rows) {
  const cells = (name, values) => values.map((v) => element(name, {}, v));
  return element("div", { className: "scroll" },
    element("table", {}, element("thead", {}, element("tr", {}, ...cells("th", head))),
      element("tbody", {}, ...rows.map((r) => element("tr", {}, ...cells("td", r))))));
}

class Inspector {
  // choose(what) is called when something in the panel is clicked, cut(node, port) by its scissors.
  constructor(box, choose, cut) {
    this.box = box;
    this.choose = choose;
    this.cut = cut;
    this.shown = "";
  }

  // Redraws only what has changed, so that buttons stay where they are while one clicks.
  put(key, parts) {
    const text = key + parts.map((p) => p.outerHTML).join("");
    if (text === this.shown) return;
    this.shown = text;
    const focus = document.activeElement;
    const name = this.box.contains(focus) ? focus.getAttribute("aria-label") : null;
    const scroll = [...this.box.querySelectorAll(".scroll")].map((e) => e.scrollLeft);
    this.box.replaceChildren(...parts);
    this.box.querySelectorAll(".scroll").forEach((e, i) => (e.scrollLeft = scroll[i] ?? 0));
    if (name) this.box.querySelector(`[aria-label="${CSS.escape(name)}"]`)?.focus();
  }

  nothing() {
    this.put("nothing", [element("p", { className: "hint" },
      "Choose a chip, a packet or a link in the picture.")]);
  }

  packetButton(number, text) {
    return element("button", { type: "button", onclick: () => this.choose({ packet: number }),
      ariaLabel: `packet ${number} ${text}` }, text);
  }

  node(d) {
    const buffers = element("div", { className: "grid20" });
    for (const b of d.buffers) {
      const name = `${b.port}/${b.vc}`;
      const outs = b.outs.join(" ");
      const words = { empty: "empty", comes: "comes in", waits: `waits for ${outs}`, read: `goes to ${outs}` };
      buffers.append(element("button", {
        type: "button", className: b.state, disabled: b.packet === null, title: b.why || words[b.state],
        ariaLabel: `buffer ${name}, ${words[b.state]}`,
        onclick: () => this.choose({ packet: b.packet }),
      }, name, element("br"), b.state === "empty" ? "–" : b.state === "comes" ? "in" :
         (b.state === "read" ? "→ " : "… ") + outs));
    }
    const why = d.buffers.filter((b) => b.why).map((b) => [`${b.port}/${b.vc}`, b.why]);
    const links = d.links.filter((l) => l.there).map((l, i) => [
      l.port,
      l.to === null ? "MBP" : element("button", { type: "button", ariaLabel: `chip ${l.to} at ${l.port}`,
        onclick: () => this.choose({ node: l.to }) }, l.to),
      l.up ? l.state : element("span", { className: "error" }, "down"),
      l.drives === "out" ? "sends" : l.drives === "in" ? "receives" : "",
      l.to === null ? "" : this.cutButton(d.node, i),
    ]);
    const x = d.node % Side, y = Math.floor(d.node / Side);
    const parts = [
      element("h3", {}, `Chip ${d.node} at (${x}, ${y})`),
      list([["packets that wait at its MBPs", d.queued.join(" + ")]]),
      element("h3", {}, "20 buffers"), buffers,
      element("h3", {}, "Crossbar"), this.crossbar(d.crossbar),
      element("h3", {}, "Ack table"),
      d.acks.some((a) => a.state !== "free")
        ? table(["tag", "state", "from", "awaits"], d.acks.filter((a) => a.state !== "free")
            .map((a) => [a.tag, a.state, a.from, a.awaits.join(" ")]))
        : element("p", { className: "hint" }, "All 6 entries are free."),
      element("h3", {}, "Links"), table(["port", "to", "line", "", ""], links),
    ];
    if (why.length) parts.splice(4, 0, element("h3", {}, "Why they wait"), list(why));
    this.put("node", parts);
  }
  cutButton(node, port) {
    return element("button", { type: "button", ariaLabel: `cut link ${node}.${PortNames[port]}`,
      title: `Cut ${node}.${PortNames[port]}`, onclick: () => this.cut(node, port) }, "✂");
  }

  // Inputs at the left, outputs at the top, as the wires of a crossbar.
  crossbar(passes) {
    const S = 20, ns = "http://www.w3.org/2000/svg";
    const names = PortNames;
    const svg = document.createElementNS(ns, "svg");
    svg.setAttribute("viewBox", `0 0 ${S * 13} ${S * 11.4}`);
    svg.setAttribute("class", "xbar");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", passes.length
      ? passes.map((p) => `${p.in} to ${p.outs.join(" and ")}`).join(", ") : "no connection");
    const add = (name, attributes, text) => {
      const e = document.createElementNS(ns, name);
      for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
      if (text !== undefined) e.textContent = text;
      svg.append(e);
    };
    const label = { "font-size": 8.5, fill: "currentColor", "text-anchor": "middle" };
    const used = new Map(passes.map((p) => [p.in, p]));
    for (let i = 0; i < 10; ++i) {
      const y = S * (i + 1.4);
      const busy = used.has(names[i]);
      add("text", { ...label, x: S * 0.7, y: y + 3 }, names[i]);
      add("line", { x1: S * 1.4, x2: S * 12.6, y1: y, y2: y, stroke: busy ? "var(--uni)" : "var(--line)",
        "stroke-width": busy ? 2 : 1 });
    }
    names.forEach((name, o) => {
      const x = S * (o + 2);
      const busy = passes.some((p) => p.outs.includes(name));
      add("text", { ...label, x, y: S * 0.6, "font-size": name === "Local" ? 7 : 8.5 }, name);
      add("line", { y1: S * 0.9, y2: S * 11, x1: x, x2: x, stroke: busy ? "var(--uni)" : "var(--line)",
        "stroke-width": busy ? 2 : 1 });
    });
    for (const p of passes)
      for (const out of p.outs)
        add("circle", { cx: S * (names.indexOf(out) + 2), cy: S * (names.indexOf(p.in) + 1.4), r: 5,
          fill: "var(--uni)" });
    return svg;
  }

  packet(d, now) {
    if (d === null) {
      this.put("gone", [element("p", { className: "hint" }, "This packet arrived long ago and is forgotten.")]);
      return;
    }
    const to = d.destination === null ? `${d.receivers} chips` : `chip ${d.destination}, MBP ${d.mbp}`;
    const steps = d.steps.map((s) => [
      s.clock, element("button", { type: "button", ariaLabel: `chip ${s.node} ${s.port} ${s.clock}`,
        onclick: () => this.choose({ node: s.node }) }, s.node),
      s.mbp ? `from MBP ${s.port[1]}` : s.port[0] === "M" ? `to MBP ${s.port[1]}` : s.port,
      s.mbp || s.port[0] === "M" ? "" : s.vc, `+${s.clock - d.born}`]);
    this.put("packet", [
      element("h3", {}, `${d.destination === null ? "Multicast" : "Packet"} ${d.number}`),
      list([["from", `chip ${d.source}, MBP ${d.source_mbp}`], ["to", to], ["flits", d.flits],
        ["generated in cycle", d.born],
        ["state", d.done ? `delivered in cycle ${d.done}, ${d.done - d.born} cycles` : `in flight, ${now - d.born} cycles`],
        ...(d.destination === null ? [["received by", `${d.received.length} of ${d.receivers}`]] : [])]),
      element("h3", {}, "Its way: first flit on the pins"),
      table(["cycle", "router", "output", "VC", "age"], steps),
    ]);
  }

  link(node, port, neighbors, isDown, use) {
    const to = neighbors[node * NetworkPorts + port];
    this.put("link", [
      element("h3", {}, `Link ${node}.${PortNames[port]} – ${to}.${PortNames[opposite(port)]}`),
      list([["rank", isUpper(port) ? "upper" : "0"], ["state", isDown ? "down" : "up"],
        ["flits per cycle, of late", use.toFixed(2)]]),
      element("div", { className: "row" },
        element("button", { type: "button", disabled: isDown, ariaLabel: "cut this link",
          onclick: () => this.cut(node, port) }, isDown ? "Cut" : "✂ Cut this link")),
    ]);
  }
}
