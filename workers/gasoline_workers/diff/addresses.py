"""Short names for addresses, read as text: what redaction has marked is not a URL to a parser."""

from gasoline_workers.diff.sentences import cut
from gasoline_workers.redaction.messages import unnumbered

SHOWN = 200  # characters of an address in a row
NAMED = 60  # in a sentence


def without_fragment(url: str) -> str:
    """Return the address of what is loaded: its query matters, its fragment only where it is a route (`#/`, `#!`)."""
    bare, _, fragment = url.partition("#")
    return url if fragment.startswith(("/", "!")) else bare


def shown(url: str, page: str) -> str:
    """Return an address for a row: on the page's own origin without that (seed 001: `/main.js`), never a long one."""
    url = without_fragment(unnumbered(url))
    origin = _origin(page)
    return cut(url.removeprefix(origin) if origin and url.startswith(origin + "/") else url, SHOWN)


def file_name(url: str) -> str:
    """Return the last part of an address for a sentence, `old-bundle.js`; the host where there is no such part."""
    path = path_of(url, NAMED * 100)
    return cut(path.rstrip("/").rpartition("/")[2] or path, NAMED)


def path_of(url: str, most: int = NAMED) -> str:
    """Return an address for a sentence without its origin and query, `/api/items`; the host where that is all."""
    scheme, there, rest = unnumbered(url).partition("://")
    if not there and scheme.partition(":")[0] in {"data", "blob"}:
        return f"{scheme.partition(':')[0]}: URL"
    bare = (rest if there else url).partition("#")[0].partition("?")[0]
    host, slash, path = bare.partition("/") if there else ("", "", bare)
    return cut(slash + path if path else host or bare or "?", most)


def _origin(url: str) -> str:
    scheme, there, rest = url.partition("://")
    return scheme + there + rest.partition("#")[0].partition("?")[0].partition("/")[0] if there else ""
