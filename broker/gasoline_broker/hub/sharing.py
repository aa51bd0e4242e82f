"""Passes notes among the processes of one service, to all of them in one order; reads none.

Rules of this file:
- Only a service whose row in labels.py shares has notes, and no other service receives them.
- A note goes to every process of its service, the sender included, before anything that the broker sends later. So what
  a process noted before its answer is known to all before that answer can cause another ask.
- The last notes are kept, up to a count and a size, for processes that register later; none outlives the broker.
"""

from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.hub import labels
from gasoline_broker.hub.events import Received
from gasoline_broker.hub.state import Peer, State


def receive_note(state: State, _now: float, peer: Peer, event: Received) -> None:
    """Handle NOTE."""
    service, frames = peer.service, event.frames
    if not labels.row(service.name).shares or not peer.capacity:
        state.counts["misplaced"] += 1
        return
    if len(frames) != 1 or len(frames[0]) > state.limits.note_bytes:
        state.counts["malformed"] += 1
        return
    note = bytes(frames[0])
    service.notes.append(note)
    service.notes_bytes += len(note)
    while len(service.notes) > state.limits.notes or service.notes_bytes > state.limits.notes_bytes:
        service.notes_bytes -= len(service.notes.popleft())
    for worker in service.workers:
        state.send(worker.key, Envelope(Kind.NOTE), [note])


def send_notes(state: State, peer: Peer) -> None:
    """Send a process that has just registered what those of its service have noted."""
    if peer.capacity:
        for note in peer.service.notes:
            state.send(peer.key, Envelope(Kind.NOTE), [note])
