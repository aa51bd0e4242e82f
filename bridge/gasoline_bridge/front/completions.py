"""Completes the variables of resource templates and the arguments of prompts with what there is."""

from collections.abc import Iterable
from typing import Any

import mcp_types as types
import msgspec

from gasoline_bridge.front.calls import Calls, trace_of
from gasoline_bridge.front.resources import KINDS
from gasoline_broker.errors import Failed

VALUES_MAX = 100  # modelcontextprotocol.io, Completion, CompleteResult
NONE = types.CompleteResult(completion=types.Completion(values=[]))


class Completions:
    """The completions of one session."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def complete(self, _context: Any, params: types.CompleteRequestParams) -> types.CompleteResult:  # noqa: ANN401 - the SDK's own types
        """Give the values that begin with what was typed; none for what is free text."""
        begun = params.argument.value
        found = [one for one in await self._values(params.ref, params.argument.name) if one.startswith(begun)]
        shown = types.Completion(values=found[:VALUES_MAX], total=len(found), has_more=len(found) > VALUES_MAX)
        return types.CompleteResult(completion=shown)

    async def _values(
        self, ref: types.ResourceTemplateReference | types.PromptReference, argument: str
    ) -> Iterable[str]:
        of = ref.name if isinstance(ref, types.PromptReference) else ref.uri
        match argument:
            case "what" if of.startswith("gasoline://journal"):
                return KINDS
            case "tab_id":
                return [str(tab["id"]) for tab in await self._list("observe", "tabs", what="tabs")]
            case "id":
                return await self._pictures()
            case "file":
                return [one.name for one in await self._calls.saved_reports()]
            case "baseline":
                baselines = await self._list("analyze", "baselines", action="regression", scope="list")
                return sorted({str(one["name"]) for one in baselines})
            case _:
                return ()

    async def _list(self, tool: str, field: str, **arguments: object) -> list[dict[str, Any]]:
        """Give a list of a tool's reply; of one that fails, nothing: a person types on."""
        called = await self._calls.call(tool, arguments)
        found: list[dict[str, Any]] = [] if called.failed else msgspec.json.decode(called.text)[field]
        return found

    async def _pictures(self) -> list[str]:
        try:
            return [one.id for one in (await self._calls.list_resources(0, trace_of(None))).screenshots]
        except Failed:
            return []
