"""What came of checked pages, for the tests of what is written of them."""

import struct
from typing import Any

import msgspec

from gasoline_bridge.check.results import Checked
from gasoline_workers.regression import verdict
from gasoline_workers.regression.kept import shown, state
from gasoline_workers.regression.messages import BaselineRead, PictureCompared
from unit.regression.pages import QUIET, URL, flaw, issue, judged, kept, loads

SLOW = [900, 905, 895, 910, 902, 900, 905, 895, 910, 902]
LOOK = PictureCompared(verdict="changed", changes=['added #ad "<b>Buy</b>"'], more=2)
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1_504, 348) + b"rest"


def compared(**more: Any) -> Checked:
    """Return a page that has become worse in every part that has samples."""
    before = kept(loads([*QUIET]), issue("label", "#name"), flaw("missing_csp"), flaw("resolved"))
    found = (issue("label", "#name"), issue("image-alt", "#a<b", "#c"), flaw("missing_csp"), flaw("leak", "token"))
    now = state(loads([*SLOW]), judged(*found))
    answer = verdict.compare(before, now, LOOK)
    read = BaselineRead(shown(before), before.state.loads.metrics, answer, now.loads.metrics)
    one = Checked(URL, "cart", answer.verdict, answer.summary, 1.5, read, PNG)
    return msgspec.structs.replace(one, **more)


def made() -> Checked:
    """Return a page whose baseline was made."""
    before = kept(loads([*QUIET]))
    read = BaselineRead(shown(before), before.state.loads.metrics)
    return Checked(URL, "cart", "made", "'cart' of 5 loads", 1.0, read)


def failed(text: str = "The server answered 500.") -> Checked:
    """Return a page that could not be checked."""
    return Checked("http://shop.test/other", "other", "error", text, 0.5)
