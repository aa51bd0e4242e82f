"""The diff worker's process: it answers through the broker what its thinking answers, odd input or not."""

from typing import Any

import msgspec
import pytest

from gasoline_broker.actor.wire import pack, stop
from gasoline_workers.diff.actor import answer
from gasoline_workers.diff.messages import CompareLoads, ExplainAction
from process.processes import Processes
from unit.diff.pages import SEED, slow_click

WORKER = """
from gasoline_broker.actor.actor import run
from gasoline_broker.settings import Settings
from gasoline_workers.diff.actor import Diff

run(Diff, Settings.from_environ())
"""
REFRESH = {"success": True, "action": "refresh", "measured": {"load": SEED[1], "before": SEED[0]}}
CLICK = {"success": True, "action": "click", "measured": slow_click()}


@pytest.mark.parametrize(
    ("ask", "body"),
    [
        (CompareLoads(), REFRESH),
        (ExplainAction(), CLICK),
        (ExplainAction(analyze=True), CLICK),
        (ExplainAction(analyze=True), CLICK | {"measured": [None]}),
        (CompareLoads(), None),
    ],
)
async def test_the_process_answers_what_the_functions_do(
    processes: Processes, ask: CompareLoads | ExplainAction, body: Any
) -> None:
    worker = await processes.start("-c", WORKER)
    await processes.registered(worker.pid)

    said = await processes.ask(stop("diff", ask), body=pack(body))

    assert answer(ask, body) == msgspec.msgpack.decode(said.body)
