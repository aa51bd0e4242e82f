"""Two hosts in one: network namespaces of an ordinary user, and a cable; they are gone when their holders are."""

import asyncio
import contextlib
from typing import Self

from process.processes import within

OURS = "unshare", "--user", "--map-root-user", "--net"  # the same for root and for other users (user_namespaces(7))
HELD = "sh", "-c", "echo; exec cat"  # lives as long as its standard input: not longer than we do
HUB, FAR = "hub", "far"
ADDRESSES = {HUB: ("10.213.0.1", "fd00:213::1"), FAR: ("10.213.0.2", "fd00:213::2")}


class Hosts:
    """The hub and a host far away, each with its end of the cable, which has the host's name."""

    def __init__(self) -> None:
        self._holders: dict[str, asyncio.subprocess.Process] = {}

    async def __aenter__(self) -> Self:
        try:
            await self._hold(HUB, *OURS)
            await self._hold(FAR, *self.inside(HUB), "unshare", "--net")
            far = str(self._holders[FAR].pid)
            await self._ip(HUB, "link", "add", HUB, "type", "veth", "peer", "name", FAR, "netns", far)
            for host in (HUB, FAR):
                four, six = ADDRESSES[host]
                await self._ip(host, "address", "add", f"{four}/30", "dev", host)
                await self._ip(host, "address", "add", f"{six}/64", "dev", host, "nodad")
                await self._ip(host, "link", "set", host, "up")
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        for holder in self._holders.values():
            with contextlib.suppress(ProcessLookupError):
                holder.kill()
            async with within():
                await holder.wait()

    def inside(self, host: str) -> tuple[str, ...]:
        """Return the command that runs another command on a host: it becomes it, so that its pid is the other's."""
        holder = str(self._holders[host].pid)
        return "nsenter", "--target", holder, "--user", "--net", "--preserve-credentials"

    async def cut(self) -> None:
        """Pull the cable out."""
        await self._ip(FAR, "link", "set", FAR, "down")

    async def join(self) -> None:
        """Put it in again."""
        await self._ip(FAR, "link", "set", FAR, "up")

    async def _hold(self, host: str, *made: str) -> None:
        pipe = asyncio.subprocess.PIPE
        holder = await asyncio.create_subprocess_exec(*made, *HELD, stdin=pipe, stdout=pipe)
        self._holders[host] = holder
        assert holder.stdout is not None
        async with within():
            assert b"\n" == await holder.stdout.readline(), (
                "no namespace: the kernel forbids them, or unshare is missing"
            )

    async def _ip(self, host: str, *arguments: str) -> None:
        process = await asyncio.create_subprocess_exec(*self.inside(host), "ip", *arguments)
        async with within():
            assert 0 == await process.wait(), f"ip {' '.join(arguments)} on {host}"
