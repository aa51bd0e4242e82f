"""Our tools as an assistant uses them, with calls and bytes counted; every name of an argument that may change is here.

An error ends the script: nothing is tried a second time, so that the first try is what is judged. Only a call that is
refused with the call to make instead, the same with `trusted` or with the focus elsewhere, is made so once, and
counted.
"""

from typing import Any

import msgspec

from apps.tasks import Refused
from system import Assistant

Reply = dict[str, Any]
TRUSTED = "Call again with trusted:true"
FOCUS = 'interact(action:"focus"'
"""How an error names the call to make instead."""


def _read_rows(reply: Reply) -> Reply:
    """Read a list that has its columns' names once."""
    columns = reply.get("columns", [])
    return {
        name: [dict(zip(columns, row, strict=False)) for row in part]
        if columns and isinstance(part, list) and all(isinstance(row, list) for row in part)
        else part
        for name, part in reply.items()
    }


PAGES_MAX = 12
"""How often a reply is continued by its cursor."""


class Ours:
    """A client's session that counts."""

    def __init__(self, client: Assistant) -> None:
        self._client = client
        self.calls = 0
        self.sent = 0
        self.received = 0
        self.led = 0
        self.log: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool.

        Raises:
            Refused: it answered with an error.

        """
        text, failed = await self._client.text(tool, **arguments)
        request = msgspec.json.encode(arguments).decode()
        self.calls += 1
        self.sent += len(tool) + len(request.encode())
        self.received += len(text.encode())
        self.log.append(f"{tool} {request}\n  {text}")
        reply: Reply = msgspec.json.decode(text)
        if failed:
            error = reply["error"]
            raise Refused(error["code"], error["message"], error.get("recovery", ""))
        return _read_rows(reply)

    async def act(self, action: str, selector: str = "", **arguments: Any) -> Reply:
        """Call `interact`, again with `trusted` if the error names that."""
        arguments = {"action": action, **({"selector": selector} if selector else {}), **arguments}
        try:
            return await self.call("interact", **arguments)
        except Refused as refused:
            if TRUSTED not in refused.recovery:
                raise
            self.led += 1
            return await self.call("interact", **arguments, trusted=True)

    async def click(self, selector: str, **arguments: Any) -> Reply:
        """Click."""
        return await self.act("click", selector, **arguments)

    async def type(self, selector: str, text: str, **arguments: Any) -> Reply:
        """Type in place of what is there."""
        return await self.act("type", selector, text=text, **arguments)

    async def press(self, key: str, selector: str = "", **arguments: Any) -> Reply:
        """Press a key."""
        try:
            return await self.act("key_press", selector, key=key, **arguments)
        except Refused as refused:
            if FOCUS not in refused.recovery:
                raise
            self.led += 1
            await self.act("focus", selector)
            return await self.act("key_press", key=key, **arguments)

    async def read(self, selector: str, **arguments: Any) -> str:
        """Read a text to its end."""
        reply = await self.act("get_text", selector, **arguments)
        text = str(reply.get("text", ""))
        while cursor := reply.get("omitted", {}).get("cursor"):
            reply = await self.act("get_text", selector, cursor=cursor)
            text += str(reply.get("text", ""))
            if self.calls > PAGES_MAX:
                break
        return text

    async def value(self, selector: str, **arguments: Any) -> Any:
        """Read a field's value."""
        return (await self.act("get_value", selector, **arguments)).get("value")

    async def title(self, reply: Reply | None = None) -> str:
        """Give the title that a reply has, else ask for it."""
        return str((reply or {}).get("title") or (await self.call("get_page_info")).get("title"))

    async def url(self, reply: Reply | None = None) -> str:
        """Give the address that a reply has, else ask for it."""
        return str((reply or {}).get("url") or (await self.call("get_page_info")).get("url"))

    async def ref(self, role: str, name: str, **arguments: Any) -> str:
        """Find an element in the list of what can be acted on, by role and name, as its selector."""
        reply = await self.act("list_interactive", **arguments)
        while True:
            for row in reply.get("elements", []):
                if row.get("role") == role and row.get("name") == name:
                    return f"ref={row['ref']}"
            if not (cursor := reply.get("omitted", {}).get("cursor")):
                raise Refused("not_listed", f"no {role} {name!r} in the list")
            reply = await self.act("list_interactive", cursor=cursor)

    async def right_click(self, selector: str, **arguments: Any) -> Reply:
        """Open a context menu."""
        return await self.click(selector, button="right", **arguments)

    async def double_click(self, selector: str, **arguments: Any) -> Reply:
        """Click twice."""
        return await self.click(selector, count=2, **arguments)

    async def click_at(self, selector: str, x: int, y: int, **arguments: Any) -> Reply:
        """Click at a place of an element, from its upper left corner."""
        return await self.click(selector, x=x, y=y, **arguments)

    async def wheel(self, selector: str, dy: int) -> Reply:
        """Turn the wheel over an element."""
        return await self.act("wheel", selector, dy=dy)

    async def drag_by(self, selector: str, dx: int, dy: int) -> Reply:
        """Drag by an offset."""
        return await self.act("drag", selector, dx=dx, dy=dy)

    async def wait_text(self, text: str) -> Reply:
        """Wait until a text is seen."""
        return await self.act("wait_for", f"text={text}")

    def lacks(self, missing: object) -> Any:
        """Judge a reply that lacks what the script reads: as a conclusion."""
        return f"the reply has no {missing}"

    @staticmethod
    def saved(reply: Reply) -> list[str]:
        """Name the files that a reply reports as saved."""
        files = reply.get("downloads") or []
        return [str(file.get("name")) for file in files]
