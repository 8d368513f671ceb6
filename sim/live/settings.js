// SPDX-License-Identifier: MIT
// Settings of the page: in its form, in its address, for the engine and as a command line.

const Defaults = {
  load: 0.3, traffic: "uniform", multicast: 0.05, density: 0.3, acks: true, scheme: "sm",
  flits: "16", seed: 1, warmup: 2000, timeout: 0, sink: false, torus: false,
  cuts: [],  // {node, port, clock}; cycle 0: from the beginning
  trace: "", traceName: "",
  program: "none", args: "",  // one of the programs in the page; empty: arguments of ProgramArguments
  until: 0,  // cycle in which it pauses; 0: none
  speed: 4, view: "machine", net: "rdt:8", theme: "",
};
const Numbers = ["load", "multicast", "density", "seed", "warmup", "timeout", "until", "speed"];
const Largest = { seed: Number.MAX_SAFE_INTEGER, warmup: 1000000, timeout: 65535, speed: 13 };
const Whole = ["seed", "warmup", "timeout", "until", "speed"];
const Flags = ["acks", "sink", "torus"];
const ProgramArguments = { ocean: "16 2", barrier: "3 10", false_sharing: "8 20" };
const LongestTrace = 8192;  // limit for an address

// Register values the program sets for acknowledged multicasts.
const AckedTEnt = 16000;
const AckedTAck = 40000;

const isAcked = (s) => s.acks && s.multicast > 0 && !s.trace && !hasProgram(s);
const hasProgram = (s) => s.program in ProgramArguments;
const argumentsOf = (s) => s.args || ProgramArguments[s.program];

function toHash(s) {
  const parts = [];
  for (const key of Object.keys(Defaults)) {
    if (key === "cuts") {
      const cuts = s.cuts.map((c) => `${c.node}.${PortNames[c.port]}` + (c.clock ? `@${c.clock}` : ""));
      if (cuts.length) parts.push("cut=" + cuts.join(","));
    } else if (key === "trace") {
      if (s.trace && s.trace.length <= LongestTrace) parts.push("trace=" + encodeURIComponent(s.trace));
    } else if (key === "theme" || key === "traceName" || key === "until" || key === "args") {
      if (s[key]) parts.push(`${key}=${encodeURIComponent(s[key])}`);
    } else {
      const value = Flags.includes(key) ? Number(s[key]) : s[key];
      parts.push(`${key}=${encodeURIComponent(value)}`);
    }
  }
  return "#" + parts.join("&").replaceAll("%3A", ":").replaceAll("%2C", ",");
}

// Unknown words and values that are none are left out; what is left out is as by default.
function fromHash(hash) {
  const s = structuredClone(Defaults);
  const words = new Map();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, ...rest] = part.split("=");
    try {
      words.set(key, decodeURIComponent(rest.join("=")));
    } catch {
      // Not an address of this page.
    }
  }
  for (const [key, value] of words) {
    if (Numbers.includes(key)) {
      const number = Number(value);
      if (value !== "" && Number.isFinite(number) && number >= 0) s[key] = Math.min(number, Largest[key] ?? Infinity);
    } else if (Flags.includes(key)) {
      s[key] = value === "1" || value === "true";
    } else if (key === "cut") {
      s.cuts = value.split(",").map(parseCut).filter((c) => c !== null);
    } else if (key in Defaults && key !== "cuts") {
      s[key] = value;
    }
  }
  for (const key of Whole) s[key] = Math.floor(s[key]);
  return { settings: s, words };
}

function parseCut(text) {
  const match = /^(\d+)\.([EWNS][01])(?:@(\d+))?$/.exec(text);
  if (match === null || Number(match[1]) > 63) return null;
  return { node: Number(match[1]), port: PortNames.indexOf(match[2]), clock: Number(match[3] ?? 0) };
}

function flitsOf(text) {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text.trim());
  if (match === null) throw new Error("flits are a number or a range as 5-16");
  return [Number(match[1]), Number(match[2] ?? match[1])];
}

function forEngine(s, cycles, programs) {
  const [least, most] = flitsOf(s.flits);
  const some = s.multicast > 0;  // settings of multicasts only
  const all = {
    load: s.load, traffic: s.traffic, multicast: s.multicast, density: some ? s.density : 1,
    acks: isAcked(s), scheme: some ? s.scheme : "sm", flits_min: least, flits_max: most, seed: s.seed, warmup: s.warmup,
    timeout: s.timeout, sink: s.sink, torus: s.torus, t_ent: isAcked(s) ? AckedTEnt : 0,
    t_ack: isAcked(s) ? AckedTAck : 0, cuts: s.cuts, trace: s.trace, trace_name: s.traceName || "trace",
    program: [], program_name: s.program, arguments: "",
  };
  if (hasProgram(s)) Object.assign(all, { program: programs[s.program], arguments: argumentsOf(s), trace: "" });
  if (cycles !== undefined) all.cycles = cycles;
  return all;
}

// The command line that gives the figures of this many measured cycles; null if links were cut
// while the machine ran.
function commandOf(s, cycles) {
  if (s.cuts.some((c) => c.clock !== 0)) return null;
  const words = [hasProgram(s) ? "rdt exec" : "rdt run"];
  if (hasProgram(s)) {
    words.push(`examples/program/${s.program}.elf --args "${argumentsOf(s)}"`);
    if (s.torus) words.push("--directory exact");
  } else if (s.trace) {
    words.push("--trace " + (s.traceName || "FILE"));
  } else {
    words.push(`--load ${s.load}`, `--traffic ${s.traffic}`);
    if (s.flits !== "16") words.push(`--flits ${s.flits}`);
    if (s.multicast > 0) {
      words.push(`--multicast ${s.multicast}`, `--density ${s.density}`);
      if (s.scheme !== "sm") words.push(`--scheme ${s.scheme}`);
      if (s.acks) words.push(`--acks --t-ent ${AckedTEnt} --t-ack ${AckedTAck}`);
    }
    words.push(`--warmup ${s.warmup}`, `--cycles ${cycles}`);
  }
  words.push(`--seed ${s.seed}`);
  if (s.timeout > 0) words.push(`--timeout ${s.timeout}`);
  if (s.sink) words.push("--sink");
  if (s.torus) words.push("--torus");
  for (const c of s.cuts) words.push(`--cut ${c.node}.${PortNames[c.port]}`);
  return words.join(" ");
}
