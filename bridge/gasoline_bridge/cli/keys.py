"""What `gasoline keys` shows: the public key, the machines that are let in, a worker's settings; never a secret."""

import msgspec

from gasoline_bridge.cli.tables import table
from gasoline_broker.keys import Keys
from gasoline_broker.settings import Settings


class Machine(msgspec.Struct, frozen=True):
    """One that is let in."""

    name: str
    key: str


class Known(msgspec.Struct, frozen=True):
    """What may be shown of the keys. `listen`: where other machines are met, as set; empty: nowhere."""

    public_key: str
    listen: str
    machines: list[Machine]


def read(settings: Settings) -> Known:
    """Read the keys; this machine's pair is made when there is none.

    Raises:
        CannotStart: the folder, or what is in it, cannot be used.

    """
    keys = Keys(settings)
    machines = [Machine(name, key) for name, key in keys.allowed().items()]
    return Known(keys.own().public.hex(), settings.listen, machines)


def as_json(known: Known) -> str:
    """Give the keys as one JSON object."""
    return msgspec.json.encode(known).decode()


def as_text(known: Known) -> str:
    """Give the keys as text for a person."""
    lines = [f"this machine's public key: {known.public_key}", ""]
    if known.machines:
        lines += [*table(("let in", "key"), [(one.name, one.key) for one in known.machines], left=2), ""]
    else:
        lines += ["No other machine is let in.", ""]
    address = known.listen or "tcp://THIS-MACHINE:7891"
    return "\n".join(
        [
            *lines,
            f"For workers on other machines this one is started by: GASOLINE_LISTEN={address} gasoline up",
            "  there  gasoline keys",
            "  here   gasoline keys allow NAME KEY",
            f"  there  GASOLINE_BROKER={address} GASOLINE_BROKER_KEY={known.public_key} gasoline worker redaction",
        ]
    )
