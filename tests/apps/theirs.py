"""The tools of `@playwright/mcp` as an assistant uses them for the same scripts, with calls and bytes counted.

A script names elements by selectors, which these tools take too, so neither side pays for a look at the page that the
script does not ask for. What has no tool is done as a person with these tools would: a key for an element after the
focus was put there, a place of an element by its box, a text by `browser_evaluate`. What cannot be done is Untried.
"""

import re
from typing import Any, Final

import msgspec

from apps.ours import Ours, Reply
from apps.tasks import Refused, Untried
from system import Assistant

TEXT: Final = "(element) => element.innerText"
VALUE: Final = "(element) => element.value ?? element.innerText"
BOX: Final = (
    "(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return [x, y, width, height]; }"
)
MATCHES: Final = (
    "() => [...document.querySelectorAll(%s)].map((element) => ({ text: element.innerText,"
    " attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])) }))"
)
HEADINGS: Final = "() => [...document.querySelectorAll('h1, h2, h3')].map((one) => `${one.localName} ${one.innerText}`)"
LISTS: Final = ("#id_kind",)
"""The lists among the fields of the scripts: a snapshot would show what they are."""

LOOSE, EXACT = "i", "s"
"""How a label is compared: that of a list has its options in it, and ends with a colon before them."""

LISTED = {"button", "checkbox", "combobox", "link", "menuitem", "option", "radio", "searchbox", "slider", "spinbutton"}
LISTED |= {"switch", "tab", "textbox"}
"""The roles of a snapshot that people work with."""

LOOKS_MAX: Final = 5


def target(selector: str, nth: int | None = None) -> str:
    """Write a selector of a script as one of these tools'."""
    engine, _, wanted = selector.partition("=")
    written = selector
    if engine == "label":
        written = f"internal:label={msgspec.json.encode(wanted).decode()}{LOOSE if wanted.endswith(':') else EXACT}"
    elif engine == "placeholder":
        written = f"[placeholder={msgspec.json.encode(wanted).decode()}]"
    elif engine == "ref":
        written = wanted
    return written if nth is None else f"{written} >> nth={nth}"


class Theirs(Ours):
    """A client's session with these tools that counts."""

    def __init__(self, client: Assistant) -> None:
        super().__init__(client)
        self._at = ""

    async def tool(self, name: str, **arguments: Any) -> str:
        """Call a tool of theirs.

        Raises:
            Refused: it answered with an error.

        """
        result = await self._client.client.call_tool(name, arguments)
        text = "\n".join(getattr(content, "text", "") for content in result.content)
        request = msgspec.json.encode(arguments).decode()
        self.calls += 1
        self.sent += len(name) + len(request.encode())
        self.received += len(text.encode())
        self.log.append(f"{name} {request}\n  {text}")
        if result.is_error:
            raise Refused("error", text.removeprefix("### Error\n"))
        return text

    async def call(self, tool: str, **arguments: Any) -> Reply:
        """Answer one of the reads of our tools."""
        if tool == "query_dom":
            found = await self._evaluated(MATCHES % msgspec.json.encode(arguments["selector"]).decode())
            return {"matches": found}
        if tool == "get_page_info":
            headings = await self._evaluated(HEADINGS)
            return {"headings": headings, **await self._page()}
        if tool == "observe":
            return {"requests": await self._requests(arguments)}
        raise Untried(tool)

    async def act(self, action: str, selector: str = "", **arguments: Any) -> Reply:
        """Do what an action of ours does."""
        do = getattr(self, f"_{action}", None)
        if do is None:
            raise Untried(action)
        at = target(selector, arguments.pop("nth", None)) if selector else ""
        arguments.pop("tab_id", None)
        text = await do(at, **arguments)
        return text if isinstance(text, dict) else _reply(text)

    async def read(self, selector: str, **arguments: Any) -> str:
        """Read a text."""
        return str(await self._evaluated(TEXT, target=target(selector, arguments.get("nth"))))

    async def ref(self, role: str, name: str, **_: Any) -> str:
        """Find an element in a snapshot, as its selector."""
        found = re.search(rf'- {role} "{re.escape(name)}".*?\[ref=(\w+)\]', await self.tool("browser_snapshot"))
        if not found:
            raise Refused("not_listed", f"no {role} {name!r} in the snapshot")
        return f"ref={found[1]}"

    def lacks(self, missing: object) -> Untried:
        """Judge a reply that lacks what the script reads: its place is in other replies here."""
        return Untried(f"no {missing} in a reply")

    @staticmethod
    def saved(reply: Reply) -> list[str]:
        """Name no files: over the DevTools protocol these tools save in a folder of their own."""
        del reply
        raise Untried("saved files")

    async def _click(self, at: str, x: int | None = None, y: int | None = None, **more: Any) -> str:
        if x is not None and y is not None:
            left, top, _, _ = await self._evaluated(BOX, target=at)
            button = {"button": more["button"]} if "button" in more else {}
            count = {"clickCount": more["count"]} if "count" in more else {}
            return await self.tool("browser_mouse_click_xy", x=left + x, y=top + y, **button, **count)
        if set(more) - {"button", "count", "analyze"} or "analyze" in more:
            raise Untried(", ".join(more))
        doubled = {"doubleClick": True} if more.pop("count", 1) == 2 else {}
        self._at = at
        return await self.tool("browser_click", target=at, **doubled, **more)

    async def _type(self, at: str, text: str) -> str:
        self._at = at
        return await self.tool("browser_type", target=at, text=text)

    async def _key_press(self, at: str, key: str) -> str:
        if at and at not in {self._at, "body"}:
            await self._focus(at)
        return await self.tool("browser_press_key", key=key)

    async def _focus(self, at: str) -> str:
        self._at = at
        return await self.tool("browser_evaluate", target=at, function="(element) => element.focus()")

    async def _fill_form(self, _: str, fields: list[dict[str, Any]], *, submit: bool = False) -> str:
        rows = [_field(field) for field in fields]
        done = await self.tool("browser_fill_form", fields=rows)
        return await self.tool("browser_click", target="input[type=submit] >> nth=0") if submit else done

    async def _select(self, at: str, value: str = "", values: list[str] | None = None) -> str:
        return await self.tool("browser_select_option", target=at, values=values or [value])

    async def _check(self, at: str) -> str:
        return await self.tool(
            "browser_fill_form", fields=[{"name": "box", "type": "checkbox", "target": at, "value": "true"}]
        )

    async def _upload(self, at: str, files: list[str]) -> str:
        await self.tool("browser_click", target=at)
        return await self.tool("browser_file_upload", paths=files)

    async def _hover(self, at: str) -> str:
        return await self.tool("browser_hover", target=at)

    async def _wheel(self, at: str, dx: int = 0, dy: int = 0) -> str:
        await self.tool("browser_hover", target=at)
        return await self.tool("browser_mouse_wheel", deltaX=dx, deltaY=dy)

    async def _drag(self, at: str, to: str = "", dx: int = 0, dy: int = 0) -> str:
        if to:
            return await self.tool("browser_drag", startTarget=at, endTarget=target(to))
        left, top, width, height = await self._evaluated(BOX, target=at)
        x, y = left + width / 2, top + height / 2
        return await self.tool("browser_mouse_drag_xy", startX=x, startY=y, endX=x + dx, endY=y + dy)

    async def _set_attribute(self, at: str, attribute: str, value: str) -> str:
        written = f"(element) => element.setAttribute({msgspec.json.encode([attribute, value]).decode()[1:-1]})"
        return await self.tool("browser_evaluate", target=at, function=written)

    async def _get_value(self, at: str) -> Reply:
        return {"value": await self._evaluated(VALUE, target=at)}

    async def _wait_for(self, at: str) -> str:
        if at.startswith("text="):
            return await self.tool("browser_wait_for", text=at.removeprefix("text="))
        for _ in range(LOOKS_MAX):
            if await self._evaluated(f"() => document.querySelector({msgspec.json.encode(at).decode()}) !== null"):
                return ""
            await self.tool("browser_wait_for", time=1)
        raise Refused("not_there", at)

    async def _list_interactive(self, at: str) -> Reply:
        text = await self.tool("browser_snapshot", **({"target": at} if at else {}))
        rows = re.findall(r'- (\w+)(?: "([^"]*)")?.*?\[ref=(\w+)\]', text)
        return {"elements": [{"role": role, "name": name, "ref": ref} for role, name, ref in rows if role in LISTED]}

    async def _page(self) -> Reply:
        return _reply(await self.tool("browser_tabs", action="list"))

    async def _requests(self, asked: dict[str, Any]) -> list[Reply]:
        filter_ = {"filter": re.escape(asked["url_filter"])} if "url_filter" in asked else {}
        text = await self.tool("browser_network_requests", **filter_)
        rows = re.findall(r"\[(\w+)\] (\S+)(?: => \[(\d+)\])?", text)
        found = [
            {"method": method, "url": url, **({"status": int(code)} if code else {})} for method, url, code in rows
        ]
        return [row for row in found if row.get("status", 0) >= asked.get("status_min", 0)]

    async def _evaluated(self, function: str, **at: str) -> Any:
        text = await self.tool("browser_evaluate", function=function, **at)
        found = re.search(r"### Result\n(.*?)(?=\n### |\Z)", text, re.DOTALL)
        if not found:
            return None
        return msgspec.json.decode(found[1]) if found[1] != "undefined" else None


def _field(field: dict[str, Any]) -> dict[str, Any]:
    selector = field["selector"]
    kind = "checkbox" if "checked" in field else "combobox" if selector in LISTS else "textbox"
    value = str(field["value"]) if "value" in field else str(field["checked"]).lower()
    return {"name": selector, "type": kind, "target": target(selector), "value": value}


def _reply(text: str) -> Reply:
    """Read what is reported of the page."""
    url = re.search(r"- Page URL: (.*)", text) or re.search(r"\(current\).*?\((\S+)\)", text)
    title = re.search(r"- Page Title: (.*)", text) or re.search(r"\(current\) \[(.*?)\]", text)
    return {"reply": text, **({"url": url[1]} if url else {}), **({"title": title[1]} if title else {})}


async def choose_tab(client: Assistant, address: str) -> None:
    """Have the tools work in the tab that shows an address; this is no part of a task."""
    result = await client.client.call_tool("browser_tabs", {"action": "list"})
    text = "\n".join(getattr(content, "text", "") for content in result.content)
    rows = re.findall(r"^- (\d+):.*?\((\S+)\)$", text, re.MULTILINE)
    index = next((int(number) for number, url in rows if url == address), None)
    assert index is not None, (address, text)
    await client.client.call_tool("browser_tabs", {"action": "select", "index": index})
