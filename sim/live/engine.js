// SPDX-License-Identifier: MIT
// The compiled engine as the rest of the page calls it.

const $ = (id) => document.getElementById(id);

const Senders = 12;       // per node: ten ports, two MBPs
const WordsOfSender = 3;  // flags, packet + 1, flits so far
const PortNames = ["E0", "W0", "N0", "S0", "E1", "W1", "N1", "S1", "M0", "M1", "Local"];
const NetworkPorts = 8;
const Vcs = [3, 3, 2, 2, 2, 2, 2, 2, 1, 1];  // buffers of a port: 20 in all

class Engine {
  constructor(module, programs) {
    this.module = module;
    this.programs = programs;  // ELF files by name, as arrays of bytes
  }
  // The engine and the programs that inline.py embedded in the page.
  static async load() {
    const unpack = (text) => {
      const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      return new Response(stream).arrayBuffer();
    };
    const programs = {};
    for (const [name, text] of Object.entries(JSON.parse($("programs").textContent)))
      programs[name] = Array.from(new Uint8Array(await unpack(text)));
    return new Engine(await makeEngine({ wasmBinary: await unpack($("engine").textContent) }), programs);
  }

  // Calls a function whose arguments are numbers and texts, and which answers in JSON.
  ask(name, ...args) {
    const m = this.module;
    const texts = [];
    const values = args.map((a) => {
      if (typeof a !== "string") return a;
      const bytes = m.lengthBytesUTF8(a) + 1;
      const at = m._malloc(bytes);
      m.stringToUTF8(a, at, bytes);
      texts.push(at);
      return at;
    });
    const answer = JSON.parse(m.UTF8ToString(m["_" + name](...values)));
    texts.forEach((at) => m._free(at));
    if (answer && answer.error && Object.keys(answer).length === 1) throw new Error(answer.error);
    return answer;
  }

  start(settings, cycles) {
    return this.ask("live_start", JSON.stringify(forEngine(settings, cycles, this.programs)));
  }
  step(clocks) {
    const done = this.module._live_step(clocks) >>> 0;
    if (done === 0xffffffff) throw new Error(this.module.UTF8ToString(this.module._live_error()));
    return done;
  }
  get now() { return this.module._live_now(); }
  get over() { return this.module._live_over() !== 0; }
  cut(node, port) { this.module._live_cut(node, port); }
  result(all = false) { return this.ask("live_result", all ? 1 : 0); }
  node(n) { return this.ask("live_node", n); }
  packet(number) { return this.ask("live_packet", number); }

  // Views of the engine's memory; good until its next call.
  flits(nodes) {
    const at = this.module._live_flits() >>> 2;
    return this.module.HEAPU32.subarray(at, at + nodes * Senders * WordsOfSender);
  }
  nodes(nodes) {
    const at = this.module._live_nodes() >>> 2;
    return this.module.HEAPU32.subarray(at, at + nodes * 2);
  }
}
