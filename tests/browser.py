"""A page in headless Chromium over its debugging protocol: what it computes, asks for and complains of."""

import asyncio
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tornado.websocket import WebSocketClientConnection, websocket_connect

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
COMPUTED = "document.body !== null && document.body.dataset.ready === 'yes'"  # as the explorer says it
LOADED = "document.readyState === 'complete'"
COMPLAINTS = ("Runtime.exceptionThrown", "Log.entryAdded")


class Page:
    """One tab, of a given size in pixels; `events` is everything that the browser reported."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self.socket, self.events, self.calls = socket, [], 0

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to one command of the protocol."""
        self.calls += 1
        await self.socket.write_message(json.dumps({"id": self.calls, "method": method, "params": parameters}))
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.read_message(), 120))
            if message.get("id") == self.calls:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            self.events.append(message)

    async def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited."""
        found = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    async def wait_for(self, condition: str) -> None:
        """Until a JavaScript condition holds; a minute at most."""
        for _ in range(600):
            if await self.evaluate(condition):
                return
            await asyncio.sleep(0.1)
        raise TimeoutError(condition)

    async def press(self, key: str, code: int) -> None:
        """Press and release a key, as a hand would."""
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    @property
    def complaints(self) -> list[dict[str, Any]]:
        """Exceptions, and whatever stands in the console as a warning or an error."""
        loud = [e for e in self.events if e["method"] == "Runtime.consoleAPICalled" and e["params"]["type"] != "log"]
        return loud + [event for event in self.events if event["method"] in COMPLAINTS]

    @property
    def requests(self) -> list[str]:
        """Addresses that the page asked for."""
        sent = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]


@contextmanager
def chromium(profile: Path) -> Iterator[str]:
    """A headless browser with an empty profile, as the address at which it listens."""
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    arguments = [CHROMIUM, *options, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{_port(profile)}"
    finally:
        process.terminate()
        process.wait()


def _port(profile: Path) -> str:
    """The port of a browser that is starting."""
    told = profile / "DevToolsActivePort"
    for _ in range(600):
        if told.exists() and told.read_text().count("\n"):
            return told.read_text().split()[0]
        time.sleep(0.1)
    raise TimeoutError("the browser did not start")


def visit(browser: str, page: Path, steps: Any, width: int = 1300, height: int = 1000, ready: str = COMPUTED) -> Any:
    """Open a file in a tab of its own, await `ready` and `steps(tab)`, and return what the steps return."""

    async def session() -> Any:
        with urlopen(Request(f"{browser}/json/new", method="PUT")) as answer:
            address = json.load(answer)["webSocketDebuggerUrl"]
        socket = await websocket_connect(address, max_message_size=2**28)
        tab = Page(socket)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        try:
            for domain in ("Page", "Runtime", "Log", "Network"):
                await tab.call(f"{domain}.enable")
            await tab.call("Emulation.setDeviceMetricsOverride", **size)
            await tab.call("Page.navigate", url=page.resolve().as_uri())
            await tab.wait_for(ready)
            return await steps(tab)
        finally:
            await tab.call("Page.close")
            while await socket.read_message() is not None:  # until the browser has closed its end
                pass
            socket.close()

    return asyncio.run(session())
