// SPDX-License-Identifier: MIT
// #selftest&load=0.3&cycles=20000...: a whole run with these settings, and its result as JSON in
// the page.

async function selfTest(engine, { settings, words }) {
  const box = $("selftest");
  box.hidden = false;
  delete box.dataset.done;
  box.textContent = "…";
  await pause();
  const answer = { hash: location.hash };
  try {
    const cycles = Number(words.get("cycles") ?? 20000);
    engine.start(settings, settings.trace || hasProgram(settings) ? undefined : cycles);
    const begin = performance.now();
    let clocks = 0;
    while (!engine.over) {
      clocks += engine.step(500);
      await pause();
    }
    const seconds = (performance.now() - begin) / 1000;
    answer.command = commandOf(settings, cycles);
    answer.result = engine.result(true);
    answer.seconds = seconds;
    answer.browser_cycles_per_second = clocks / seconds;
  } catch (error) {
    answer.error = error.message;
  }
  box.textContent = JSON.stringify(answer);
  box.dataset.done = location.hash;
}
