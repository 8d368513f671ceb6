// SPDX-License-Identifier: MIT
// Joins the views, the settings, the keys and the address.

async function main() {
  const engine = await Engine.load();
  let { settings, words } = fromHash(location.hash);
  if (words.has("selftest")) {
    window.addEventListener("hashchange", () => selfTest(engine, fromHash(location.hash)));
    selfTest(engine, { settings, words });
    return;
  }
  const form = $("settings");
  const machine = new MachineView(engine, settings, writeHash);
  const zoo = new ZooView(engine, (name) => {
    settings.net = name;
    writeHash();
  });

  for (const [name, about] of engine.ask("live_patterns"))
    for (const select of [form.traffic, $("zoo-run").traffic])
      select.append(element("option", { value: name, title: about }, name));

  function writeHash() {
    history.replaceState(null, "", toHash(settings));
  }
  function setTheme() {
    const dark = settings.theme ? settings.theme === "dark"
      : window.matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    if (machine.map.shape) machine.map.readColors();
    machine.redraw();
  }

  function fillForm() {
    for (const field of form.elements) {
      if (!(field.name in Defaults)) continue;
      if (field.type === "checkbox") field.checked = settings[field.name];
      else field.value = settings[field.name];
      const output = field.parentElement.querySelector("output");
      if (output) output.textContent = Number(settings[field.name]).toFixed(2);
    }
    // A pattern that the list has not, as hotspot:0.25.
    if (form.traffic.value !== settings.traffic)
      form.traffic.append(element("option", { selected: true, value: settings.traffic }, settings.traffic));
    $("about-traffic").textContent = form.traffic.selectedOptions[0]?.title ?? "";
    $("speed").value = settings.speed;
    showSpeed();
    $("no-trace").hidden = !settings.trace;
    $("mend").hidden = settings.cuts.length === 0;
    $("trace-name").textContent = settings.trace
      ? `Runs ${settings.traceName}` + (settings.trace.length > LongestTrace ? "; too long to go into a link" : "")
      : settings.traceName ? `The trace ${settings.traceName} is not in this link: drop it here` : "or drop one on the page";
  }
  function showSpeed() {
    const speed = Speeds[settings.speed];
    $("speed-text").textContent = speed === Infinity ? "all it can" : `${speed.toLocaleString("en")} cycles/s`;
  }
  function setSpeed(index) {
    settings.speed = Math.max(0, Math.min(Speeds.length - 1, Math.round(index)));
    $("speed").value = settings.speed;
    showSpeed();
    writeHash();
  }

  // A changed control takes effect at the next restart, which follows when no more controls change.
  let timer = 0;
  form.oninput = (e) => {
    const field = e.target;
    if (!(field.name in Defaults) || !field.checkValidity() || field.value === "") return;
    settings[field.name] = field.type === "checkbox" ? field.checked
      : Numbers.includes(field.name) ? Number(field.value) : field.value;
    fillForm();
    writeHash();
    clearTimeout(timer);
    timer = setTimeout(restart, 250);
  };
  form.onsubmit = (e) => e.preventDefault();
  function restart() {
    const goes = machine.running;
    machine.restart();
    machine.run(goes);
  }

  function setView(view) {
    settings.view = ["machine", "zoo", "help"].includes(view) ? view : "machine";
    for (const name of ["machine", "zoo", "help"]) {
      $(name).hidden = name !== settings.view;
      $("tab-" + name).setAttribute("aria-selected", name === settings.view);
    }
    if (settings.view === "zoo" && !zoo.name) zoo.show(settings.net);
    if (settings.view === "machine" && machine.ready) {
      machine.map.resize();
      machine.redraw();
    }
    writeHash();
  }
  for (const name of ["machine", "zoo", "help"]) $("tab-" + name).onclick = () => setView(name);

  function useTrace(name, text) {
    settings.trace = text;
    settings.traceName = name;
    fillForm();
    writeHash();
    if (machine.restart() && text) machine.run(true);
  }
  async function openFile(file) {
    if (file) useTrace(file.name, await file.text());
  }
  $("open-trace").onclick = () => $("trace-file").click();
  $("trace-file").onchange = (e) => openFile(e.target.files[0]);
  $("no-trace").onclick = () => useTrace("", "");
  $("mend").onclick = () => {
    settings.cuts.length = 0;
    fillForm();
    writeHash();
    restart();
  };
  window.ondragover = (e) => {
    e.preventDefault();
    $("drop").hidden = false;
  };
  window.ondragleave = (e) => {
    if (e.relatedTarget === null) $("drop").hidden = true;
  };
  window.ondrop = (e) => {
    e.preventDefault();
    $("drop").hidden = true;
    openFile(e.dataTransfer.files[0]);
  };

  async function copy(text, button) {
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      window.prompt("Copy this:", text);
    }
    setTimeout(() => (button.textContent = before), 1200);
  }
  $("copy-link").onclick = () => {
    writeHash();
    copy(location.href, $("copy-link"));
  };
  $("copy-command").onclick = () => copy($("command").textContent, $("copy-command"));
  $("theme").onclick = () => {
    settings.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    writeHash();
    setTheme();
  };
  $("run").onclick = () => machine.run(!machine.running);
  $("step").onclick = () => machine.step();
  $("restart").onclick = restart;
  $("speed").oninput = (e) => setSpeed(Number(e.target.value));

  $("map").onclick = (e) => {
    const box = $("map").getBoundingClientRect();
    machine.choose(machine.map.whatIsAt(e.clientX - box.left, e.clientY - box.top));
  };
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const keys = {
    " ": () => machine.run(!machine.running), ".": () => machine.step(), r: restart,
    "+": () => setSpeed(settings.speed + 1), "-": () => setSpeed(settings.speed - 1),
    x: () => machine.chosen.link && machine.cut(machine.chosen.link.node, machine.chosen.link.port),
    p: () => machine.nextPacket(), Escape: () => machine.choose({}),
  };
  window.onkeydown = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target.closest("input, select, textarea, summary");
    const pressing = e.target.closest("button, [role=button]") && (e.key === " " || e.key === "Enter");
    if (typing || pressing) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (key === "l" || key === "t") {
      $(key === "l" ? "copy-link" : "theme").click();
    } else if (settings.view !== "machine") {
      return;
    } else if (key in arrows && e.target === $("map")) {
      machine.move(...arrows[key]);
    } else if (key >= "1" && key <= "8" && key.length === 1) {
      const node = machine.chosen.node ?? machine.chosen.link?.node;
      if (node === undefined) return;
      machine.choose({ link: { node, port: Number(key) - 1 } });
    } else if (key in keys) {
      keys[key]();
    } else {
      return;
    }
    e.preventDefault();
  };

  window.onresize = () => {
    if (machine.ready && settings.view === "machine") {
      machine.map.resize();
      machine.redraw();
    }
  };
  window.matchMedia("(prefers-color-scheme: dark)").onchange = setTheme;
  window.onhashchange = () => {
    const next = fromHash(location.hash);
    if (next.words.has("selftest")) return location.reload();
    Object.assign(settings, next.settings);
    begin();
  };

  function begin() {
    fillForm();
    setTheme();
    const fine = machine.restart();
    setView(settings.view);
    if (settings.view === "zoo" && zoo.name !== settings.net) zoo.show(settings.net);
    if (settings.traceName && !settings.trace)
      machine.say(`This link was made with the trace ${settings.traceName}, which is too long for it: drop it on the page.`);
    machine.run(fine && !words.has("pause"));
  }
  begin();
  document.documentElement.dataset.ready = "1";
}

main().catch((error) => {
  $("message").textContent = `The page does not work here: ${error.message}`;
  $("message").className = "error";
  console.error(error);
});
