# SPDX-License-Identifier: MIT
"""A headless Chromium that is driven through a pipe (DevTools protocol), and all requests and errors of a page."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class BrowserError(Exception):
    pass


class Browser:
    """One page of one browser. Use with `with`."""

    def __init__(self, program="chromium"):
        self.requests = []  # addresses, but the page's own and data:
        self.complaints = []  # errors and warnings on the console, exceptions
        self._events = []
        self._number = 0
        self._rest = b""
        self._profile = tempfile.mkdtemp(prefix="rdt-chromium-")
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()

        def hand_over():
            # The browser reads from 3 and writes to 4; the ends may have these numbers already.
            reads, writes = os.dup(to_child), os.dup(from_child)
            high_reads, high_writes = max(reads, 20), max(writes, 21)
            os.dup2(reads, high_reads)
            os.dup2(writes, high_writes)
            os.dup2(high_reads, 3)
            os.dup2(high_writes, 4)

        self._process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile}", "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        target = self.call("Target.createTarget", url="about:blank", session=None)["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True,
                                  session=None)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Performance"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", session=None)
            self._process.wait(timeout=20)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method, session="page", timeout=120, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self._next(end)
            if answer.get("id") != self._number:
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def _next(self, end):
        while b"\0" not in self._rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise BrowserError("the browser does not answer")
            more = os.read(self._read, 1 << 20)
            if not more:
                raise BrowserError("the browser has ended")
            self._rest += more
        text, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, p):
        if method == "Network.requestWillBeSent":
            url = p["request"]["url"]
            if not url.startswith(("data:", "file:", "blob:", "about:")):
                self.requests.append(url)
        elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
        elif method == "Runtime.exceptionThrown":
            details = p["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            self.complaints.append(p["entry"]["text"])

    def open(self, url):
        self.call("Page.navigate", url=url)

    def evaluate(self, expression, timeout=120):
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", timeout=timeout, expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, timeout=120):
        """Until the expression is true."""
        end = time.monotonic() + timeout
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise BrowserError(f"never became true: {expression}")
            select.select([], [], [], 0.05)
        return value

    def cpu_seconds(self):
        """Memory of the process of the page."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "ProcessTime")

    def resize(self, width, height, phone=False, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **(text if kind == "keyDown" else {}))

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
