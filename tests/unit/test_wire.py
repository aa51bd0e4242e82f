"""What travels: it comes out as it went in, and what is no envelope is refused by one kind of error."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_broker.actor.wire import MALFORMED, Delivery, Envelope, Ids, Kind, Label, Stop, pack, read_envelope, stop
from gasoline_broker.messages import ReadStatus

told = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=9) | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
stops = st.builds(
    Stop,
    service=st.text(max_size=9),
    message=told.map(lambda value: msgspec.Raw(pack(value))),
    delivery=st.sampled_from(Delivery),
)
envelopes = st.builds(
    Envelope,
    kind=st.sampled_from(Kind),
    id=st.binary(max_size=20),
    itinerary=st.lists(stops, max_size=4).map(tuple),
    position=st.integers(0, 8),
    ttl_ms=st.integers(-(2**63), 2**63 - 1),
    attempt=st.integers(0, 9),
    label=st.sampled_from(Label),
    session=st.text(max_size=9),
    trace=st.text(max_size=9),
)


@given(envelopes)
def test_an_envelope_comes_out_as_it_went_in(envelope: Envelope) -> None:
    assert envelope == read_envelope(pack(envelope))


@given(st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(frame: bytes) -> None:
    try:
        read = read_envelope(frame)
    except MALFORMED:
        return
    assert isinstance(read, Envelope)


@given(envelopes, st.data())
def test_a_truncated_envelope_is_refused(envelope: Envelope, data: st.DataObject) -> None:
    frame = pack(envelope)
    cut = data.draw(st.integers(0, len(frame) - 1))

    with pytest.raises(MALFORMED):
        read_envelope(frame[:cut])


@given(envelopes, st.data())
def test_an_envelope_with_a_flipped_byte_is_read_or_refused(envelope: Envelope, data: st.DataObject) -> None:
    frame = bytearray(pack(envelope))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        read = read_envelope(bytes(frame))
    except MALFORMED:
        return
    assert isinstance(read, Envelope)


def test_an_envelope_with_text_that_is_no_utf_8_is_refused() -> None:
    frame = pack(Envelope(Kind.PING, session="ab")).replace(b"ab", b"\xc0\x80")

    with pytest.raises(MALFORMED):
        read_envelope(frame)


def test_an_envelope_nested_too_deeply_is_refused() -> None:
    deep = b"\x91" * 100_000 + b"\xc0"

    with pytest.raises(MALFORMED):
        read_envelope(b"\x93\x01\xc4\x00\x91\x92\xa1s" + deep)


@pytest.mark.parametrize("frame", [pack([99]), pack([]), pack({"kind": 1}), pack(["1"]), pack([1, b"", [["s"]]])])
def test_a_wrong_shape_is_refused(frame: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        read_envelope(frame)


def test_what_a_later_version_adds_to_an_envelope_is_passed_over() -> None:
    longer = [*msgspec.msgpack.decode(pack(Envelope(Kind.PING))), "something new"]

    assert Envelope(Kind.PING) == read_envelope(pack(longer))


def test_an_envelope_without_an_itinerary_is_small() -> None:
    assert len(pack(Envelope(Kind.ANSWER, Ids().next()))) <= 32


def test_a_stop_carries_its_message_encoded() -> None:
    told = stop("broker", ReadStatus(), Delivery.STORE)

    assert ("broker", Delivery.STORE) == (told.service, told.delivery)
    assert ReadStatus() == msgspec.msgpack.decode(told.message, type=ReadStatus)


def test_ids_differ_within_a_process_and_between_processes() -> None:
    one, other = Ids(), Ids()

    made = [ids.next() for ids in (one, other) for _ in range(100)]

    assert 200 == len(set(made))
    assert {16} == {len(number) for number in made}
