"""A headless Chromium, controlled over a pair of pipes (the DevTools protocol)."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-default-browser-check",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
         "--disable-dev-shm-usage", "--mute-audio", "--metrics-recording-only", "--password-store=basic",
         "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider",
         "--remote-debugging-pipe"]


def find():
    """The path of a Chromium, or None."""
    return next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)


class Failed(Exception):
    pass


class Browser:
    def __init__(self, patience=60):
        self.patience = patience
        self.home = tempfile.mkdtemp(prefix="simul-html-")
        to_read, self.to = os.pipe()
        self.fro, from_write = os.pipe()

        def pipes():  # the browser reads commands from 3 and writes to 4
            a, b = os.dup(to_read), os.dup(from_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.log = open(os.path.join(self.home, "log"), "wb")
        env = dict(os.environ, HOME=self.home, XDG_RUNTIME_DIR=self.home)
        self.process = subprocess.Popen([find()] + FLAGS + ["--user-data-dir=" + self.home, "about:blank"], env=env,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, close_fds=False,
                                        preexec_fn=pipes, start_new_session=True)
        os.close(to_read)
        os.close(from_write)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.fro], [], [], left)[0]:
                raise Failed("the browser did not answer in time")
            got = os.read(self.fro, 1 << 16)
            if not got:
                raise Failed("the browser ended: " + self.last_words())
            self.buffer += got
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def last_words(self):
        with open(os.path.join(self.home, "log"), "rb") as f:
            return f.read()[-2000:].decode(errors="replace")

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        deadline = time.monotonic() + self.patience
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed(method + ": " + answer["error"]["message"])
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, url):
        """Loads a page; returns the seconds until it has drawn its selected step."""
        self.events = []
        start = time.monotonic()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href.startsWith('file:')")
        self.frame()
        return time.monotonic() - start

    def frame(self):
        """Waits until the screen shows the last action."""
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failed(expression + ": " + json.dumps(result["exceptionDetails"])[:1000])
        return result["result"].get("value")

    def wait(self, condition):
        deadline = time.monotonic() + self.patience
        while not self.js(condition):
            if time.monotonic() > deadline:
                raise Failed("never became true: " + condition)
            time.sleep(0.02)

    def key(self, key, shift=False):
        """Presses a key as a user does."""
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        common = {"key": key, "modifiers": 8 if shift else 0}
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "PageDown": 34, "Tab": 9}
        if key in codes:
            common["windowsVirtualKeyCode"] = codes[key]
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.frame()

    def click(self, selector):
        """Clicks with the mouse in the middle of an element."""
        box = self.js("(() => { const e = document.querySelector(%s); e.scrollIntoView({ block: 'nearest' }); const b = e.getBoundingClientRect();"
                      "return [b.x + b.width / 2, b.y + b.height / 2]; })()" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.frame()

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.frame()

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        """Returns the errors of the page (exceptions, refused resources), and every address that it requested."""
        said, asked = [], []
        for e in self.events:
            p = e.get("params", {})
            if e["method"] == "Runtime.exceptionThrown":
                said.append("exception: " + json.dumps(p["exceptionDetails"])[:600])
            elif e["method"] == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                said.append(p["entry"]["text"])
            elif e["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                said.append("console: " + json.dumps(p["args"])[:600])
            elif e["method"] == "Page.javascriptDialogOpening":
                said.append("a dialog was opened: " + p["message"])
            elif e["method"] == "Network.requestWillBeSent":
                asked.append(p["request"]["url"])
        return said, asked

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (Failed, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.to)
        os.close(self.fro)
        self.log.close()
        shutil.rmtree(self.home, ignore_errors=True)
