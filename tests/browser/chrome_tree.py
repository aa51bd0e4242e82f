"""Compares the controls of an outline with those of Chrome's own accessibility tree, by role and name."""

import re
from collections import Counter
from typing import Any, NamedTuple

from gasoline_bridge.devtools import Tab

ROLES = frozenset(
    (
        *("button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio"),
        *("option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem"),
    )
)
CHROME = {
    **dict.fromkeys(("DisclosureTriangle", "DisclosureTriangleGrouped"), "button"),
    **dict.fromkeys(("Date", "DateTime", "InputTime", "ColorWell"), "textbox"),  # for which HTML-AAM has no role
}
"""ARIA's names for roles that Chrome calls otherwise; an option of a closed list is none of its own."""

CONTROL = re.compile(r"\[\d+ ((?:[^\]\\]|\\.)*)\]")
NAME_CHARACTERS = 80
ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")

Control = tuple[str, str]


class Compared(NamedTuple):
    """How many controls of an outline Chrome has with the same role and name, and which it has not.

    `missing`: those of Chrome's that the outline has not.
    """

    equal: int
    differing: list[Control]
    missing: list[Control]


def plain(name: str) -> str:
    """Give a name as both sides have it: without signs of icon fonts, and not longer than an outline writes it."""
    return " ".join(UNSEEN.sub("", ICONS.sub(" ", name)).split())[:NAME_CHARACTERS].strip()


def controls_of(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Give the role of each control of an outline, and what may be its name: a value may follow it."""
    controls = []
    for found in (match[1] for line in lines for match in CONTROL.finditer(line) if not _is_escaped(line, match)):
        head, _, said = re.sub(r"\\(.)", r"\1", found).partition(": ")
        names = [said, *(said[: end.start()] for end in re.finditer(r" = |^= | \(of |^\(of ", said))]
        controls.append((head.split()[0], [plain(name) for name in names]))
    return controls


def _is_escaped(line: str, match: re.Match[str]) -> bool:
    return match.start() > 0 and line[match.start() - 1] == "\\"


async def chrome_controls(tab: Tab) -> list[Control]:
    """Read role and name of every control that Chrome's trees of a page and its frames have."""
    await tab.send("Accessibility.enable")
    frames = _frames((await tab.send("Page.getFrameTree"))["frameTree"])
    trees = [await tab.send("Accessibility.getFullAXTree", frameId=frame) for frame in frames]
    nodes = [node for tree in trees for node in tree["nodes"]]
    named = [(_role(node), plain(node.get("name", {}).get("value", ""))) for node in nodes if not node["ignored"]]
    return [(role, name) for role, name in named if role in ROLES]


def _frames(tree: dict[str, Any]) -> list[str]:
    """List the frames of a process."""
    return [tree["frame"]["id"], *(one for child in tree.get("childFrames", []) for one in _frames(child))]


def _role(node: dict[str, Any]) -> str:
    role: str = node["role"]["value"]
    return CHROME.get(role, role)


def compare(lines: list[str], chrome: list[Control]) -> Compared:
    """Compare the controls that have a role, each with one of Chrome's."""
    left, differing, equal = Counter(chrome), [], 0
    for role, names in controls_of(lines):
        if role not in ROLES:
            continue
        same = next(((role, name) for name in names if left[role, name] > 0), None)
        if same is None:
            differing.append((role, names[0]))
        else:
            left[same] -= 1
            equal += 1
    return Compared(equal, differing, [*left.elements()])
