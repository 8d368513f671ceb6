// SPDX-License-Identifier: MIT
// The second view: the networks of the lab, their figures, paths on them, and a run of each.

const Zoo = ["rdt:8", "torus:8x8", "hypercube:6", "scc:4", "rhsn:3,q2", "rcc:8,1", "prc:64,4,16"];
const ZooNames = { rdt: "RDT", torus: "Torus", hypercube: "Hypercube", scc: "Star-connected cycles (SCC)",
  rhsn: "Recursive swapped (RHSN)", rcc: "Compound complete (RCC)", prc: "Chordal ring (PRC)" };
const ZooColors = @SERIES@;
const ZooCycles = 6000;

class ZooView {
  constructor(engine, onChoose) {
    this.engine = engine;
    this.onChoose = onChoose;
    this.names = [...Zoo];
    this.figures = new Map();
    this.runs = new Map();
    this.ends = [];
    $("zoo-form").onsubmit = (e) => {
      e.preventDefault();
      this.show($("zoo-name").value.trim());
    };
    const form = $("zoo-run");
    form.load.oninput = () => (form.querySelector("output").textContent = Number(form.load.value).toFixed(2));
    form.onsubmit = (e) => {
      e.preventDefault();
      this.simulate();
    };
  }

  say(text) { $("zoo-message").textContent = text; }

  // The others' figures come one after the other, so that the page stays alive.
  async show(name) {
    let net;
    try {
      net = this.engine.ask("zoo_network", name);
      if (net.nodes > 400) throw new Error(`${name} has ${net.nodes} nodes; 400 are drawn at most`);
    } catch (error) {
      this.say(error.message);
      return;
    }
    this.say("");
    this.net = net;
    this.name = name;
    this.ends = [];
    if (!this.names.includes(name)) this.names.push(name);
    this.drawNetwork();
    this.drawTable();
    this.onChoose(name);
    for (const other of [name, ...this.names]) {
      if (this.figures.has(other)) continue;
      await pause();
      try {
        this.figures.set(other, this.engine.ask("zoo_figures", other));
      } catch (error) {
        this.say(error.message);
        this.figures.set(other, null);
      }
      this.drawTable();
    }
  }

  drawTable() {
    const head = ["network", "nodes", "degree", "links", "diameter", "mean distance", "bisection", "channel bound",
      "routing", "VCs", "deadlock", "latency", "accepted"];
    const rows = this.names.map((name) => {
      const f = this.figures.get(name), r = this.runs.get(name);
      const values = f ? [f.nodes, f.degree, f.links, f.diameter, f.mean_distance.toFixed(2),
        (f.bisection_exact ? "" : "≤ ") + f.bisection, f.saturation.toFixed(2), f.routing, f.vcs,
        f.acyclic ? "free" : "possible"] : Array(10).fill("…");
      values.push(r ? (r.error ? "–" : r.saturated ? "saturated" : r.network_latency_mean.toFixed(1)) : "",
        r && !r.error ? r.accepted.toFixed(3) : "");
      return element("tr", { className: name === this.name ? "chosen" : "" }, element("td", {}, name),
        ...values.map((v) => element("td", {}, v)));
    });
    $("zoo-title").textContent = ZooNames[this.name.split(":")[0]] ?? this.name;
    $("zoo-list").replaceChildren(...this.names.map((name) => element("button", {
      type: "button", className: name === this.name ? "main" : "", onclick: () => this.show(name) }, name)));
    $("zoo-table").replaceChildren(
      element("thead", {}, element("tr", {}, ...head.map((h) => element("th", {}, h)))),
      element("tbody", {}, ...rows));
  }

  async simulate() {
    const form = $("zoo-run");
    const options = { traffic: form.traffic.value, load: Number(form.load.value), cycles: ZooCycles, seed: 1 };
    this.runs.clear();
    for (const name of this.names) {
      this.say(`${name} …`);
      await pause();
      try {
        this.runs.set(name, this.engine.ask("zoo_run", name, JSON.stringify(options)));
      } catch (error) {
        this.runs.set(name, { error: error.message });
      }
      this.drawTable();
    }
    const failed = [...this.runs].filter(([, r]) => r.error).map(([n, r]) => `${n}: ${r.error}`);
    this.say(failed.length ? failed.join("; ")
      : `Latency in cycles and accepted flits/node/cycle, at a load of ${options.load}, ${options.traffic}.`);
  }

  drawNetwork() {
    const { at, links, labels, period } = this.net;
    const xs = at.map((p) => p[0]), ys = at.map((p) => p[1]);
    const left = Math.min(...xs), top = Math.min(...ys);
    const span = Math.max(Math.max(...xs) - left, Math.max(...ys) - top) || 1;
    const S = 700 / span;
    // North of a torus is up, as in the picture of the machine.
    const bottom = Math.max(...ys);
    this.place = at.map(([x, y]) => ({ x: 50 + (x - left) * S, y: 50 + (period[1] > 0 ? bottom - y : y - top) * S }));
    const width = 100 + (Math.max(...xs) - left) * S, height = 100 + (bottom - top) * S;
    const radius = Math.max(4, Math.min(13, 160 / Math.sqrt(at.length)));
    const wrap = { x: period[0] * S, y: period[1] * S };
    const paths = new Map();  // by port
    for (const [from, to, port] of links) {
      const way = this.wayOf(from, to, wrap);
      paths.set(port, (paths.get(port) ?? "") + way);
    }
    const svg = [`<svg viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" role="group" aria-label="${this.name}">`];
    for (const [port, d] of paths)
      svg.push(`<path d="${d}" fill="none" stroke="${ZooColors[(port >> 1) % 8]}" stroke-width="1.4" opacity="0.85"/>`);
    svg.push('<path id="zoo-way" fill="none" stroke="var(--chosen)" stroke-width="5" stroke-linecap="round"/>');
    this.place.forEach((p, n) => {
      svg.push(`<g class="node" data-node="${n}" tabindex="0" role="button" aria-label="node ${labels[n]}">` +
        `<circle cx="${p.x.toFixed(1)}" cy="${p.y.toFixed(1)}" r="${radius}" fill="var(--node)" stroke="var(--edge)"/>`);
      if (radius >= 9 && labels[n].length <= 3)
        svg.push(`<text x="${p.x.toFixed(1)}" y="${(p.y + 3.5).toFixed(1)}" text-anchor="middle" font-size="10" fill="currentColor">${labels[n]}</text>`);
      svg.push("</g>");
    });
    $("zoo-picture").innerHTML = svg.join("") + "</svg>";
    $("zoo-path").textContent = "Choose two nodes to see the path between them.";
    for (const g of $("zoo-picture").querySelectorAll(".node")) {
      g.onclick = () => this.chooseNode(Number(g.dataset.node));
      g.onkeydown = (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        e.stopPropagation();
        this.chooseNode(Number(g.dataset.node));
      };
    }
    this.wrap = wrap;
  }

  // Links across the edge of a torus are stubs at both sides; long ones are bent.
  wayOf(from, to, wrap) {
    const a = this.place[from], b = this.place[to];
    const near = (d, period) => (period && Math.abs(d) > period / 2 ? d - Math.sign(d) * period : d);
    const dx = near(b.x - a.x, wrap.x), dy = near(b.y - a.y, wrap.y);
    const f = (v) => v.toFixed(1);
    if (Math.abs(dx - (b.x - a.x)) > 1 || Math.abs(dy - (b.y - a.y)) > 1) {
      const share = Math.min(0.45, 42 / Math.hypot(dx, dy));
      return `M${f(a.x)} ${f(a.y)}l${f(dx * share)} ${f(dy * share)}M${f(b.x)} ${f(b.y)}l${f(-dx * share)} ${f(-dy * share)}`;
    }
    const length = Math.hypot(dx, dy);
    const bend = length > 110 ? Math.min(40, length * 0.13) : 0;
    return `M${f(a.x)} ${f(a.y)}Q${f((a.x + b.x) / 2 - (bend * dy) / length)} ${f((a.y + b.y) / 2 + (bend * dx) / length)} ${f(b.x)} ${f(b.y)}`;
  }

  chooseNode(node) {
    if (this.ends.length === 2) this.ends = [];
    this.ends.push(node);
    for (const g of $("zoo-picture").querySelectorAll(".node circle")) {
      const chosen = this.ends.includes(Number(g.parentElement.dataset.node));
      g.setAttribute("stroke", chosen ? "var(--chosen)" : "var(--edge)");
      g.setAttribute("stroke-width", chosen ? 3 : 1);
    }
    const label = (n) => this.net.labels[n];
    const way = document.getElementById("zoo-way");
    if (this.ends.length < 2) {
      way.setAttribute("d", "");
      $("zoo-path").textContent = `From node ${label(node)}: choose another one.`;
      return;
    }
    const nodes = this.engine.ask("zoo_path", this.name, this.ends[0], this.ends[1]);
    way.setAttribute("d", nodes.slice(1).map((to, i) => this.wayOf(nodes[i], to, this.wrap)).join(""));
    $("zoo-path").textContent = `${nodes.length - 1} hops: ${nodes.map(label).join(" → ")}`;
  }
}

const pause = () => new Promise((done) => setTimeout(done, 0));
