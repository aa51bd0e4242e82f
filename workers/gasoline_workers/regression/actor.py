"""The regression worker's process; file keeps the baselines, verdict compares with them."""

import datetime as dt
from typing import Any

import msgspec
import structlog

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.errors import Damaged, fail
from gasoline_workers.regression import portable, verdict
from gasoline_workers.regression.file import Baselines
from gasoline_workers.regression.kept import Kept, LastCompared, State, name_of, shown, state, united
from gasoline_workers.regression.messages import (
    ApproveBaseline,
    BaselineExported,
    BaselineFound,
    BaselinesListed,
    CheckFindings,
    CheckLoads,
    CheckPages,
    CompareBaseline,
    ComparePages,
    DeleteBaseline,
    ExportBaseline,
    FindBaseline,
    FindingsChecked,
    ImportBaselines,
    ListBaselines,
    ListHeld,
    LoadsChecked,
    MakeBaseline,
    PicturesHeld,
    ReadBaseline,
    ReadHistory,
    Request,
)

logger = structlog.get_logger()


class Regression(Actor[Request]):
    """Keeps baselines, and compares with them."""

    service = "regression"
    accepts = Request
    computes = True

    async def started(self) -> None:
        """Make the store; it is opened with the first ask, and again after a fault."""
        self.baselines = Baselines(self.settings.pictures_dir)

    async def stopping(self) -> None:
        """Close the file."""
        self.baselines.close()

    async def receive(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        """Keep, compare, list or remove baselines."""
        self.baselines.ready()
        try:
            return self._answer(message, step)
        except Damaged as fault:
            logger.warning("file_damaged", fault=str(fault))
            self.baselines.renew()
            text = "The file of the baselines was damaged: it is set aside, and an empty one is begun."
            fail("store_failed", text, "Make the baselines again.")

    def _answer(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        match message:
            case MakeBaseline() | CompareBaseline() | ComparePages():
                return self._judge(message, step, state(message.loads, msgspec.msgpack.decode(step.body)))
            case CheckLoads() | CheckPages() | CheckFindings():
                return self._check(message, step)
            case FindBaseline(name, url):
                kept = self.baselines.find(name_of(name, url))
                return BaselineFound(shown(kept), kept.pictures)
            case ReadBaseline() | ListBaselines() | ListHeld() | ReadHistory() | ExportBaseline():
                return self._shown(message)
            case ApproveBaseline() | ImportBaselines() | DeleteBaseline():
                return self._changed(message, step)

    def _shown(self, message: ReadBaseline | ListBaselines | ListHeld | ReadHistory | ExportBaseline) -> msgspec.Struct:
        match message:
            case ReadBaseline(name):
                return self.baselines.read(name)
            case ListBaselines():
                return BaselinesListed(self.baselines.list())
            case ListHeld():
                return PicturesHeld(self.baselines.held())
            case ReadHistory(name):
                return self.baselines.history(name)
            case ExportBaseline(name):
                kept = self.baselines.find(name)
                return BaselineExported(portable.exported(kept), kept.pictures)

    def _changed(self, message: ApproveBaseline | ImportBaselines | DeleteBaseline, step: Step) -> Answer:
        match message:
            case ApproveBaseline(name):
                return self.baselines.approve(step, name, _now())
            case ImportBaselines(pictures):
                contents = msgspec.msgpack.decode(step.body, type=list[Any])
                return self.baselines.put_all(step, list(map(portable.imported, contents, pictures)))
            case DeleteBaseline(name):
                return self.baselines.delete(step, name)

    def _check(self, message: CheckLoads | CheckPages | CheckFindings, step: Step) -> LoadsChecked | FindingsChecked:
        match message:
            case CheckFindings(name, loads):
                kept = self.baselines.find(name_of(name, loads.url))
                now = state(loads, msgspec.msgpack.decode(step.body))
                return FindingsChecked(verdict.needs_second_look(kept, now))
            case CheckLoads(name, loads):
                before = self.baselines.find(name_of(name, loads.url)).state.loads
            case CheckPages(before, loads):
                pass
        return LoadsChecked(verdict.more_loads(before, loads))

    def _judge(
        self, message: MakeBaseline | CompareBaseline | ComparePages, step: Step, now: State
    ) -> msgspec.Struct | Answer:
        match message:
            case MakeBaseline():
                return self._make(message, step, now)
            case CompareBaseline():
                return self._compare(message, step, now)
            case ComparePages(before, judged, loads, picture, earlier):
                looked = (state(before, earlier[0]), state(loads, earlier[1])) if earlier else None
                return verdict.compare_pages(state(before, judged), now, picture, _now(), looked)

    def _make(self, message: MakeBaseline, step: Step, now: State) -> Answer:
        if message.earlier:
            now = united(state(message.loads, message.earlier), now)
        kept = Kept(name_of(message.name, message.loads.url), _now(), now, message.pictures)
        lacking = [f"{part}: {reason}" for part, reason in now.failures.items()]
        lacking += [f"picture: {message.pictures.reason}"] if message.pictures.reason else []
        return self.baselines.put(step, kept, [*message.loads.warnings, *lacking])

    def _compare(self, message: CompareBaseline, step: Step, now: State) -> Answer:
        kept = self.baselines.find(name_of(message.name, now.loads.url))
        earlier = state(message.loads, message.earlier) if message.earlier else None
        answer = verdict.compare(kept, now, message.picture, earlier)
        now = united(earlier, now) if earlier else now
        return self.baselines.put_compared(
            step, LastCompared(answer, now.loads.metrics, now, message.pictures, at=_now())
        )


def _now() -> str:
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
