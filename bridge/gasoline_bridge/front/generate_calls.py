"""Answers one session's calls of `generate`: what was captured and found, saved as files that other programs read."""

import asyncio
from pathlib import Path

from gasoline_bridge.front import exports, http_archive, paging
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.errors import fail
from gasoline_workers.audit.messages import ExportSarif
from gasoline_workers.journal import messages as journal

AT_A_TIME = 100  # requests in one answer of the journal: the body of one may have 16 KB


class GenerateCalls:
    """The calls of one session that save a file."""

    def __init__(self, link: Link, timeout_s: float, data_dir: Path) -> None:
        self._link = link
        self._timeout_s = timeout_s
        self._data_dir = data_dir

    async def sarif(self, findings: Reply, trace: str) -> Reply:
        """Save the findings of an analysis."""
        stops = stop("audit", ExportSarif())
        answer = await self._link.ask(stops, ttl_s=self._timeout_s, body=pack(findings), trace=trace)
        return await asyncio.to_thread(exports.save_sarif, self._data_dir, answer.read())

    async def har(self, tab: int, trace: str) -> Reply:
        """Save the requests of a tab, with the bodies that were captured."""
        requests = await self._all(journal.ReadWaterfall(headers=True, tab_id=tab, limit=AT_A_TIME), trace)
        if not requests:
            fail("not_found", "No request was captured in this tab.", 'Call interact(action:"refresh") first.')
        bodies = await self._all(journal.ReadBodies(tab_id=tab, limit=AT_A_TIME), trace)
        loads = await self._all(journal.ReadPerformance(tab_id=tab, limit=AT_A_TIME), trace)
        document = http_archive.archive(requests, bodies, loads)
        return await asyncio.to_thread(exports.save_har, self._data_dir, document)

    async def _all(self, query: journal.Read, trace: str) -> list[journal.Item]:
        """Read all that the journal has for a query, newest first."""
        items: list[journal.Item] = []
        while True:
            answer = await self._link.ask(stop("journal", query), ttl_s=self._timeout_s, trace=trace)
            read = answer.read(journal.EventsRead)
            items += read.items
            if len(read.items) >= read.total or not read.items:
                return items
            query = paging.rest(query, read, read.items)
