"""Links go bad under load: they carry nothing for a while, or break again and again. Nothing is lost or done twice."""

import pytest

from gasoline_broker.settings import Settings
from process.faults.accounts import STALL_MS, assert_all_accounted, unknown
from process.faults.fault_env import FAULT_S, FIRST_S, FaultEnv, pass_by, repeat
from process.faults.load import Load
from process.faults.proxy import Proxy

HOLE_S, DEAD_S = min(FAULT_S, 10.0), 8.0  # by hand longer, in CI shorter than a peer on TCP may be silent
RESET_EVERY_S = 0.7  # sooner than a peer whose link was cut is given up, 2 s; over ipc a cut link is a death
CAPACITY, FAR = 8, 2

pytestmark = pytest.mark.parametrize("bare", ["tcp"], indirect=True)


@pytest.fixture
async def far(bare: FaultEnv) -> tuple[Proxy, Settings]:
    """Return a bad link to a broker, and the settings of its far end; at a good one there is an actor."""
    await bare.serve(workers=1)
    return await bare.proxy()


@pytest.fixture(params=["workers", "askers"])
async def load(bare: FaultEnv, far: tuple[Proxy, Settings], request: pytest.FixtureRequest) -> Load:
    """Return a load whose workers, or whose askers, are at the end of the bad link; the rest is at good ones."""
    _, settings = far
    at_the_end = request.param == "workers"
    await bare.worker_app(FAR, CAPACITY, settings if at_the_end else None)
    return await bare.load(per_s=200.0, settings=None if at_the_end else settings)


@pytest.mark.requirement("hub-032")
async def test_a_link_that_carries_nothing_for_a_while_costs_no_query_an_error(
    bare: FaultEnv, far: tuple[Proxy, Settings], load: Load
) -> None:
    proxy, _ = far

    async with load:
        await pass_by(FIRST_S)
        proxy.hole()
        await pass_by(HOLE_S)
        open_then = load.open
        proxy.heal()
        await pass_by(FIRST_S)

    assert_all_accounted(load.result)
    assert unknown(load.result) <= (max(open_then, CAPACITY * FAR) if HOLE_S > DEAD_S else 0)
    assert load.result.max_ms <= HOLE_S * 1000 + STALL_MS
    await bare.all_back()


@pytest.mark.requirement("hub-032")
async def test_links_that_break_again_and_again_cost_no_ask_an_error(
    bare: FaultEnv, far: tuple[Proxy, Settings], load: Load
) -> None:
    proxy, _ = far

    async with load:
        await repeat(RESET_EVERY_S, proxy.reset)

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    await bare.all_back()
