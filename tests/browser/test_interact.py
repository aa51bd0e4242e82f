"""An action comes back to a real assistant with what it caused: measured in the page, redacted, explained."""

import re
from functools import partial

import msgspec
import pytest

from browser.assisted import Reply, Scene, at
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings


@pytest.mark.requirement(
    "actions-016", "001-005", "001-007", "001-009", "001-022", "001-023", "001-024", "001-070", "001-071"
)
async def test_a_click_comes_back_with_its_time_and_its_changes_in_200_bytes(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?click") as here:
        reply = await here.do("click", selector="text=Load more")
        quiet = await here.do("click", selector="h1")

    assert {"success", "action", "effect", "seq", "timing_ms", "dom_summary"} == reply.keys()
    assert "25 items added, 1 attr changed" == reply["dom_summary"]
    assert len(msgspec.json.encode(reply)) <= 200
    assert "no changes" == quiet["dom_summary"]


@pytest.mark.requirement("actions-017")
async def test_what_an_action_has_captured_is_readable_when_it_has_answered(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?seq") as here:
        before = await here.do("click", selector="h1")
        await here.tab.evaluate("by('more').addEventListener('click', () => console.error('of the click')); 0")
        reply = await here.do("click", selector="#more")
        logs = await here.client.call("observe", what="logs", since_seq=before["seq"], tab_id=here.number)

    assert "of the click" in [line["text"] for line in logs["logs"]]
    assert 1 == reply["console_errors"]
    assert before["seq"] < reply["seq"]


async def slow_click(here: Scene) -> Reply | None:
    """Click what blocks the page; a busy Chromium may name the script of a task only after the reply."""
    reply = await here.do("click", selector="#slow", analyze=True)
    return reply if re.match(r"script interact\.html \S", reply["long_tasks"][0]["attribution"]) else None


@pytest.mark.requirement(
    "actions-018", "actions-004", "001-010", "001-011", "001-055", "001-067", "001-069", "001-135", "001-143"
)
async def test_analyze_reports_where_the_time_of_an_action_went(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?analyze") as here:
        fetched = await here.do("click", selector="#fetches", analyze=True)
        blocked = await until(partial(slow_click, here), "a long task with the page's script")
        read = await here.do("get_text", selector="#seen")

    assert 150 < fetched["timing"]["network_ms"] < 1_500
    assert "/api/later?ms=180" == fetched["network"][0]["url"]
    assert "network (/api/later)" in fetched["analysis"]
    assert 100 < blocked["timing"]["js_blocking_ms"] < 1_500
    assert "JS long task" in blocked["analysis"]
    assert "slow" == read["text"]
    assert "timing" not in read


@pytest.mark.requirement(
    "actions-005",
    "actions-022",
    "001-008",
    "001-012",
    "001-013",
    "001-014",
    "001-015",
    "001-016",
    "faults-028",
    "001-042",
    "001-044",
    "001-045",
    "001-050",
    "001-051",
    "001-052",
    "001-134",
)
async def test_a_refresh_comes_back_with_its_difference_from_the_load_before(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?refresh") as here:
        first = await here.do("refresh")
        again = await here.do("refresh")
        elsewhere = await here.do("navigate", url=f"{pages}small.html?first")

    for reply in (first, again):
        assert {"lcp", "fcp", "cls", "ttfb", "load", "transfer_kb", "requests"} >= reply["perf_diff"]["metrics"].keys()
        stated = reply["perf_diff"]["metrics"]["load"].keys() - {"within_noise"}
        assert {"before", "after", "delta", "pct", "improved"} == stated
        assert 0 < len(reply["perf_diff"]["summary"]) <= 200
        assert re.fullmatch(r"/interact.html\?refresh, \d+ s before", reply["perf_diff"]["compared_with"])
    assert (None, "This is the first load of this address.") == (
        elsewhere["perf_diff"],
        elsewhere["perf_diff_unavailable"],
    )


@pytest.mark.requirement("faults-029")
@pytest.mark.requirement("faults-026")
async def test_what_a_load_requests_more_or_less_is_named_with_its_type(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}small.html?resources") as here:
        await here.do("refresh")
        source = """addEventListener('DOMContentLoaded', () => {
          const icon = { rel: 'icon', href: `/small.html?icon${Date.now()}` };
          document.head.append(Object.assign(document.createElement('script'), { src: '/conformance.js' }));
          document.head.append(Object.assign(document.createElement('link'), icon)) })"""
        added = await here.tab.send("Page.addScriptToEvaluateOnNewDocument", source=source)
        more = await here.do("refresh")
        await here.tab.send("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])
        less = await here.do("refresh")

    row = {"url": "/conformance.js", "type": "script"}
    assert [row.items()] == [row.items() & resource.items() for resource in more["perf_diff"]["resources"]["added"]]
    assert [row.items()] == [row.items() & resource.items() for resource in less["perf_diff"]["resources"]["removed"]]
    assert more["perf_diff"]["resources"]["added"][0]["kb"] > 20


@pytest.mark.requirement("actions-023")
async def test_a_load_is_compared_though_the_extensions_worker_has_died_since(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?death") as here:
        await here.do("navigate", url=f"{pages}small.html?death")
        await chrome.stop_service_worker()
        await here.tab.navigate(f"{pages}small.html?wakes")
        await here.client.connected()
        back = await here.do("navigate", url=f"{pages}interact.html?death")

    assert "perf_diff" in back


async def test_no_secret_of_a_page_comes_back_with_an_action(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?secret") as here:
        await here.tab.evaluate(
            "by('more').onclick = () => { by('seen').textContent = 'password: hunter2-text';"
            " by('seen').setAttribute('data-token', 'tok_9f8a7b6c5d4e3f2a1b0c8d7e');"
            " by('secret').setAttribute('value', 'hunter2-value'); }; 0"
        )
        reply = await here.do("click", selector="#more", analyze=True)
        typed = await here.do("type", selector="#secret", text="hunter2-typed")
        value = await here.do("get_value", selector="#secret")
        listed = await here.do("list_interactive", budget=40_000)

    assert [] == [one for one in (reply, typed, value, listed) if "hunter2" in str(one) or "tok_9f" in str(one)]


async def test_a_framework_that_rejects_what_is_typed_is_an_error(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?rejected") as here:
        error = await here.fail("type", selector="#late", text="mine")
        after = await here.do("type", selector="label=Name", text="Ada")

    assert "input_rejected" == error["code"]
    assert after["success"]


async def is_closed(here: Scene, effect: str) -> bool:
    """Return whether an action's requests are no longer recorded: an assistant's next call comes after that."""
    return "open" not in await here.client.call("observe", what="effects", id=effect, tab_id=here.number)


@pytest.mark.requirement("applications-012")
async def test_a_request_that_was_waited_for_is_in_the_reply(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?waited") as here:
        clicked = await here.do("click", selector="#fetches")
        await until(lambda: is_closed(here, clicked["effect"]), "the end of what is recorded of the click")
        waited = await here.do("wait_for", url="api/later", state="finished")

    assert [{"method": "GET", "url": f"{pages}api/later?ms=180", "status": 200}] == waited["requests"]


@pytest.mark.requirement("001-141")
async def test_a_page_that_leaves_in_the_middle_is_a_success_without_its_changes(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?leaves") as here:
        reply = await here.do("click", selector="#leaves")
        await here.tab.until("location.pathname === '/small.html'")
        after = await here.do("wait_for", selector="h1")

    assert reply["success"]
    assert after["success"]


MEASURED = [
    ("click", {"selector": "h1"}),
    ("type", {"selector": "label=Name", "text": "Ada"}),
    ("select", {"selector": "#size", "value": "Large"}),
    ("check", {"selector": "#agree"}),
    ("key_press", {"selector": "#name", "key": "a"}),
    ("set_attribute", {"selector": "h1", "attribute": "title", "value": "x"}),
]
PLAIN = [
    ("get_text", {"selector": "h1"}),
    ("get_value", {"selector": "#name"}),
    ("get_attribute", {"selector": "h1", "attribute": "id"}),
    ("focus", {"selector": "#name"}),
    ("scroll_to", {"selector": "#down"}),
    ("wait_for", {"selector": "h1"}),
    ("list_interactive", {}),
]


@pytest.mark.requirement("001-132", "001-133", "001-135", "001-136", "001-137", "001-143")
async def test_every_action_gets_what_the_seed_s_table_states(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?table") as here:
        measured = [await here.do(action, **arguments) for action, arguments in MEASURED]
        analyzed = [await here.do(action, **arguments, analyze=True) for action, arguments in MEASURED]
        plain = [await here.do(action, **arguments) for action, arguments in PLAIN]

    extra = {"timing_ms", "dom_summary", "perf_diff", "timing", "dom_changes", "analysis"}
    assert [{"timing_ms", "dom_summary"}] * len(MEASURED) == [extra & reply.keys() for reply in measured]
    assert [extra - {"perf_diff"}] * len(MEASURED) == [extra & reply.keys() for reply in analyzed]
    assert [set()] * len(PLAIN) == [extra & reply.keys() for reply in plain]


async def test_what_a_mask_has_made_of_a_text_comes_with_the_reply(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}components.html?mask") as here:
        reply = await here.do("type", selector="#phone", text="5551234567")

    assert (True, "(555) 1234567") == (reply["success"], reply["value"])


@pytest.mark.requirement("applications-045", "applications-010")
async def test_generated_ids_are_one_count_and_what_differs_from_load_to_load_is_marked(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?noise") as here:
        await here.tab.evaluate(
            "const one = document.createElement('button'); one.id = 'turns'; one.textContent = 'Turn';"
            "one.onclick = () => [...document.querySelectorAll('input')].slice(0, 3).forEach((field, n) =>"
            " field.setAttribute('aria-describedby', `radix-:r${n}:`)); document.body.prepend(one); 0"
        )
        turned = await here.do("click", selector="#turns", analyze=True)
        marked = False
        for _ in range(12):
            metrics = (await here.do("refresh"))["perf_diff"]["metrics"]
            marked = marked or any(metric.get("within_noise") for metric in metrics.values())
            if marked:
                break

    assert (3, "3 generated ids changed") == (turned["dom_changes"]["generated_ids"], turned["dom_summary"])
    assert marked


@pytest.mark.requirement("applications-066")
async def test_a_refresh_reports_what_broke_in_words_and_no_secret_among_them(
    live: Settings, chrome: Browser, pages: str
) -> None:
    key = "sk_test_51FakeFakeFakeFakeFakeFakeFake"
    async with at(live, chrome, f"{pages}breaks.html") as here:
        refreshed = await here.do("refresh")
        await here.tab.evaluate(f"document.querySelector('h1').onclick = () => console.error('used', '{key}'); 0")
        clicked = await here.do("click", selector="h1")

    assert 'first {"a":1}' == refreshed["errors"][0]
    assert (6, 2) == (refreshed["console_errors"], refreshed["failed_requests"])
    assert {"GET /api/echo?status=500 500", "GET /api/echo?status=404 404"} == set(refreshed["failed"])
    assert 1 == clicked["console_errors"]
    assert key not in str(clicked)
    assert re.fullmatch(r"used (⟦.+⟧|\[REDACTED\])", clicked["errors"][0])


@pytest.mark.requirement("applications-066")
async def test_no_half_of_a_secret_is_in_the_value_that_is_cut(live: Settings, chrome: Browser, pages: str) -> None:
    key = "sk_test_51FakeFakeFakeFakeFakeFakeFake"
    async with at(live, chrome, f"{pages}breaks.html?value") as here:
        await here.tab.evaluate("document.body.innerHTML = '<input aria-label=Note>'")
        typed = await here.do("type", selector="label=Note", text="a " * 22 + key)

    assert typed["value"].startswith("a a a ")
    assert "51Fake" not in str(typed)


@pytest.mark.requirement("applications-067")
async def test_what_covers_a_page_is_read_by_an_assistant_and_without_its_secrets(
    live: Settings, chrome: Browser, pages: str
) -> None:
    key = "sk_test_51FakeFakeFakeFakeFakeFakeFake"
    async with at(live, chrome, f"{pages}layered.html?mask") as here:
        await here.tab.evaluate(f"document.getElementById('mask').append(' with {key}')")
        info = await here.client.call("get_page_info", tab_id=here.number)
        error = await here.client.error("interact", action="click", selector="text=Three", tab_id=here.number)

    assert info["inFront"].startswith("#mask: Loading… with ")
    assert "element_covered" == error["code"]
    assert "Loading… with" in error["message"]
    assert key not in str((info, error))
