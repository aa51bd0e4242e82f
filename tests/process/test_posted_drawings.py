"""What a client that only polls posts about Draw Mode (seed 004), with the real system behind the endpoints."""

import asyncio
import base64
import io
import secrets
from typing import Any

import aiohttp
import pytest
from PIL import Image

from chrome_double import base, headers, http, link
from gasoline_broker.settings import Settings
from system import assistant

BOUND_S = 20.0
SECRET = "sk-ant-api03-Xk3jd82kLs0qPz71mmQ"
RECT = {"x": 120, "y": 340, "width": 200, "height": 45}
DRAWN: dict[str, Any] = {"rect": RECT, "text": f"darker, my key is {SECRET}"}
BODY: dict[str, Any] = {"annotations": [DRAWN], "page_url": "http://localhost/shop", "duration_ms": 45_000}
DETAIL: dict[str, Any] = {
    "selector": "#buy",
    "tag": "button",
    "text_content": "Buy",
    "classes": [],
    "attributes": {},
    "computed_styles": {"color": "rgb(0, 0, 0)"},
    "bounding_rect": {"x": 1, "y": 2, "width": 3, "height": 4},
    "element_summary": "button 'Buy'",
}


@pytest.fixture
def settings(whole_system: Settings) -> Settings:
    return whole_system


def picture() -> str:
    png = io.BytesIO()
    Image.new("RGB", (64, 48), "teal").save(png, "PNG")
    return base64.b64encode(png.getvalue()).decode()


async def post(settings: Settings, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """Post a body, and give the status and what was answered, if anything."""
    async with (
        http() as session,
        session.post(f"{base(settings)}{path}", json=body, headers=headers(settings)) as answer,
    ):
        return answer.status, await answer.json() if await answer.read() else None


async def poll(session: aiohttp.ClientSession, settings: Settings, wait_s: float = 0) -> list[dict[str, Any]]:
    """Ask for pending queries: a client that polls counts as connected."""
    address = f"{base(settings)}/pending-queries?wait={wait_s}"
    async with session.get(address, headers=headers(settings)) as answer:
        queries: list[dict[str, Any]] = await answer.json()
        return queries


async def until_stored(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Wait until events are stored; the `release` of an earlier test's session may come before."""
    async with asyncio.timeout(BOUND_S):
        while "stored" != (await socket.receive_json())["type"]:
            pass


@pytest.mark.requirement("004-028", "004-047", "004-129", "004-131", "004-138", "004-143", "004-146")
async def test_a_call_that_waits_is_answered_when_the_result_is_posted(settings: Settings) -> None:
    name = f"dm_{secrets.token_hex(4)}"
    begun = {"ts": 0, "type": "drawing", "phase": "begun", "id": name, "tab": 7, "page_url": BODY["page_url"]}
    chunk = {"id": secrets.token_hex(16), "tab": 0, "frame": 0, "load": "00000000", "page": "", "events": [begun]}
    result = BODY | {"correlation_id": name, "tab_id": 7, "screenshot_base64": picture(), "masked": 0}
    async with assistant(settings) as client, link(settings) as socket:
        await socket.send_json({"type": "events", "chunks": [chunk]})
        await until_stored(socket)
        waiting = asyncio.create_task(client.call("analyze", action="annotations", wait=True, tab_id=7))
        await asyncio.wait([waiting], timeout=0.1)
        assert not waiting.done()
        posted = await post(settings, "/draw-mode-result", result)
        reply = await waiting
        images = client.images

    assert (200, {"stored": 1, "correlation_id": name}) == posted
    assert ("success", 1, 45_000) == (reply["status"], reply["count"], reply["duration_ms"])
    (annotation,) = reply["annotations"]
    assert (RECT, "suggestion", BODY["page_url"]) == (annotation["rect"], annotation["kind"], annotation["page_url"])
    assert SECRET not in annotation["text"]
    assert [(64, 48)] == [Image.open(io.BytesIO(base64.b64decode(one.data))).size for one in images]


async def test_what_is_posted_again_under_its_key_is_one_session(settings: Settings) -> None:
    key = {"Idempotency-Key": secrets.token_hex(8)}
    answers = []
    async with assistant(settings) as client, http() as session:
        await poll(session, settings)
        for _ in range(2):
            async with session.post(
                f"{base(settings)}/draw-mode-result", json=BODY | {"tab_id": 9}, headers=headers(settings) | key
            ) as answer:
                answers.append(await answer.json())
        reply = await client.call("analyze", action="annotations", tab_id=9)

    assert answers[0] == answers[1]
    assert 1 == reply["count"]


@pytest.mark.parametrize(
    ("wrong", "code", "named"),
    [
        ({"screenshot_base64": picture()}, "invalid_params", "masked"),
        ({"screenshot_base64": "bm90IGEgcGljdHVyZQ==", "masked": 0}, "screenshot_failed", ""),
        ({"annotations": [DRAWN | {"rect": RECT | {"width": 0}}]}, "invalid_params", "width"),
        ({"correlation_id": "../../x"}, "invalid_params", "correlation_id"),
        ({"annotations": [DRAWN | {"text": "x" * 5_000}]}, "invalid_params", "text"),
        ({"annotations": [DRAWN | {"shape": "arrow", "to": {"x": 1, "y": 2}}]}, "invalid_params", "from"),
        ({"annotations": [DRAWN | {"path": [[1, 2]]}]}, "invalid_params", "shape"),
        ({"annotations": [DRAWN | {"shape": "freehand", "path": [[1, 2]] * 65}]}, "invalid_params", "path"),
    ],
)
@pytest.mark.requirement("004-173")
async def test_a_result_that_is_none_is_refused_by_name(
    settings: Settings, wrong: dict[str, Any], code: str, named: str
) -> None:
    status, answer = await post(settings, "/draw-mode-result", BODY | wrong)

    assert (400, code) == (status, answer["error"]["code"])
    assert named in answer["error"]["message"]


@pytest.mark.requirement("draw-024")
async def test_arrows_and_freehand_lines_can_be_posted(settings: Settings) -> None:
    figures: list[dict[str, Any]] = [
        {"shape": "arrow", "from": {"x": 1, "y": 2}, "to": {"x": 9, "y": 2}, "rect": RECT | {"height": 0}},
        {"shape": "freehand", "path": [[1, 2], [30, 40]]},
    ]
    async with assistant(settings) as client:
        body = BODY | {"annotations": [DRAWN | one for one in figures], "tab_id": 9}
        status, _ = await post(settings, "/draw-mode-result", body)
        read = (await client.call("analyze", action="annotations", tab_id=9))["annotations"]

    assert 200 == status
    assert [figure.items() <= one.items() for figure, one in zip(figures, read, strict=True)] == [True, True]


@pytest.mark.requirement("004-033", "004-037", "004-132", "004-133")
async def test_the_detail_of_an_annotation_can_be_posted(settings: Settings) -> None:
    drawn = DRAWN | {"selector": "#buy", "element_summary": "button 'Buy'"}
    async with assistant(settings) as client, http() as session:
        await poll(session, settings)
        await post(settings, "/draw-mode-result", BODY | {"annotations": [drawn], "tab_id": 8})
        read = await client.call("analyze", action="annotations", tab_id=8)
        (annotation,) = read["annotations"]
        name = annotation["correlation_id"]
        asked = asyncio.create_task(client.call("analyze", action="annotation_detail", correlation_id=name))
        queries = await poll(session, settings, wait_s=5)
        query = next(one for one in queries if one["type"] == "annotation_detail")
        known, _ = await post(settings, "/annotation-detail-result", DETAIL | {"correlation_id": name})
        reply = await asked
        late, _ = await post(settings, "/annotation-detail-result", DETAIL | {"correlation_id": name})

    assert ("#buy", name) == (query["params"]["selector"], query["params"]["correlation_id"])
    assert (200, 404) == (known, late)
    assert ({"color": "rgb(0, 0, 0)"}, name) == (reply["computed_styles"], reply["correlation_id"])
    assert "No picture was posted with this session." in read["screenshot_failed"]  # the client that polls is not asked
