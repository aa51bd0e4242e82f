"""The messages between the bridge and the extension, as JSON text; tests/wire/link-*.json has a sample of each."""

from typing import Annotated, Any

import msgspec

PROTOCOL = "gasoline.v1"
PROOF_PROTOCOL = "proof."
"""The prefix of the subprotocol that carries the extension's proof."""


ABSENT = msgspec.Raw(b"")


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """Up, after the welcome: which extension, browser and life of the service worker this is."""

    version: str
    browser: str
    worker: str


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """Down, first of all: which server this is, and its proof. Before it, the extension sends nothing."""

    name: str
    version: str
    proof: str


class Client(msgspec.Struct, frozen=True):
    """The asking client: the id of an assistant's session, and its name for itself."""

    id: str
    name: str


class Command(msgspec.Struct, frozen=True, tag="command", omit_defaults=True):
    """Down: do this, within this time. `client`: of a command that acts."""

    id: str
    name: str
    arguments: dict[str, Any]
    timeout_ms: int
    client: Client | None = None


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """Down: the result of this is not awaited any more."""

    id: str


class Acknowledge(msgspec.Struct, frozen=True, tag="acknowledge"):
    """Up: the command arrived, and runs for over 0.1 s. Down: the result of a client's command may be forgotten."""

    id: str


class Fault(msgspec.Struct, frozen=True):
    """Why a command could not be done. It may hold page data."""

    code: str
    message: str
    details: dict[str, Any] = msgspec.field(default_factory=dict)
    recovery: str = ""


class Result(msgspec.Struct, frozen=True, tag="result"):
    """Up: the outcome of a command; either `result` or `error`."""

    id: str
    result: msgspec.Raw = ABSENT
    error: Fault | None = None


class Chunk(msgspec.Struct, frozen=True):
    """Events of one page load, in order, as the extension lists them; `id` is kept when it is sent again.

    What is no event is for the intake to leave out: it costs itself, not the chunk.
    """

    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    tab: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
    frame: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
    load: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}$")]
    page: str
    events: list[Any]


class Named(msgspec.Struct, frozen=True):
    """What of a damaged chunk may still be read."""

    id: str = ""


class Events(msgspec.Struct, frozen=True, tag="events"):
    """Up: what was captured, a Chunk each. Kept and sent again by the extension until it is stored."""

    chunks: list[msgspec.Raw]


class Stored(msgspec.Struct, frozen=True, tag="stored"):
    """Down: these chunks are in the journal, and may be forgotten."""

    ids: list[str]


class Clear(msgspec.Struct, frozen=True, tag="clear"):
    """Up: the human wants everything captured forgotten. Acknowledged when it is."""

    id: str


class Pilot(msgspec.Struct, frozen=True, tag="pilot"):
    """Up, after the hello and whenever it changes: whether the human lets an assistant act, and allows user scripts.

    `denied_sites`, `allowed_sites`: how many sites the extension keeps out of, or alone works on. `hide_personal`:
    redaction hides personal data too; None: the extension is older than that switch.
    """

    enabled: bool
    user_scripts: bool | None = None
    denied_sites: int = 0
    allowed_sites: int = 0
    hide_personal: bool | None = None


class Alive(msgspec.Struct, frozen=True, tag="alive", omit_defaults=True):
    """Both ways: keeps a service worker alive, which dies after 30 s without a message; a ping frame is none.

    `user_scripts`, of the extension's: as that of Pilot, for Chrome has no event for it.
    """

    user_scripts: bool | None = None


Up = Hello | Acknowledge | Result | Events | Clear | Pilot | Alive
_decoder: msgspec.json.Decoder[Up] = msgspec.json.Decoder(Up)
_chunk_decoder: msgspec.json.Decoder[Chunk] = msgspec.json.Decoder(Chunk)
_name_decoder: msgspec.json.Decoder[Named] = msgspec.json.Decoder(Named)
MALFORMED = (msgspec.MsgspecError, RecursionError, UnicodeError)
read_up = _decoder.decode
write = msgspec.json.Encoder().encode


def read_chunk(raw: msgspec.Raw) -> Chunk | str:
    """Read a chunk, or give the id of one that is damaged ("" if that cannot be read either)."""
    try:
        return _chunk_decoder.decode(raw)
    except MALFORMED:
        pass
    try:
        return _name_decoder.decode(raw).id
    except MALFORMED:
        return ""
