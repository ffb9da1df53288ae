"""Opens a notebook in JupyterLab, in Chromium without a window, runs it and takes a picture.

    python python/tests/lab.py lecture lab.png

It needs `jupyterlab`, `websocket-client` and Chromium, which the variable CHROMIUM may name.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import conftest
import websocket

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
# Waits until the kernel has answered all cells, and counts what is on the page.
RUN = """
(async () => {
  const app = window.jupyterapp;
  await app.restored;
  while (!app.shell.currentWidget?.sessionContext) await new Promise(done => setTimeout(done, 100));
  const panel = app.shell.currentWidget;
  await panel.revealed;
  await panel.sessionContext.ready;
  await app.commands.execute('notebook:clear-all-cell-outputs');
  await app.commands.execute('notebook:run-all-cells');
  const count = selector => panel.node.querySelectorAll(selector).length;
  return JSON.stringify({
    tables: count('.jp-OutputArea-output table[style]'),
    pictures: count('.jp-RenderedSVG img'),
    formulas: count('.jp-RenderedLatex mjx-container'),
    errors: count('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]'),
  });
})()
"""


class Browser:
    """A page of Chromium, driven by the DevTools protocol."""

    def __init__(self, port: int) -> None:
        pages = json.loads(wait_for(f"http://127.0.0.1:{port}/json/list"))
        page = next(page for page in pages if page["type"] == "page")
        address = page["webSocketDebuggerUrl"]
        self._socket = websocket.create_connection(address, timeout=120, suppress_origin=True)
        self._numbers = itertools.count(1)

    def call(self, method: str, **parameters):
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                return answer["result"]

    def evaluate(self, script: str):
        options = {"awaitPromise": True, "returnByValue": True}
        answer = self.call("Runtime.evaluate", expression=script, **options)
        return answer["result"].get("value")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(address: str) -> bytes:
    for _ in range(300):
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
            return answer.read()
        time.sleep(0.1)
    raise SystemExit(f"nobody answers at {address}")


@contextlib.contextmanager
def running(*command: str):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def lab(folder: str, port: int):
    options = [f"--ServerApp.port={port}", f"--ServerApp.root_dir={folder}", "--no-browser"]
    open_to_all = ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    # The workspace of the person who tests stays as it is, and its notebooks are not opened.
    alone = ["--allow-root", f"--LabApp.workspaces_dir={folder}/.workspaces"]
    return running(sys.executable, "-m", "jupyterlab", *options, *open_to_all, *alone)


def chromium(folder: str, port: int):
    options = [f"--remote-debugging-port={port}", f"--user-data-dir={folder}", "--no-sandbox"]
    return running(CHROMIUM, "--headless=new", "--window-size=1200,2600", *options, "about:blank")


def main(name: str, picture: str) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        shutil.copytree(conftest.ROOT / "examples/notebooks", folder, dirs_exist_ok=True)
        lab_port, browser_port = free_port(), free_port()
        with lab(folder, lab_port), chromium(profile, browser_port):
            wait_for(f"http://127.0.0.1:{lab_port}/lab")
            browser = Browser(browser_port)
            # Commands of JupyterLab act on the notebook that has the focus.
            browser.call("Emulation.setFocusEmulationEnabled", enabled=True)
            browser.call("Page.navigate", url=f"http://127.0.0.1:{lab_port}/lab/tree/{name}.ipynb")
            while not browser.evaluate("Boolean(window.jupyterapp)"):
                time.sleep(0.2)
            print(browser.evaluate(RUN))
            time.sleep(2)
            shot = browser.call("Page.captureScreenshot")
            Path(picture).write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main(*sys.argv[1:3])
