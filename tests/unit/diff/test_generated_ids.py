"""Ids that libraries generate, by the samples that the extension's side has too."""

import json
from pathlib import Path

import pytest

from gasoline_workers.diff.generated_ids import points_to_generated

SAMPLES = json.loads((Path(__file__).parents[2] / "wire" / "generated-ids.json").read_text())


@pytest.mark.requirement("draw-032")
def test_ids_that_a_library_generates_are_told_from_those_of_an_author() -> None:
    assert [] == [one for one in SAMPLES["generated"] if not points_to_generated("id", one)]
    assert [] == [one for one in SAMPLES["authored"] if points_to_generated("id", one)]


def test_only_attributes_that_hold_ids_point_to_one() -> None:
    assert points_to_generated("aria-labelledby", ":r1: :r2:", None)
    assert not points_to_generated("aria-labelledby", ":r1: save")
    assert not points_to_generated("class", ":r1:")
    assert not points_to_generated("id", None, "")
