// SPDX-License-Identifier: MIT
// The first view: runs the machine at the selected speed and shows it.

// Cycles per second; the last is as many as go.
const Speeds = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, Infinity];
const Budget = 20;         // milliseconds of a frame for the engine
const ShowEvery = 200;     // milliseconds between figures
const SmoothSpeed = 25;    // cycles per second up to which flits glide

class MachineView {
  constructor(engine, settings, onChange) {
    this.engine = engine;
    this.settings = settings;
    this.onChange = onChange;  // called after a settings change, to update the address
    this.map = new MachineMap($("map"));
    this.inspector = new Inspector($("inspect"), (what) => this.choose(what), (n, p) => this.cut(n, p));
    this.running = false;
    this.chosen = {};
    this.ready = false;
    this.owed = 0;  // cycles, with a part of one
    this.lastFrame = 0;
    this.lastShown = 0;
    this.rate = 0;
    requestAnimationFrame((t) => this.frame(t));
  }

  // From reset; the warm-up is over before anything is drawn.
  restart() {
    let shape;
    try {
      shape = this.engine.start(this.settings);
      this.ready = true;
      this.map.begin(shape.neighbors);
      this.neighbors = shape.neighbors;
      if (!this.settings.trace && !hasProgram(this.settings)) this.engine.step(this.settings.warmup);
      this.first = this.engine.now;
      this.map.lastClock = this.first;
      this.map.before.set(this.counts());
      this.say("");
    } catch (error) {
      this.fail(error);
      return false;
    }
    this.chosen = this.chosen.node !== undefined || this.chosen.link ? this.chosen : {};
    this.owed = 0;
    this.redraw();
    return true;
  }
  counts() {
    const flits = this.engine.flits(NumNodes);
    return Uint32Array.from({ length: NumNodes * Senders }, (_, i) => flits[i * WordsOfSender + 2]);
  }
  fail(error) {
    this.run(false);
    this.say(error.message, true);
  }
  say(text, isError = false) {
    $("message").textContent = text;
    $("message").className = isError ? "error" : "";
  }

  run(on) {
    this.running = on && this.ready && !this.engine.over;
    $("run").textContent = this.running ? "Pause" : "Run";
    this.lastFrame = 0;
    if (!this.running) this.redraw();
  }
  step(clocks = 1) {
    if (!this.ready) return;
    this.run(false);
    this.advance(clocks);
    this.owed = 0;
    this.redraw();
  }
  // Returns the cycles that were done.
  advance(clocks) {
    try {
      const done = this.engine.step(clocks);
      if (this.engine.over) {
        this.run(false);
        const r = this.engine.result();
        this.say(r.error || (r.program ? `The program has printed: ${r.program.console}` : r.in_flight === 0 ? "Everything has arrived." : `The run is over; ${r.in_flight} packets did not arrive.`),
          r.error !== "");
      }
      return done;
    } catch (error) {
      this.fail(error);
      return 0;
    }
  }

  frame(time) {
    requestAnimationFrame((t) => this.frame(t));
    if (!this.ready || document.hidden || $("machine").hidden) return;
    if (this.running) {
      const passed = this.lastFrame ? Math.min(100, time - this.lastFrame) : 0;
      this.lastFrame = time;
      this.runFor(passed);
      this.draw();
      if (time - this.lastShown > ShowEvery) this.show(time);
    }
  }
  runFor(milliseconds) {
    const speed = Speeds[this.settings.speed];
    if (milliseconds > 0) this.owed = Math.min(this.owed + (speed * milliseconds) / 1000, 1e6);
    const begin = performance.now();
    let done = 0;
    while (this.running && this.owed >= 1 && performance.now() - begin < Budget) {
      const left = this.settings.until > this.engine.now ? this.settings.until - this.engine.now : Infinity;
      const some = Math.min(Math.floor(this.owed), 16, left);
      done += this.advance(some);
      this.owed -= some;
      if (some === left) this.run(false);
    }
    if (this.owed > 1) this.owed = this.owed % 1;  // the machine is slower than that
    if (milliseconds > 0) this.rate += 0.1 * ((1000 * done) / milliseconds - this.rate);
  }

  view() {
    const nodes = this.engine.nodes(NumNodes);
    const glides = this.running && Speeds[this.settings.speed] <= SmoothSpeed;
    return {
      flits: this.engine.flits(NumNodes), nodes, clock: this.engine.now,
      share: glides ? 0.12 + 0.76 * this.owed : 0.5,
      isDown: (node, port) => ((nodes[2 * node + 1] >>> port) & 1) !== 0 || this.isCut(node, port),
      node: this.chosen.node, link: this.chosen.link, packet: this.chosen.packet ?? -1, way: this.way,
    };
  }
  // A chip detects when something that it sent is not answered; the eye sees it at once.
  isCut(node, port) {
    const end = this.map.shape.link(node, port)?.link;
    return end !== undefined && this.settings.cuts.some((c) => {
      const other = this.map.shape.link(c.node, c.port)?.link;
      return other === end && c.clock <= this.engine.now;
    });
  }
  draw() {
    this.way = this.chosen.packet === undefined ? null : this.engine.packet(this.chosen.packet);
    this.map.draw(this.view());
    $("clock").textContent = this.engine.now.toLocaleString("en");
  }
  redraw() {
    if (!this.ready) return;
    this.draw();
    this.show(performance.now());
  }

  show(time) {
    this.lastShown = time;
    const r = this.engine.result();
    const number = (v) => v.toLocaleString("en");
    const fixed = (v, digits) => v === null ? "–" : v.toFixed(digits);  // null: nothing was measured yet
    const multicasts = r.multicasts > 0 ? [["multicasts, copies", `${number(r.multicasts)}, ${number(r.multicast_copies)}`],
      ["until the last copy", fixed(r.multicast_latency.mean, 1)]] : [];
    const acks = r.acks > 0 ? [["acks, round trip", `${number(r.acks)}, ${fixed(r.ack_latency.mean, 1)}`]] : [];
    const program = r.program ? [["instructions", number(r.program.instructions)],
      ["misses of shared data", number(r.program.misses)]] : [];
    const cuts = this.settings.cuts.length;
    const faults = cuts > 0 ? [["links cut, found down", `${cuts}, ${r.links_down}`]] : [];
    $("figures").replaceChildren(...columns([
      ["cycles measured", number(r.cycles_measured)],
      ...program,
      ["packets injected, delivered", `${number(r.injected)}, ${number(r.delivered)}`],
      ["in flight or queued", number(r.in_flight)],
      ["throughput", `${fixed(r.accepted, 3)} of ${fixed(r.offered, 3)}`],
      ["mean latency of unicasts", fixed(r.latency.mean, 2)],
      ["median, 99 %", `${r.latency.median ?? "–"}, ${r.latency.p99 ?? "–"}`],
      ["mean hops", fixed(r.hops_mean, 3)],
      ...multicasts, ...acks, ...faults,
      ["link utilization, rank 0, upper", `${fixed(r.link_utilization_rank0, 3)}, ${fixed(r.link_utilization_upper, 3)}`],
      ["cycles per second", this.running ? number(Math.round(this.rate)) : "–"],
    ]));
    $("command").textContent = commandOf(this.settings, r.cycles_measured) ??
      "None: links were cut while the machine ran. The link of this page does the same again.";
    this.inspect();
  }
  inspect() {
    const { node, packet, link } = this.chosen;
    if (node !== undefined) this.inspector.node(this.engine.node(node));
    else if (packet !== undefined) this.inspector.packet(this.engine.packet(packet), this.engine.now);
    else if (link) {
      const v = this.view();
      const end = this.map.shape.link(link.node, link.port)?.link;
      this.inspector.link(link.node, link.port, this.neighbors,
        v.isDown(link.node, link.port), end ? this.map.useOf(end) : 0);
    } else this.inspector.nothing();
  }

  choose(what) {
    // A link is known by its first end.
    const end = what.link && this.map.shape.link(what.link.node, what.link.port)?.link;
    this.chosen = what.link ? (end ? { link: { node: end.node, port: end.port } } : {}) : what;
    this.redraw();
  }
  cut(node, port) {
    const end = this.map.shape.link(node, port)?.link;
    if (!end || this.isCut(node, port)) return;
    const clock = this.engine.now;
    this.engine.cut(node, port);
    this.settings.cuts.push({ node: end.node, port: end.port, clock });
    this.onChange();
    this.say(`Link ${node}.${PortNames[port]} was cut in cycle ${clock.toLocaleString("en")}. “Mend” starts again with all links.`);
    $("mend").hidden = false;
    this.redraw();
  }

  // The next packet that a buffer of the chosen chip holds, or that is on any link, or anywhere.
  nextPacket() {
    const flits = this.engine.flits(NumNodes);
    const node = this.chosen.node;
    const found = new Set();
    const addFrom = (n) => {
      for (const b of this.engine.node(n).buffers) if (b.packet !== null) found.add(b.packet);
    };
    if (node !== undefined) addFrom(node);
    if (found.size === 0)
      for (let i = 0; i < NumNodes * Senders; ++i)
        if (flits[i * WordsOfSender] && flits[i * WordsOfSender + 1]) found.add(flits[i * WordsOfSender + 1] - 1);
    for (let n = 0; found.size === 0 && n < NumNodes; ++n) addFrom(n);
    const numbers = [...found].sort((a, b) => a - b);
    const next = numbers.find((n) => n > (this.chosen.packet ?? -1)) ?? numbers[0];
    if (next !== undefined) this.choose({ packet: next });
  }
  move(dx, dy) {
    const node = this.chosen.node ?? this.chosen.link?.node ?? 0;
    const x = ((node % Side) + dx + Side) % Side, y = (Math.floor(node / Side) + dy + Side) % Side;
    this.choose({ node: x + Side * y });
  }
}
