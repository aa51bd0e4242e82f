"""The table of reading modes: a row, its query, its module, its rings and the documented shape of its reply agree."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from gasoline_bridge.front import reply_schemas
from gasoline_workers.journal import modes
from gasoline_workers.journal.limits import RINGS, kinds_of
from gasoline_workers.journal.messages import MODES, Read
from gasoline_workers.journal.reading import READERS


def test_every_query_that_reads_belongs_to_one_mode() -> None:
    assert sorted(map(str, get_args(Read))) == sorted(str(mode.query) for mode in MODES.values())


def test_every_mode_has_a_module_of_its_name() -> None:
    modules = {path.stem for path in Path(str(modes.__file__)).parent.glob("[!_]*.py")}

    assert MODES.keys() == modules


@pytest.mark.parametrize("name", MODES)
def test_the_shape_of_a_modes_reply_has_its_items(name: str) -> None:
    assert name in reply_schemas.OBSERVED, "add the shape of its reply to front/reply_schemas.py"
    assert MODES[name].items in {field.name for field in msgspec.structs.fields(reply_schemas.OBSERVED[name])}


@pytest.mark.parametrize("name", MODES)
def test_a_mode_reads_rings_that_there_are(name: str) -> None:
    assert set(READERS[MODES[name].query].rings) <= RINGS.keys()


def test_the_marks_are_events_of_the_kind_timing() -> None:
    assert ["performance", "timing"] == kinds_of(["performance", "mark"])
    assert ["action", "navigation"] == kinds_of(["action"])
