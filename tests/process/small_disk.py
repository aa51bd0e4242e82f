"""A disk of a few MB for one folder, in a mount namespace of an ordinary user; it is gone when its holder is."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

from gasoline_broker.settings import Settings
from process.processes import within
from system import GASOLINE

OURS = "unshare", "--user", "--map-root-user", "--mount"
MOUNTED = """
    cp -a "$1" "$1-copy" && mount -t tmpfs -o size="$2",mode=700 none "$1" && cp -a "$1-copy/." "$1" && echo && exec cat
"""


class SmallDisk:
    """The disk below one folder. Its holder's pid names the namespace that has it."""

    def __init__(self, folder: Path, holder: int) -> None:
        self._folder = folder
        self._inside = "nsenter", "--target", str(holder), "--user", "--mount", "--preserve-credentials"

    def run(self, *command: str) -> str:
        """Run a command that sees the disk, and give its output."""
        done = subprocess.run([*self._inside, *command], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    async def gasoline(self, settings: Settings, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of ours that sees the disk."""
        command = [*self._inside, GASOLINE, *arguments]
        environ = os.environ | settings.environ()
        return await asyncio.to_thread(
            subprocess.run, command, env=environ, input="", capture_output=True, text=True, timeout=60, check=False
        )

    def fill(self) -> None:
        """Leave no byte free."""
        self.run("sh", "-c", f"cat /dev/zero 2> /dev/null > {self._folder / 'filler'} || true")

    def free(self) -> None:
        """Give back what `fill` has taken."""
        self.run("rm", str(self._folder / "filler"))

    def make_read_only(self) -> None:
        """Have every write refused from now on."""
        self.run("mount", "-o", "remount,ro", str(self._folder))


@contextlib.asynccontextmanager
async def small_disk(folder: Path, size: str = "4m") -> AsyncIterator[SmallDisk]:
    """Put a small disk in the place of a folder, with what the folder holds."""
    pipe = asyncio.subprocess.PIPE
    script = ("sh", "-c", MOUNTED, "sh", str(folder), size)
    holder = await asyncio.create_subprocess_exec(*OURS, *script, stdin=pipe, stdout=pipe)
    try:
        assert holder.stdout is not None
        async with within():
            assert b"\n" == await holder.stdout.readline(), (
                "no namespace: the kernel forbids them, or unshare is missing"
            )
        yield SmallDisk(folder, holder.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            holder.kill()
        async with within():
            await holder.wait()
