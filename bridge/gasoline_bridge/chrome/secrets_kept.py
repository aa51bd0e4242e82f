"""The secrets that handles stand for, for typing them where they came from; in memory, sent to that page alone.

Rules of this file:
- Only redaction adds to it, with the origins of the pages that showed a secret; it ends with this process.
- A text that has a handle is a handle and nothing else, or it is refused: no handle is ever typed as text.
- The origin and the field are checked in the page's frame (content/act/kept_secret.ts).
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

from gasoline_broker.errors import fail
from gasoline_workers.redaction.messages import HANDLE, SecretsKept, ShownSecret

MOST = 2_000
KEPT_S = 24 * 3600.0
ORIGINS = 8
"""Of one secret: a page that shows another's secret becomes one of them."""

AGAIN = "Have the page show it again (observe, query_dom), or ask the user to type it."


class Kept(NamedTuple):
    """A secret, the origins of the pages that showed it, and when one last did (s, monotonic)."""

    value: str
    origins: tuple[str, ...]
    at: float

    def __repr__(self) -> str:
        """Show no secret, wherever a fault is printed."""
        return f"Kept({self.origins})"


class SecretsKeeper:
    """What each handle stands for."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._kept)

    def keep_all(self, shown: Iterable[ShownSecret], now: float) -> SecretsKept:
        """Keep what redaction has found. `now`: s, monotonic."""
        for one in shown:
            self.keep(one.handle, one.value, one.origin, now)
        return SecretsKept()

    def keep(self, handle: str, value: str, origin: str, now: float) -> None:
        """Keep what a handle stands for; of a handle that stands for two values nothing is kept."""
        before = self._kept.pop(handle, None)
        if before is not None and before.value != value:
            self._kept[handle] = Kept("", (), now)
            return
        origins = (*(one for one in (before.origins if before else ()) if one != origin), origin)[-ORIGINS:]
        self._kept[handle] = Kept(value, origins, now)
        while len(self._kept) > MOST or next(iter(self._kept.values())).at < now - KEPT_S:
            self._kept.popitem(last=False)

    def resolve(self, action: str, arguments: dict[str, Any], now: float) -> dict[str, Any]:
        """Return `arguments` as the page gets them: with the secrets that their handles stand for, under `secrets`.

        Raises:
            Failed: `not_found`: a handle stands for nothing that is kept; `invalid_params`: it is not typed so.

        """
        typed = _typed(action, arguments)
        others = {name: value for name, value in arguments.items() if name not in ("text", "fields", "selector")}
        if action != "type":
            others["text"] = arguments.get("text") if action != "fill_form" else None
        if any(isinstance(value, str) and HANDLE.search(value) for value in others.values()):
            fail("invalid_params", "A handle of a secret is only typed.", "Use it as `text` of type, or in fill_form.")
        handles = {text for text in typed if isinstance(text, str) and HANDLE.search(text)}
        if not handles:
            return arguments
        if arguments.get("trusted") is True or arguments.get("keys") is True:
            fail("invalid_params", "A handle is typed by script alone.", "Leave out `trusted` and `keys`.")
        return arguments | {"secrets": {handle: self._secret(handle, now) for handle in sorted(handles)}}

    def _secret(self, handle: str, now: float) -> dict[str, object]:
        if not HANDLE.fullmatch(handle):
            fail("invalid_params", f"{handle!r} is more than a handle.", "Give the handle alone as the whole text.")
        kept = self._kept.get(handle)
        if kept is None or not kept.value or kept.at < now - KEPT_S:
            fail("not_found", f"{handle} stands for nothing that is kept.", AGAIN)
        return {"value": kept.value, "origins": list(kept.origins)}


def _typed(action: str, arguments: dict[str, Any]) -> list[object]:
    if action == "type":
        return [arguments.get("text")]
    fields = arguments.get("fields") if action == "fill_form" else None
    return [one.get("value") for one in fields if isinstance(one, dict)] if isinstance(fields, list) else []
