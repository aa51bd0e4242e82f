"""Answers one session's calls of `generate`: what was captured and found, saved as files that other programs read."""

import asyncio
import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gasoline_bridge.front import (
    exports,
    http_archive,
    paging,
    pictures,
    playwright_files,
    recorded_steps,
    save_places,
    session_report,
    session_timeline,
    tools,
)
from gasoline_bridge.front.exports import FOLDER, Exports, Saved
from gasoline_bridge.front.recorded_steps import Script, SeenError
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.errors import Failed, fail
from gasoline_broker.settings import private_dir
from gasoline_workers.audit.messages import ExportSarif
from gasoline_workers.journal import messages as journal
from gasoline_workers.screenshots.messages import ListScreenshots

AT_A_TIME = 100  # requests in one answer of the journal: the body of one may have 16 KB
ERROR_CHARS = 200
ENDINGS = {"typescript": (".ts",), "python": (".py",)}
EFFECTS_MAX = 100  # of a report's actions that are read one by one
PICTURES_MAX, PICTURES_READ = 12, 100  # 200 KB each; those of other tabs are read too
LOST = "The journal has lost the oldest actions: the report begins later than what was done."


class GenerateCalls:
    """The calls of one session that save a file."""

    def __init__(self, link: Link, timeout_s: float, data_dir: Path) -> None:
        self._link = link
        self._timeout_s = timeout_s
        self._data_dir = data_dir
        self.roots: list[Path] = []

    async def sarif(self, asked: tools.Generate, findings: Reply, trace: str) -> Reply:
        """Save the findings of an analysis."""
        place = self._exports(asked, ".sarif")
        stops = stop("audit", ExportSarif())
        answer = await self._link.ask(stops, ttl_s=self._timeout_s, body=pack(findings), trace=trace)
        return await asyncio.to_thread(place.sarif, answer.read())

    async def har(self, asked: tools.Generate, trace: str) -> Reply:
        """Save the requests of a tab, with the bodies that were captured."""
        place, tab = self._exports(asked, ".har"), asked.tab_id
        requests = await self._all(journal.ReadWaterfall(headers=True, tab_id=tab, limit=AT_A_TIME), trace)
        if not requests:
            fail("not_found", "No request was captured in this tab.", 'Call interact(action:"refresh") first.')
        bodies = await self._all(journal.ReadBodies(tab_id=tab, limit=AT_A_TIME), trace)
        loads = await self._all(journal.ReadPerformance(tab_id=tab, limit=AT_A_TIME), trace)
        document = http_archive.archive(requests, bodies, loads)
        return await asyncio.to_thread(place.har, document)

    async def test(self, asked: tools.Generate, trace: str) -> Reply:
        """Save what was done in a tab as a test of Playwright, or as the steps that lead to its last error."""
        place = self._exports(asked, *ENDINGS[asked.language])
        read = await self._recording(asked, trace)
        script = recorded_steps.script(read.events, read.tab)
        if not any(step.kind != "comment" for step in script.steps):
            text = "No action was recorded in this tab."
            fail("not_found", read.hint or text, "Act with interact, or ask the user to, and call again.")
        fault = recorded_steps.last_fault(script) if asked.what == "reproduction" else None
        if asked.what == "reproduction" and fault is None:
            fail("not_found", "No error was captured in this tab.", 'Use generate(what:"test") for what was done.')
        text = playwright_files.write(script, asked.language, fault)
        suffix = playwright_files.SUFFIXES[asked.language]
        saved = await asyncio.to_thread(place.test, suffix, text)
        return saved | _described(script, read, fault)

    async def report(self, asked: tools.Generate, findings: list[dict[str, Any]], trace: str) -> Reply:
        """Save what was done in a tab, what came of it, its pictures and these findings, as a page to read."""
        place = self._exports(asked, ".html")
        read = await self._recording(asked, trace)
        acts = session_timeline.timeline(read.events)
        if not acts:
            fail("not_found", read.hint or "Nothing was recorded in this tab.", "Act with interact, and call again.")
        for act in [one for one in acts if one.effect][-EFFECTS_MAX:]:
            await self._add_effect(act, trace)
        shown = await self._pictures(read.tab, acts[0].at / 1_000, trace)
        hint = LOST if read.evicted_seq else ""
        written_at = datetime.now(UTC).isoformat(timespec="seconds")
        text = session_report.report(session_report.Session(acts, shown, findings, hint), written_at)
        saved = await asyncio.to_thread(place.report, text)
        counts = {
            "actions": sum(one.who != "page" for one in acts),
            "faults": session_timeline.faults(acts),
            "pictures": len(shown),
            "findings": len(findings),
        }
        return saved | counts | ({"hint": hint} if hint else {})

    async def _recording(self, asked: tools.Generate, trace: str) -> journal.RecordingRead:
        query = journal.ReadRecording(tab_id=asked.tab_id, since_seq=asked.since_seq)
        answer = await self._link.ask(stop("journal", query), ttl_s=self._timeout_s, trace=trace)
        read: journal.RecordingRead = answer.read(journal.RecordingRead)
        return read

    async def _add_effect(self, act: session_timeline.Act, trace: str) -> None:
        with contextlib.suppress(Failed):  # the journal keeps the last few hundred
            query = stop("journal", journal.ReadEffect(act.effect))
            answer = await self._link.ask(query, ttl_s=self._timeout_s, trace=trace)
            session_timeline.with_effect(act, answer.read(journal.EffectRead).effect)

    async def _pictures(self, tab: int, since_s: float, trace: str) -> list[session_report.Picture]:
        """Give the newest pictures of a tab since a time, the oldest first."""
        listed = await pictures.listed(self._link, ListScreenshots(PICTURES_READ), self._timeout_s, trace)
        own = [one for one in listed.screenshots if one.at >= since_s and one.tab == tab][:PICTURES_MAX]
        found = []
        for one in reversed(own):
            with contextlib.suppress(Failed):  # it may just have been deleted
                shown = await pictures.read(self._link, one.id, self._timeout_s, trace, "model")
                found.append(session_report.Picture(one, shown.data, shown.mime_type))
        return found

    async def saved(self) -> list[Saved]:
        """List what was saved under names of our own, newest first."""
        return await asyncio.to_thread(exports.listed, self._data_dir)

    async def text_of(self, name: str) -> str:
        """Give the text of such a file.

        Raises:
            Failed: there is none, or it cannot be given.

        """
        return await asyncio.to_thread(exports.read, self._data_dir, name)

    def _exports(self, asked: tools.Generate, *endings: str) -> Exports:
        """Give the place where a file goes.

        Raises:
            Failed: `invalid_params`: no file may be saved where it was asked for.

        """
        if not asked.save_to:
            return Exports(self._data_dir)
        own = private_dir(private_dir(self._data_dir) / FOLDER)
        return Exports(self._data_dir, save_places.choose(asked.save_to, endings, self.roots, own))

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


def _described(script: Script, read: journal.RecordingRead, fault: SeenError | None) -> Reply:
    """Describe a test: what it needs, what it leads to, and what it lacks."""
    reply: Reply = {"steps": sum(step.kind not in {"comment", "opened"} for step in script.steps)}
    if fault:
        reply["error"] = fault.text[:ERROR_CHARS]
    if script.variables:
        reply["environment"] = [*script.variables]
    if script.left_out:
        reply["left_out"] = [{"what": what, "count": count} for what, count in script.left_out.items()]
    if read.evicted_seq:
        reply["hint"] = "The journal has lost the oldest actions: the test begins later than what was done."
    return reply
