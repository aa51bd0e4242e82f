"""Starts a real Chromium with an extension and drives it over the DevTools protocol; it asks nothing of the system.

Reading order: `Browser` is the process and its one socket, `Session` is an attached target, `Tab` is the session of a
page. A session that is attached to a service worker keeps that worker alive: detach before expecting it to sleep.
"""

import asyncio
import base64
import contextlib
import itertools
import json
import os
import shutil
import signal
import tempfile
from asyncio.subprocess import DEVNULL, Process, create_subprocess_exec
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import aiohttp

from gasoline_bridge.installed import extension_id

BOUND_S: Final = 30.0
"""The longest that anything here waits for the browser."""

POLL_S: Final = (0.01, 0.05)
"""The pauses between looks at a state that Chrome announces by no event: the first, and those of a long wait."""

NO_SANDBOX: Final = "--no-sandbox"
"""Pages then run with all rights of the user: for the tests' own pages, and where Chromium finds no sandbox."""

EXECUTABLES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",  # its hidden pages cost half of a start
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--remote-debugging-port=0",
)

LEFT: Final = frozenset(
    {
        "Inspected target navigated or closed",
        "Execution context was destroyed.",
        "Cannot find default execution context",
    }
)
"""What Chrome answers when a page is left while it evaluates, and before the next one can."""

PREFERENCES: Final = {
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "credentials_enable_service": False,
}
"""A fresh profile has no address and no password to fill in; to look for their fields costs 50 ms of CPU a page."""

Result = dict[str, Any]
"""An answer of the protocol: JSON, its shape depends on the method."""

T = TypeVar("T")


class ChromiumError(Exception):
    """The browser is not there, refused a method, or an evaluated expression threw."""


class LeftError(ChromiumError):
    """The page was left while an expression was evaluated in it."""


class EndedAtOnceError(ChromiumError):
    """The browser ended before it listened."""


def find_executable(chosen: str = "") -> str:
    """Find the browser: the one that was chosen, else the first known name on the path.

    Raises:
        ChromiumError: there is none.

    """
    names = (chosen,) if chosen else EXECUTABLES
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise ChromiumError(
            f"No browser found, looked for {', '.join(names)}: install Chromium or set GASOLINE_CHROMIUM to its path."
        )
    return found


def _new_profile() -> Path:
    profile = Path(tempfile.mkdtemp(prefix="chromium-"))
    (profile / "Default").mkdir()
    (profile / "Default" / "Preferences").write_text(json.dumps(PREFERENCES))
    return profile


async def until(look: Callable[[], Awaitable[T | None]], what: str, bound_s: float = BOUND_S) -> T:
    """Look again and again until `look` answers something true, and return that.

    Raises:
        TimeoutError: it did not within the bound; the text names what was waited for.

    """
    deadline = asyncio.get_running_loop().time() + bound_s
    pause, longest = POLL_S
    while not (result := await look()):
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError(f"Waited {bound_s} s for {what}.")
        await asyncio.sleep(pause)
        pause = min(pause * 1.2, longest)
    return result


class Session:
    """One attached target: what is sent here goes to that target alone."""

    def __init__(self, browser: "Browser", target_id: str, session_id: str) -> None:
        self.browser = browser
        self.target_id = target_id
        self.session_id = session_id

    async def send(self, method: str, **params: object) -> Result:
        """Call a method of the protocol on this target."""
        return await self.browser.send(method, self.session_id, **params)

    @contextlib.asynccontextmanager
    async def expect(self, event: str) -> AsyncIterator[asyncio.Future[Result]]:
        """Wait at the end of the block for the event's next occurrence from this target."""
        future = self.browser.expect(event, self.session_id)
        yield future
        await asyncio.wait_for(future, BOUND_S)

    async def evaluate(self, expression: str, *, user_gesture: bool = False) -> Any:  # noqa: ANN401 - any JSON value
        """Evaluate JavaScript, awaiting a promise, and return its value.

        Raises:
            ChromiumError: the expression threw, or its promise was rejected.

        """
        answer = await self.send(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=user_gesture,
        )
        if fault := answer.get("exceptionDetails"):
            raise ChromiumError(fault.get("exception", {}).get("description") or fault["text"])
        return answer["result"].get("value")

    async def until(self, expression: str, bound_s: float = BOUND_S) -> Any:  # noqa: ANN401 - any JSON value
        """Evaluate until the value is true, and return it; while the page is left, it is not."""

        async def look() -> Any:  # noqa: ANN401 - any JSON value
            try:
                return await self.evaluate(expression)
            except LeftError:
                return None

        return await until(look, expression, bound_s)

    async def detach(self) -> None:
        """Let go of the target."""
        await self.browser.send("Target.detachFromTarget", sessionId=self.session_id)


class Tab(Session):
    """A page in a tab of its own."""

    async def navigate(self, url: str) -> None:
        """Open `url` and wait for its load event."""
        await self.send("Page.enable")
        async with self.expect("Page.loadEventFired"):
            await self.send("Page.navigate", url=url)

    async def is_loaded(self) -> bool:
        """Return whether the first page of a new tab is there and loaded."""
        try:
            return bool(await self.evaluate("location.href !== 'about:blank' && document.readyState === 'complete'"))
        except ChromiumError:  # the blank page was left while it was asked
            return False

    async def activate(self) -> None:
        """Make this the active tab of its window."""
        await self.browser.send("Target.activateTarget", targetId=self.target_id)

    async def close(self) -> None:
        """Close the tab, even while its page is busy."""
        await self.browser.send("Target.closeTarget", targetId=self.target_id)

    async def prefer(self, **features: str) -> None:
        """Set media features, written with underscores: `prefers_color_scheme="dark"`."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        await self.send("Emulation.setEmulatedMedia", features=named)

    async def screenshot(self) -> bytes:
        """Take a PNG of the visible part."""
        return base64.b64decode((await self.send("Page.captureScreenshot"))["data"])


class Browser:
    """A browser process with a fresh profile, an extension perhaps, and one socket to it. Made by `launch`."""

    def __init__(self, process: Process, profile: Path, extension: Path | None) -> None:
        self.process = process
        self.profile = profile
        self.extension = extension
        self._numbers = itertools.count(1)
        self._waiting: dict[object, asyncio.Future[Result]] = {}
        self._http: aiohttp.ClientSession | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None

    @classmethod
    async def launch(
        cls,
        extension: Path | None = None,
        *,
        executable: str = "",
        headless: bool = True,
        sandbox: bool = False,
        temporary: Path | None = None,
        size: tuple[int, int] = (1280, 800),
    ) -> Self:
        """Start the browser and connect to it; with an extension, wait until its service worker runs.

        `executable`: empty for the first one that is found. `temporary`: where it makes a socket, if not in TMPDIR.

        Raises:
            ChromiumError: there is no browser.
            EndedAtOnceError: it ended at once, as it does where it finds no sandbox.
            TimeoutError: it did not come up.

        """
        executable = find_executable(executable)
        profile = _new_profile()
        flags = [*FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]
        if not sandbox:
            flags.append(NO_SANDBOX)
        if headless:
            flags.append("--headless=new")
        if extension:
            flags += [f"--disable-extensions-except={extension}", f"--load-extension={extension}"]
        process = await create_subprocess_exec(
            executable,
            *flags,
            "about:blank",
            env=os.environ | ({"TMPDIR": str(temporary)} if temporary else {}),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,
        )
        browser = cls(process, profile, extension)
        try:
            await browser._connect()
        except BaseException:
            await browser.close()
            raise
        return browser

    async def __aenter__(self) -> Self:
        """Enter a block at whose end the browser is closed."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the browser."""
        await self.close()

    async def _connect(self) -> None:
        port, path = await until(self._address, "the browser to listen")
        self._http = aiohttp.ClientSession()
        self._socket = await self._http.ws_connect(f"ws://127.0.0.1:{port}{path}", max_msg_size=0)
        self._reader = asyncio.create_task(self._read(self._socket))
        await self.send("Target.setDiscoverTargets", discover=True)
        if self.extension:
            await (await self.service_worker()).detach()

    async def _address(self) -> list[str] | None:
        """Read the port and the path that the browser writes into its profile once it listens."""
        if self.process.returncode is not None:
            raise EndedAtOnceError(f"The browser ended at once, with code {self.process.returncode}.")
        with contextlib.suppress(FileNotFoundError):
            written = (self.profile / "DevToolsActivePort").read_text().split()
            return written if len(written) == len(("port", "path")) else None
        return None

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Give every reply and every expected event to its waiting caller."""
        async for frame in socket:
            message: Result = json.loads(frame.data)
            future = self._waiting.pop(message.get("id") or (message["method"], message.get("sessionId")), None)
            if future and not future.done():
                future.set_result(message)

    async def leave(self) -> None:
        """Let go of the browser and leave it open; its profile stays."""
        if self._socket:
            await self._socket.close()
        if self._reader:
            self._reader.cancel()
        if self._http:
            await self._http.close()

    async def close(self) -> None:
        """End the browser's own process group, and remove its profile."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        await self.leave()
        await asyncio.to_thread(shutil.rmtree, self.profile, ignore_errors=True)

    def expect(self, event: str, session_id: str | None = None) -> asyncio.Future[Result]:
        """Promise the next occurrence of an event."""
        return self._waiting.setdefault((event, session_id), asyncio.get_running_loop().create_future())

    async def send(self, method: str, session_id: str | None = None, **params: object) -> Result:
        """Call a method of the protocol, on the browser itself or on an attached session.

        Raises:
            ChromiumError: the browser refused it.
            TimeoutError: no answer came.

        """
        if self._socket is None:
            raise ChromiumError("The browser is not connected.")
        number = next(self._numbers)
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        message: Result = {"id": number, "method": method, "params": params}
        if session_id:
            message["sessionId"] = session_id
        await self._socket.send_json(message)
        try:
            message = await asyncio.wait_for(reply, BOUND_S)
        finally:
            self._waiting.pop(number, None)
        if "error" in message:
            text = message["error"]["message"]
            kind = LeftError if text in LEFT else ChromiumError
            raise kind(f"{method}: {text}")
        result: Result = message["result"]
        return result

    async def targets(self, kind: str) -> list[Result]:
        """List the targets of a kind: `page`, `service_worker`, `iframe`."""
        infos: list[Result] = (await self.send("Target.getTargets"))["targetInfos"]
        return [info for info in infos if info["type"] == kind]

    async def attach(self, target_id: str) -> str:
        """Attach to a target, and return the session's id."""
        answer = await self.send("Target.attachToTarget", targetId=target_id, flatten=True)
        return str(answer["sessionId"])

    async def new_tab(self, url: str = "about:blank", *, background: bool = False, window: bool = False) -> Tab:
        """Open a tab, in a window of its own if so wished, and return when its page is loaded."""
        created = await self.send("Target.createTarget", url=url, background=background, newWindow=window)
        tab = Tab(self, created["targetId"], await self.attach(created["targetId"]))
        if url != "about:blank":
            await tab.send("Page.enable")
            await until(tab.is_loaded, f"{url} to load")
        return tab

    @property
    def extension_id(self) -> str:
        """The id of the extension.

        Raises:
            ChromiumError: there is none.

        """
        if self.extension is None:
            raise ChromiumError("This browser was started without an extension.")
        return extension_id(self.extension)

    @property
    def extension_url(self) -> str:
        """The base address of the extension's files."""
        return f"chrome-extension://{self.extension_id}/"

    async def popup(self, page: str = "popup/popup.html") -> Tab:
        """Open a page of the extension in a tab."""
        return await self.new_tab(self.extension_url + page)

    async def _workers(self) -> list[Result]:
        return [info for info in await self.targets("service_worker") if info["url"].startswith(self.extension_url)]

    async def service_worker(self) -> Session:
        """Attach to the extension's service worker once its script has run to the end of its first turn.

        The target is there before its script has run, hence the look at a listener: an extension that is driven from
        here adds the one for alarms last.
        """
        target = (await until(self._workers, "the extension's service worker"))[0]
        worker = Session(self, target["targetId"], await self.attach(target["targetId"]))
        await worker.until("globalThis.chrome?.alarms?.onAlarm.hasListeners() ?? false")
        return worker

    async def stop_service_worker(self) -> None:
        """Kill the extension's service worker, as Chrome does when it idles, and wait until it is gone."""
        for target in await self._workers():
            end = asyncio.create_task(self._end_of(target["targetId"]))
            await self.send("Target.closeTarget", targetId=target["targetId"])
            await end

    async def _end_of(self, target_id: str) -> None:
        """Wait for the end of a target; another may have been started in its place by then."""
        async with asyncio.timeout(BOUND_S):
            while (await self.expect("Target.targetDestroyed"))["params"]["targetId"] != target_id:
                pass
