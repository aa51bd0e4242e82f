"""Collapses the mutation records of an action to the changes that remain.

Rules of this file:
- A node is added if it is there now and was not, removed if it was and is not, moved if it was taken out and put back.
  One that came and went cancels out. What is there is what hangs, over its parents, on the root.
- Only the top counts: nodes in an added or removed one are skipped, and so is what changed on them.
- An attribute or a text that ends where it began is dropped. Two values that redaction hid may differ: they are kept.
- What only points to ids that a library generates is counted, not listed.
- Nodes of one selector are one row. As many added as removed of one selector were replaced.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from gasoline_workers.diff.generated_ids import points_to_generated
from gasoline_workers.diff.messages import AttributeRow, Children, DomChanges, Mutations, NodesRow, TextRow, Values
from gasoline_workers.diff.reading import items, number, struct, whole
from gasoline_workers.diff.sentences import counted, cut
from gasoline_workers.redaction.messages import MARKER

ROWS = 20  # a category (seed 001: "cap 20 per category")
SELECTOR, TEXT, VALUE, NAME = 100, 60, 100, 100  # characters of each in a row
ROOT = -1


class Nodes(NamedTuple):
    """The nodes that records speak of, by number, and their names; the last name is that of unnamed nodes."""

    parents: list[int]
    names: list[int]
    selectors: list[str]
    samples: list[str]

    def selector(self, name: int) -> str:
        """Return a name's selector, for a row."""
        return cut(self.selectors[name], SELECTOR) or "?"

    def sample(self, name: int) -> str:
        """Return a name's text, for a row."""
        return cut(self.samples[name], TEXT) if name < len(self.samples) else ""


class Moves(NamedTuple):
    """What came and went, as columns, and of each node its first and its last record's place in them."""

    parent: list[int]
    came: list[int]
    first: dict[int, int]
    last: dict[int, int]


class Tally(NamedTuple):
    """How many nodes came, went, or stand elsewhere, by their name; each in one of them, once, if at all."""

    added: Counter[int]
    removed: Counter[int]
    moved: Counter[int]


class Columns(NamedTuple):
    """Changed values: the node, and what stood there before and after."""

    node: list[int]
    old: list[Any]
    new: list[Any]


class Change(NamedTuple):
    """A value that changed, of the first node of a selector, and of how many."""

    selector: str
    name: str
    before: str | None
    after: str | None
    nodes: int


class Presence(dict[int, bool]):
    """Whether a node is there, before the records or after them; what is not known yet is found out.

    `at`: of each node the place of its first, or its last record; `absent`: the mark of an absent node.
    """

    def __init__(self, nodes: Nodes, moves: Moves, at: Mapping[int, int], absent: int) -> None:
        super().__init__({ROOT: True})
        self._parents, self._moves, self._at, self._absent = nodes.parents, moves, at, absent

    def __missing__(self, node: int) -> bool:
        """Go up until it is known, and remember it of all on the way."""
        way: list[int] = []
        while node not in self:
            way.append(node)
            self[node] = True  # a circle of parents ends here
            place = self._at.get(node)
            if place is None:
                node = self._parents[node] if 0 <= node < len(self._parents) else ROOT
            elif self._moves.came[place] == self._absent:
                self[node] = False
            else:
                node = self._moves.parent[place]
        there = self[node]
        self.update(dict.fromkeys(way, there))
        return there


def collapse(measured: object) -> DomChanges:
    """Collapse Mutations."""
    mutations = struct(measured, Mutations)
    nodes = _nodes(mutations)
    moves, records = _moves(struct(mutations.children, Children), len(nodes.parents))
    was, now = Presence(nodes, moves, moves.first, absent=1), Presence(nodes, moves, moves.last, absent=0)
    by_name = mutations.attributes if isinstance(mutations.attributes, dict) else {}
    columns = {name: _columns(struct(one, Values)) for name, one in by_name.items() if isinstance(name, str)}
    texts = _columns(struct(mutations.texts, Values))
    stayed = _stayed(nodes, moves, was, now)
    attributes = [change for name, one in columns.items() for change in _changes(name, one, nodes, stayed)]
    seen = records + sum(len(one.node) for one in (texts, *columns.values()))
    tally = _tally(nodes, moves, was, now)
    return _dom_changes(
        nodes, tally, attributes, _changes("", texts, nodes, stayed), max(0, whole(mutations.count) - seen)
    )


def _nodes(mutations: Mutations) -> Nodes:
    parents, names = items(mutations.parents, int, ROOT), items(mutations.names, int, ROOT)
    selectors, samples = items(mutations.selectors, str, ""), items(mutations.samples, str, "")
    nobody = len(selectors)
    if len(names) < len(parents) or min(names, default=0) < 0 or max(names, default=0) >= nobody:
        named = [name if 0 <= name < nobody else nobody for name in names]
        names = named + [nobody] * (len(parents) - len(names))
    return Nodes(parents, names, [*selectors, ""], samples[:nobody])


def _moves(children: Children, nodes: int) -> tuple[Moves, int]:
    """Read what came and went, and give how many records that were, of known nodes or not."""
    node, parent, came = (
        items(children.node, int, ROOT),
        items(children.parent, int, ROOT),
        items(children.came, int, 1),
    )
    count = min(len(node), len(parent), len(came))
    node, parent, came = node[:count], parent[:count], came[:count]
    if min(node, default=0) < 0 or max(node, default=0) >= nodes:
        known = [at for at, one in enumerate(node) if 0 <= one < nodes]
        node, parent, came = ([column[at] for at in known] for column in (node, parent, came))
    places = range(len(node))
    first = dict(zip(reversed(node), reversed(places), strict=True))
    return Moves(parent, came, first, dict(zip(node, places, strict=True))), count


def _tally(nodes: Nodes, moves: Moves, was: Presence, now: Presence) -> Tally:
    """Count by what decides it: most nodes share their name, and their parents at first and at last."""
    first = [moves.first[node] for node in moves.last]
    last = moves.last.values()
    named, parent, came = nodes.names.__getitem__, moves.parent.__getitem__, moves.came.__getitem__
    names, begun, ended = map(named, moves.last), map(came, first), map(came, last)
    groups = Counter(zip(names, begun, map(parent, first), ended, map(parent, last), strict=True))
    tally = Tally(Counter(), Counter(), Counter())
    for (name, first_came, origin, last_came, place), count in groups.items():
        was_there, is_there = first_came != 1 and was[origin], last_came != 0 and now[place]
        if was_there and is_there and was[place] and now[origin]:
            tally.moved[name] += count
        elif was_there and not is_there and now[origin]:
            tally.removed[name] += count
        elif is_there and not was_there and was[place]:
            tally.added[name] += count
    return tally


def _stayed(nodes: Nodes, moves: Moves, was: Presence, now: Presence) -> Callable[[Iterable[int]], list[int]]:
    """Return what picks the nodes that were there all the time."""

    def hangs(node: int) -> bool:
        return was[node] and now[node]

    def moved_within(node: int) -> bool:
        first, last = moves.came[moves.first[node]], moves.came[moves.last[node]]
        return first != 1 and last != 0 and hangs(node)

    def pick(found: Iterable[int]) -> list[int]:
        known = [node for node in found if 0 <= node < len(nodes.parents)]
        if not moves.last:
            return known
        parents = {parent for parent in set(map(nodes.parents.__getitem__, known)) if hangs(parent)}
        return [
            node for node in known if (moved_within(node) if node in moves.last else nodes.parents[node] in parents)
        ]

    return pick


def _columns(values: Values) -> Columns:
    node = items(values.node, int, ROOT)
    old, new = (column if isinstance(column, list) else [] for column in (values.old, values.new))
    count = min(len(node), len(old), len(new))
    return Columns(node[:count], old[:count], new[:count])


def _changes(name: str, columns: Columns, nodes: Nodes, stayed: Callable[[Iterable[int]], list[int]]) -> list[Change]:
    """Return for each selector the first node whose value is not as it was, and how many there are."""
    node, old, new = columns
    first = dict(zip(reversed(node), reversed(old), strict=True))
    last = dict(zip(node, new, strict=True))
    changed = stayed(one for one, after in last.items() if after != first[one] or _is_hidden(after))
    groups = Counter(map(nodes.names.__getitem__, changed))
    samples = dict(zip(map(nodes.names.__getitem__, reversed(changed)), reversed(changed), strict=True))
    found: dict[str, Change] = {}
    for named, count in groups.items():
        selector, one = nodes.selector(named), samples[named]
        change = found.get(selector) or Change(selector, name, _value(first[one]), _value(last[one]), 0)
        found[selector] = change._replace(nodes=change.nodes + count)
    return list(found.values())


def _is_hidden(value: object) -> bool:
    """Return whether two values may differ that read alike; a handle is of one secret alone."""
    return isinstance(value, str) and MARKER in value


def _value(value: object) -> str | None:
    if isinstance(value, str):
        return cut(value, VALUE)
    return None if number(value) is None else str(value)


def _dom_changes(
    nodes: Nodes, tally: Tally, attributes: list[Change], texts: list[Change], unexamined: int
) -> DomChanges:
    added, removed, moved = (_rows(nodes, counts) for counts in tally)
    replaced = {name: row for name, row in added.items() if name in removed and removed[name].count == row.count}
    generated = [one for one in attributes if points_to_generated(one.name, one.before, one.after)]
    listed = [one for one in attributes if one not in generated]
    groups: dict[str, list[Any]] = {
        "added": _largest(row for name, row in added.items() if name not in replaced),
        "removed": _largest(row for name, row in removed.items() if name not in replaced),
        "replaced": _largest(replaced.values()),
        "moved": _largest(moved.values()),
        "attributes": [AttributeRow(one.selector, cut(one.name, NAME), *one[2:]) for one in listed],
        "texts": [
            TextRow(one.selector, cut(one.before or "", TEXT), cut(one.after or "", TEXT), one.nodes) for one in texts
        ],
    }
    more = {name: len(rows) - ROWS for name, rows in groups.items() if len(rows) > ROWS}
    kept = {name: rows[:ROWS] for name, rows in groups.items()}
    count = sum(one.nodes for one in generated)
    text = summary(groups, unexamined, count)
    return DomChanges(text, **kept, more=more, generated_ids=count, unexamined=unexamined)


def _rows(nodes: Nodes, counts: Counter[int]) -> dict[str, NodesRow]:
    """Return a row for each selector; its text is the first that there is."""
    rows: dict[str, NodesRow] = {}
    for name, count in counts.items():
        selector = nodes.selector(name)
        row = rows.get(selector) or NodesRow(selector, 0)
        rows[selector] = NodesRow(selector, row.count + count, row.text or nodes.sample(name))
    return rows


def _largest(rows: Iterable[NodesRow]) -> list[NodesRow]:
    return sorted(rows, key=lambda row: -row.count)


def summary(groups: Mapping[str, list[Any]], unexamined: int = 0, generated: int = 0) -> str:
    """Count what changed, in a few words: `2 added, 1 attr changed`, `25 items added`, `no changes`.

    "items" are nodes of one selector, more than one.
    """
    counts = {name: sum(row.count for row in rows) for name, rows in groups.items()}
    parts = [
        f"{count} {'items ' if count > 1 and len(groups[name]) == 1 else ''}{name}"
        for name, count in counts.items()
        if count and name not in {"attributes", "texts"}
    ]
    parts += [f"{counted(counts[name], word)} changed" for name, word in WORDS.items() if counts.get(name)]
    parts += [f"{counted(generated, 'generated id')} changed"] if generated else []
    parts += [f"{counted(unexamined, 'more mutation')} not examined"] if unexamined else []
    return ", ".join(parts) or "no changes"


WORDS = {"attributes": "attr", "texts": "text"}
