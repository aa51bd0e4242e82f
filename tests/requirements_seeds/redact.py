"""What issue 20 asks of redaction, as far as it is built; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("redact-001", "redact", "Deliver", "Prefilters are derived from the rules: every rule's example and every name that means a secret passes its prefilter."),
    Requirement("redact-002", "redact", "Deliver", "Issuers are a data table of at least 200 kinds, with one set automaton over all of them."),
    Requirement("redact-003", "redact", "Deliver", "One decode stage for every string: percent, entities, base64 and base64url, hex, JSON in strings, quoted-printable, gzip in base64; a secret inside is hidden at its place in the outer text."),
    Requirement("redact-004", "redact", "Deliver", "Users' own rules and allow-lists in TOML are applied by each redaction process."),
    Requirement("redact-005", "redact", "Deliver", "Personal data (e-mail, phone, card, IBAN, national ids) are a second, switchable set."),
    Requirement("redact-006", "redact", "Deliver", "A rule file is validated with a clear error; one with an exponential pattern is handled or refused clearly."),
    Requirement("redact-007", "redact", "Deliver", "`gasoline redact test FILE` shows what would be hidden and why, coloured; `gasoline redact rules` lists them."),
    Requirement("redact-008", "redact", "Deliver", "A secret seen once stays known: a token seen in a header is hidden where it is later logged bare; no ordinary word is."),
    Requirement("redact-009", "redact", "Deliver", "What is known are keyed hashes by session (key made at start, never stored), shared by all redaction processes through the broker; bounded, aged."),
    Requirement("redact-010", "redact", "Deliver", "Name and value apart: tables as Markdown, CSV and console.table, a label and its input, key paths, JSON Patch, arguments of calls with a telling method, RESP, blocks."),
    Requirement("redact-011", "redact", "Deliver", "An unquoted value under a name for a recovery phrase or a passphrase runs across its spaces; a sentence about one is none."),
    Requirement("redact-012", "redact", "Deliver", "Nothing beside it: a marker inside a rewritten text does not swallow the whole text."),
    Requirement("redact-013", "redact", "Deliver", "Stable typed handles: `⟦github-token#1⟧`, the same secret the same handle within a session, never derived from its value; across all redaction processes, channels and restarts."),
    Requirement("redact-014", "redact", "Deliver", '`interact(type, text:"⟦password#1⟧")` is resolved in the browser\'s side alone, for the origin that it came from; an unknown handle is an error, never typed as text.'),
    Requirement("redact-015", "redact", "Deliver", '`observe(what:"redactions")` counts by kind and place.'),
    Requirement("redact-016", "redact", "Deliver", "Every way out: marked secrets planted in every channel (console, headers, bodies, URLs, titles, DOM text, attributes, WebSocket text and binary, storage, stack traces, pictures' metadata and pictures themselves, axe snippets, annotations, audit trail, file names, logs, traces, crash output, the database and its deleted pages, generated tests, HAR, SARIF, reports) are found in none, nor 8 characters of them, on real Chromium."),
    Requirement("redact-017", "redact", "Deliver", "Randomness is judged by a bigram score instead of humps and groups of digits: of random values of 16 characters under a telling name at most 0.5 % pass as words, of 20 at most 0.1 %."),
    Requirement("redact-018", "redact", "Deliver", "A verb or a negation earlier in a sentence does not make its `name=value` harmless."),
    Requirement("redact-019", "redact", "Deliver", "A handle is typed on pages of the origin that showed its secret, as the browser itself judges origins (a sandboxed page has none), never on the page around a frame that showed it, and never into a text that others read."),
    Requirement("redact-020", "redact", "Deliver", "No process of the system leaves a core file, and no repr has a secret that a handle stands for."),
)
