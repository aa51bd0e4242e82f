"""The queues of asks: how many places a session gets, and which turn is next."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_broker.actor.wire import Priority
from gasoline_broker.hub.fairness import FairQueue, Share

INTERACTIVE, BACKGROUND = Priority


@dataclass
class One:
    ask_id: bytes
    session: str = ""
    priority: Priority = INTERACTIVE


def flood(share: Share, *sessions: str) -> dict[str, int]:
    """Let the sessions take places in turn until none is admitted, and give how many each has."""
    has = dict.fromkeys(sessions, 0)
    while greedy := [session for session in sessions if share.admits(session)]:
        share.take(greedy[0])
        has[greedy[0]] += 1
        sessions = (*sessions[sessions.index(greedy[0]) + 1 :], *sessions[: sessions.index(greedy[0]) + 1])
    return has


def served(queue: FairQueue[One]) -> list[bytes]:
    """Serve all that wait, and give their order."""
    order = []
    while one := queue.head():
        queue.serve(one)
        order.append(one.ask_id)
    return order


def filled(*ones: One) -> FairQueue[One]:
    queue: FairQueue[One] = FairQueue()
    for one in ones:
        queue.push(one)
    return queue


# Shares


@pytest.mark.parametrize(
    ("floods", "each"), [(1, 72), (2, 40)], ids=["one gets four fifths", "two get four ninths each"]
)
def test_a_session_that_floods_leaves_places_to_the_others(floods: int, each: int) -> None:
    share = Share(90)

    has = flood(share, *map(str, range(floods)))

    assert [each] * floods == list(has.values())


@pytest.mark.parametrize("floods", range(1, 20))
def test_a_newcomer_finds_a_place_however_the_others_flood(floods: int) -> None:
    share = Share(4 * floods + 1)
    flood(share, *map(str, range(floods)))

    assert share.admits("newcomer")


def test_no_more_places_are_taken_than_there_are() -> None:
    share = Share(10)

    has = flood(share, *map(str, range(100)))

    assert 10 == share.taken == sum(has.values())
    assert not share.admits("newcomer")


def test_a_share_without_places_admits_no_session() -> None:
    assert not Share(0).admits("anybody")


def test_a_place_that_is_returned_may_be_taken_again() -> None:
    share = Share(5)
    flood(share, "flood")
    assert not share.admits("flood")

    share.give_back("flood")

    assert share.admits("flood")
    assert 3 == share.taken


def test_a_session_whose_places_are_all_given_back_is_forgotten() -> None:
    share = Share(5)
    share.take("s")
    share.take("s")

    share.give_back("s")
    share.give_back("s")

    assert ({}, 0) == (share._by_session, share.taken)


# Queues


def test_within_a_session_the_first_that_came_is_the_first_served() -> None:
    assert [b"a", b"b", b"c"] == served(filled(One(b"a"), One(b"b"), One(b"c")))


def test_sessions_take_turns() -> None:
    queue = filled(One(b"a", "s"), One(b"b", "s"), One(b"c", "s"), One(b"d", "t"), One(b"e", "u"), One(b"f", "t"))

    assert [b"a", b"d", b"e", b"b", b"f", b"c"] == served(queue)


@pytest.mark.requirement("hub-007")
def test_interactive_goes_before_background_in_any_order_of_arrival() -> None:
    queue = filled(One(b"a", "s", BACKGROUND), One(b"b", "t", BACKGROUND), One(b"c", "s"), One(b"d", "s"))

    assert [b"c", b"d", b"a", b"b"] == served(queue)


def test_a_session_that_was_served_and_comes_again_stands_behind_the_others() -> None:
    queue = filled(One(b"a", "s"), One(b"b", "t"))
    queue.serve(One(b"a", "s"))
    queue.push(One(b"c", "s"))

    assert [b"b", b"c"] == served(queue)


def test_what_was_begun_goes_before_all_others_of_its_priority() -> None:
    queue = filled(One(b"a", "s"), One(b"b", "t"), One(b"c", "t", BACKGROUND))

    queue.push(One(b"d", "t"), first=True)
    queue.push(One(b"e", "u", BACKGROUND), first=True)

    assert [b"d", b"a", b"b", b"e", b"c"] == served(queue)


def test_a_look_at_the_head_takes_nothing() -> None:
    queue = filled(One(b"a"))

    assert queue.head() is queue.head() is not None
    assert 1 == queue.size


def test_an_empty_queue_has_no_head() -> None:
    assert FairQueue[One]().head() is None


def test_one_that_goes_without_being_served_costs_its_session_no_turn() -> None:
    queue = filled(One(b"a", "s"), One(b"b", "s"), One(b"c", "t"))

    queue.remove(One(b"a", "s"))

    assert [b"b", b"c"] == served(queue)


def test_all_that_wait_are_listed_in_the_order_of_priorities() -> None:
    queue = filled(One(b"a", "s", BACKGROUND), One(b"b", "s"), One(b"c", "t"))

    assert [b"b", b"c", b"a"] == [one.ask_id for one in queue.all()]


@pytest.mark.parametrize(
    ("session", "priority", "expected"),
    [("new", INTERACTIVE, 2), ("t", INTERACTIVE, 4), ("s", INTERACTIVE, 4), ("new", BACKGROUND, 5)],
    ids=["a newcomer waits for one of each", "who has one, for two", "never for more than wait", "background, for all"],
)
def test_how_many_are_ahead_counts_turns_and_not_asks(session: str, priority: Priority, expected: int) -> None:
    queue = filled(One(b"a", "s"), One(b"b", "s"), One(b"c", "s"), One(b"d", "t"), One(b"e", "s", BACKGROUND))

    assert expected == queue.ahead(session, priority)


def test_an_ask_that_has_gone_is_not_ahead_of_another() -> None:
    one, other = One(b"a", "s"), One(b"b", "t")
    queue = filled(one, other, One(b"c", "s"))

    queue.serve(one)
    queue.remove(other)

    assert (1, 1) == (queue.ahead("new", INTERACTIVE), queue.ahead("new", BACKGROUND))


# Laws

sessions = st.sampled_from(["s", "t", "u"])
pushes = st.tuples(st.just("push"), sessions, st.sampled_from(Priority))
firsts = st.tuples(st.just("first"), sessions, st.sampled_from(Priority))
leaves = st.tuples(st.sampled_from(["serve", "remove"]), st.integers(0, 99))


class Play:
    """A queue, and a list of all that wait in it, kept by hand."""

    def __init__(self) -> None:
        self.queue: FairQueue[One] = FairQueue()
        self.waiting: dict[bytes, One] = {}
        self.served: list[One] = []
        self.came: dict[bytes, int] = {}  # how many had been served by then
        self.numbers = iter(range(10_000))

    def step(self, what: str, *how: object) -> None:
        if what in ("push", "first"):
            self.push(*how, first=what == "first")  # type: ignore[arg-type] # as the strategies make them
        elif what == "serve":
            self.serve()
        elif self.waiting:
            which = list(self.waiting)[how[0] % len(self.waiting)]  # type: ignore[operator] # the same
            self.queue.remove(self.waiting.pop(which))

    def push(self, session: str, priority: Priority, *, first: bool) -> None:
        one = One(next(self.numbers).to_bytes(2), session, priority)
        self.queue.push(one, first=first)
        self.waiting[one.ask_id] = one
        self.came[one.ask_id] = len(self.served)

    def serve(self) -> None:
        one = self.queue.head()
        assert (one is None) == (not self.waiting)
        if one is not None:
            assert one.priority == min(other.priority for other in self.waiting.values())
            self.queue.serve(one)
            assert self.waiting.pop(one.ask_id) is one
            self.served.append(one)


@given(st.lists(pushes | firsts | leaves, max_size=60))
def test_no_ask_is_lost_or_doubled_in_any_order_of_events(steps: list[tuple[object, ...]]) -> None:
    play = Play()
    for what, *how in steps:
        play.step(str(what), *how)

        assert len(play.waiting) == play.queue.size
        assert sorted(play.waiting) == sorted(one.ask_id for one in play.queue.all())


@given(st.lists(pushes | leaves, max_size=80))
@pytest.mark.requirement("hub-005")
def test_between_two_turns_of_a_session_all_that_waited_have_had_one(steps: list[tuple[object, ...]]) -> None:
    play = Play()
    for what, *how in [*steps, *[("serve",)] * 80]:
        before = len(play.served)
        play.step(str(what), *how)
        if len(play.served) == before:
            continue
        last = play.served[-1]
        earlier = [
            at
            for at, one in enumerate(play.served[:-1])
            if (one.session, one.priority) == (last.session, last.priority)
        ]
        since = earlier[-1] if earlier else 0
        had = {one.session for one in play.served[since:]}
        passed = [one for one in play.waiting.values() if one.priority == last.priority and one.session not in had]

        assert [] == [one for one in passed if earlier and play.came[one.ask_id] <= since]


@given(st.lists(pushes, min_size=1, max_size=30))
def test_no_ask_is_served_after_more_than_the_predicted_number(steps: list[tuple[str, str, Priority]]) -> None:
    play = Play()
    for _, session, priority in steps:
        ahead = play.queue.ahead(session, priority)
        play.push(session, priority, first=False)
    last = list(play.waiting)[-1]

    assert served(play.queue).index(last) <= ahead
