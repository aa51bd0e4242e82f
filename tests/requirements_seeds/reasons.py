"""Why a sentence of a seed may have no test: four kinds, and no reason outside this file.

"not built yet" ends with the capability; whoever builds it empties the reason and marks the tests.
"settled otherwise" and "measured wrong" stay: the project does something else, and says what.
"not a requirement" is a sentence that asks for nothing.
"""

from typing import Final

LAST_LOAD: Final = (
    "settled otherwise: against the address's last load; of a first one, null and why (SPEC, settled contradiction 0)"
)
SILENT: Final = "settled otherwise: a closed one goes first, then the longest silent (SPEC, settled contradiction 0)"
PUSH: Final = "settled otherwise: push replaces the poll (SPEC, settled contradiction 1)"
SETTLING: Final = (
    "settled otherwise: the service worker times the quiet after an action (SPEC, settled contradiction 2)"
)
ISOLATED: Final = "settled otherwise: axe-core runs in the isolated world (SPEC, settled contradiction 4)"
BY_DOCUMENT: Final = "settled otherwise: a document is asked by its id, and Chrome states when the tab has another"
VITALS: Final = "settled otherwise: INP replaces FID, LCP is read when stable (SPEC, settled contradiction 5)"
DISCONNECTED: Final = "settled otherwise: no extension, no page command (SPEC, settled contradiction 7)"
SHORTCUT: Final = "settled otherwise: the shortcut is Alt+Shift+D (SPEC, settled contradiction 9)"
LONG_WAITS: Final = (
    "settled otherwise: a wait ends before the client does and is resumed (SPEC, settled contradiction 10)"
)
STORE: Final = "settled otherwise: screenshots live in the screenshot store (SPEC, settled contradiction 12)"
INVALID_PARAMS: Final = "settled otherwise: an unknown value is invalid_params (SPEC, dispatch key)"
ONE_ERROR: Final = "settled otherwise: errors have one shape in every tool (SPEC, replies)"
CHANNEL: Final = "settled otherwise: a channel that no page can read or forge (SPEC, what a page must never notice)"
DIFF_WORKER: Final = "settled otherwise: the diff worker computes it, the page only measures (DESIGN, itinerary)"
ANSWERED: Final = "settled otherwise: a content script is there, and the worker times (SPEC, settled contradiction 2)"
LATER: Final = "settled otherwise: what comes after the reply is watched too, for the action's effects"
COUNTED: Final = (
    "settled otherwise: requests are watched for rest and failures, told with analyze (SPEC, settled contradiction 2)"
)
DEFAULT_STYLES: Final = "settled otherwise: without `properties`, the layout-relevant ones (the seed's own limits)"
LISTED: Final = "settled otherwise: every tool is always listed (the seed's own next sentence)"
CHECKED: Final = "settled otherwise: `make check` holds it, not a test"
READ: Final = "settled otherwise: counted with each change of a text, no test reads prose"
BENCH: Final = "settled otherwise: a time is measured by `make bench`, no test depends on one"
PEER_EVENTS: Final = "settled otherwise: only the broker publishes, and only lost processes; no other publisher exists"
FOLLOWS: Final = "settled otherwise: what is drawn stays on its element as the page is laid out again (draw-012)"
GONE: Final = "settled otherwise: an element that is gone is element_not_found, one of the seed's error codes"
ALREADY: Final = "settled otherwise: a status of a success, as the seed's second edge case has it"
TRANSITIONS: Final = "settled otherwise: the seed's table of transitions, which contradicts its diagram here"

WRAPPERS: Final = "measured wrong: a page notices this wrapper, and a copied body holds the network"
AXE_SIZE: Final = "measured wrong: axe-core is 654 KB, and lies in the extension's vendor folder"
DEVTOOLS: Final = "measured wrong: the debugger attaches beside another client"
NO_TIER: Final = (
    "measured wrong: no policy of a page reaches executeScript in the isolated world, strict pages and Trusted Types"
    " included, so nothing falls back; nor does an open DevTools keep the debugger away"
)
DETACHED: Final = "measured wrong: only the debugger knows detached nodes"
WORKER_MEMORY: Final = "measured wrong: what a service worker holds in memory dies with it"
NEW_FUNCTION: Final = "measured wrong: new Function fails under a strict CSP, and no limit stops its loops"
ALL_URLS: Final = "measured wrong: activeTab does not suffice, it takes <all_urls>"
WORKER_ONLY: Final = "measured wrong: only the service worker takes pictures and writes storage.session"

ABOUT: Final = "not a requirement: about the seed itself"
LEAD_IN: Final = "not a requirement: leads in to the rows after it"
RATIONALE: Final = "not a requirement: rationale"
PREMISE: Final = "not a requirement: what the seed takes for granted"
OUTSIDE: Final = "not a requirement: what the human or the assistant does"
FUTURE: Final = "not a requirement: left for the future by the seed"
FILE_PLAN: Final = "not a requirement: the seed's own source tree; ours is the design's"
EFFORT: Final = "not a requirement: effort"
