"""Compares what two loads requested, by address; a size that is absent is unknown, never zero.

Rules of this file:
- The same address is that without the fragment. One that was requested again counts once, at its largest.
- The size of a resource is that of its content as sent (encodedSize), else transferSize. So a response out of the
  cache, or one that was only confirmed (304), is as large as before, and not shrunk.
- Sizes of another origin that does not allow to read them (Timing-Allow-Origin) are absent, or all 0.
- Thresholds of seed 001: added over 1 KB or render-blocking; removed always; resized over 10 % and over 1 KB.
"""

from typing import Any, NamedTuple, TypeVar

from gasoline_workers.diff.addresses import shown, without_fragment
from gasoline_workers.diff.messages import Number, ResizedRow, Resource, ResourceDiff, ResourceRow
from gasoline_workers.diff.reading import items, kb, number, text
from gasoline_workers.redaction.messages import MARKER, unnumbered

KB = 1024
GROWN = 0.1
ROWS = 10  # of all lists: a page that is another one altogether has hundreds
TYPE = 32  # characters

Pair = tuple[Resource, Resource]
Row = TypeVar("Row")


class Paired(NamedTuple):
    """What both loads requested, where its sizes differ, and what only one of them did; by address."""

    resent: list[tuple[str, Resource, Resource]]
    added: dict[str, Resource]
    removed: dict[str, Resource]


class Change(NamedTuple):
    """A resource that came, went, or has another size; a size is None where it is unknown, or there is none."""

    url: str
    resource: Resource
    before: Number | None
    after: Number | None

    @property
    def delta(self) -> Number:
        """How many bytes more there are; 0 where that is unknown."""
        return (self.after or 0) - (self.before or 0)


class Changes(NamedTuple):
    """The changes that are worth a row, the largest first."""

    added: list[Change]
    removed: list[Change]
    resized: list[Change]


def paired(before: object, after: object) -> Paired:
    """Pair the resources of two loads. Where one of the lists is none, nothing is known to have come or gone."""
    if not isinstance(before, list) or not isinstance(after, list):
        return Paired([], {}, {})
    old, new = _by_url(before), _by_url(after)
    return Paired(
        [(url, one, new[url]) for url, one in old.items() if url in new and not _is_same(one, new[url])],
        {url: one for url, one in new.items() if url not in old},
        {url: one for url, one in old.items() if url not in new},
    )


def _is_same(old: Resource, new: Resource) -> bool:
    """Spare most of them the reading."""
    return bool(old.encoded_size == new.encoded_size and old.transfer_size == new.transfer_size)


def _by_url(listed: list[Any]) -> dict[str, Resource]:
    found: dict[str, Resource] = {}
    for resource in items(listed, Resource):
        url = resource.url
        if isinstance(url, str) and url and url != MARKER:
            url = without_fragment(unnumbered(url)) if "#" in url else url
            if url not in found or (content(resource) or 0) > (content(found[url]) or 0):
                found[url] = resource
    return found


def content(resource: Resource) -> Number | None:
    """Return the bytes of a resource's content, None where they are unknown."""
    if encoded := number(resource.encoded_size):
        return encoded
    sent = number(resource.transfer_size)
    if not sent:
        return None
    return sent if encoded is None else 0


def is_cached(resource: Resource) -> bool:
    """Return whether it came without the network (Resource Timing, transferSize: 0 for a cache that needs no fetch)."""
    if resource.cached is True:
        return True
    return resource.transfer_size == 0 and bool(number(resource.encoded_size) or number(resource.decoded_size))


def changes(pairs: Paired) -> Changes:
    """Return what is worth a report by the thresholds of seed 001."""
    added = (Change(url, one, None, content(one)) for url, one in pairs.added.items())
    removed = (Change(url, one, content(one), None) for url, one in pairs.removed.items())
    both = (Change(url, new, content(old), content(new)) for url, old, new in pairs.resent)
    return Changes(
        _sorted([one for one in added if one.delta > KB or one.resource.render_blocking is True]),
        _sorted(list(removed)),
        _sorted([one for one in both if _is_resized(one.before, one.after)]),
    )


def _is_resized(before: Number | None, after: Number | None) -> bool:
    if before is None or after is None:
        return False
    return abs(after - before) > KB and abs(after - before) > GROWN * before


def _sorted(found: list[Change]) -> list[Change]:
    return sorted(found, key=lambda one: (-abs(one.delta), one.url))


def no_longer_sent(pairs: Paired) -> Number:
    """Return how many bytes the cache alone has spared since the load before; below 0: it spared more then."""
    moved = ((old, new) for _url, old, new in pairs.resent if old.transfer_size != new.transfer_size)
    return sum(
        (number(old.transfer_size) or 0) - (number(new.transfer_size) or 0)
        for old, new in moved
        if is_cached(old) != is_cached(new)
    )


def rows(found: Changes, page: str) -> ResourceDiff:
    """Return the changes as rows; addresses of the origin of `page` without that."""
    kept = Changes(*_largest(found))
    more = {name: len(every) - len(some) for name, every, some in zip(Changes._fields, found, kept, strict=True)}
    return ResourceDiff(
        [_row(one, one.after, page) for one in kept.added],
        [_row(one, one.before, page) for one in kept.removed],
        [ResizedRow(shown(one.url, page), kb(one.before or 0), kb(one.after or 0)) for one in kept.resized],
        {name: count for name, count in more.items() if count},
    )


def _largest(found: Changes) -> list[list[Change]]:
    """Take the largest of all lists, each list in its order."""
    weighed = sorted((-abs(one.delta), number, at) for number, each in enumerate(found) for at, one in enumerate(each))
    kept = {(number, at) for _weight, number, at in weighed[:ROWS]}
    return [[one for at, one in enumerate(each) if (number, at) in kept] for number, each in enumerate(found)]


def _row(change: Change, size: Number | None, page: str) -> ResourceRow:
    one = change.resource
    return ResourceRow(
        shown(change.url, page),
        (text(one.initiator) or "other")[:TYPE],
        None if size is None else kb(size),
        render_blocking=one.render_blocking is True,
        cached=is_cached(one),
    )
