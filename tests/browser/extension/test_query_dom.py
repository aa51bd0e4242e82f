"""What `query_dom` answers about real pages, element by element."""

import json
import time
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open

Match = dict[str, Any]

LAYOUT = {
    "display", "position", "width", "height", "margin", "padding", "flex", "grid", "visibility", "opacity", "overflow",
    "z-index", "color", "background-color", "font-size",
}  # fmt: skip


async def found(bridge: BridgeDouble, selector: str, **arguments: object) -> list[Match]:
    """Query the page in front, and return the matches."""
    matches: list[Match] = (await bridge.result("query_dom", selector=selector, **arguments))["matches"]
    return matches


async def texts(bridge: BridgeDouble, selector: str) -> list[str]:
    """Query the page in front, and return the matches' texts."""
    return [match["text"] for match in await found(bridge, selector)]


async def test_a_match_is_described_as_seed_002_has_it(look: Open, bridge: BridgeDouble, pages: str) -> None:
    await look("small.html")

    answer = await bridge.result("query_dom", selector="#products > li:nth-child(2)")

    top = answer["matches"][0]["boundingBox"].pop("y")
    assert top == round(top, 2)
    assert answer == {
        "url": pages + "small.html",
        "title": "Corner Shop",
        "matches": [
            {
                "selector": "#products > li:nth-child(2)",
                "tag": "li",
                "attributes": {"class": "product", "data-id": "42", "data-price": "1.10"},
                "text": "Bread 1.10",
                "boundingBox": {"x": 20, "width": 400, "height": 48},
                "visible": True,
            }
        ],
        "matchCount": 1,
        "returnedCount": 1,
    }


async def test_what_is_in_a_template_does_not_match(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    assert [text.split()[0] for text in await texts(bridge, ".product")] == ["Apples", "Bread", "Cheese"]


async def test_nothing_matches_is_an_answer_and_no_error(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    answer = await bridge.result("query_dom", selector="blink")

    assert (answer["matches"], answer["matchCount"], answer["returnedCount"]) == ([], 0, 0)


@pytest.mark.parametrize(
    ("selector", "visible"),
    [
        (".active", True),
        ("footer", True),  # two screens down
        (".sold-out", False),
        (".hidden", False),
        (".unseen", False),
        (".skipped b", False),
        (".empty", False),
        ("option", False),
    ],
)
async def test_visible_is_what_scrolling_can_bring_to_sight(
    look: Open, bridge: BridgeDouble, selector: str, *, visible: bool
) -> None:
    await look("small.html")

    assert (await found(bridge, selector))[0]["visible"] is visible


@pytest.mark.requirement("002-123")
async def test_a_text_is_cut_at_500_characters_and_says_so(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    long, short = [*await found(bridge, "#long"), *await found(bridge, "h1")]

    assert (long["text"], long["truncated"]) == (("long " * 100)[:500], True)
    assert "truncated" not in short


async def test_a_text_of_exactly_500_characters_is_not_called_cut(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.querySelector('#long').textContent = ' \\n' + 'x'.repeat(500) + ' \\n '")

    match = (await found(bridge, "#long"))[0]

    assert (match["text"], "truncated" in match) == ("x" * 500, False)


async def test_a_text_has_no_scripts_and_no_styles_and_single_spaces(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    assert await texts(bridge, "h1, footer, main > script") == ["Corner Shop", "", "ImprintImprint"]


async def test_an_attribute_is_cut_at_500_characters(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.querySelector('h1').setAttribute('data-long', 'y'.repeat(501))")

    assert (await found(bridge, "h1"))[0]["attributes"] == {"data-long": "y" * 500}


async def test_broken_surrogates_of_a_page_become_well_formed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(
        """
        document.querySelector('title').textContent = '\\ud800';
        const h1 = document.querySelector('h1');
        h1.id = '\\udc00';
        h1.textContent = 'a\\ud800b';
        h1.title = 'x'.repeat(499) + '\\u{1f600}';
        """
    )

    answer = await bridge.result("query_dom", selector="h1")

    assert answer["title"] == answer["matches"][0]["attributes"]["id"] == "\N{REPLACEMENT CHARACTER}"
    assert answer["matches"][0]["text"] == "a\N{REPLACEMENT CHARACTER}b"
    assert answer["matches"][0]["attributes"]["title"] == "x" * 499
    assert answer["matches"][0]["selector"] == "h1"


async def test_without_being_asked_no_styles_and_no_children_come(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    assert {"styles", "children"} & (await found(bridge, "#products"))[0].keys() == set()


@pytest.mark.requirement("002-124", "002-099")
async def test_styles_are_the_layout_properties_unless_some_are_named(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    layout = (await found(bridge, ".active", include_styles=True))[0]["styles"]
    named = (await found(bridge, ".active", properties=["color", "backgroundColor", "--none"]))[0]["styles"]

    assert layout.keys() == LAYOUT
    assert (layout["display"], layout["width"], layout["color"]) == ("flex", "400px", "rgb(0, 0, 0)")
    assert named == {"color": "rgb(0, 0, 0)", "backgroundColor": "rgba(0, 0, 0, 0)", "--none": ""}


async def test_children_have_tag_attributes_text_and_styles_when_asked(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    match = (await found(bridge, ".active", include_children=True, properties=["gap"]))[0]

    assert match["children"] == [
        {"tag": "span", "attributes": {"class": "name"}, "text": "Apples", "styles": {"gap": "normal"}},
        {"tag": "span", "attributes": {"class": "price"}, "text": "3.20", "styles": {"gap": "normal"}},
    ]


@pytest.mark.parametrize(
    ("asked", "got"), [({}, 3), ({"max_depth": 1}, 1), ({"max_depth": 9}, 5), ({"max_depth": 0}, 0)]
)
@pytest.mark.requirement("002-122", "002-098")
async def test_children_go_three_levels_down_and_never_more_than_five(
    look: Open, bridge: BridgeDouble, asked: dict[str, int], got: int
) -> None:
    await look("small.html")

    levels, element = 0, (await found(bridge, "#deep", include_children=True, **asked))[0]
    while children := element.get("children"):
        levels, element = levels + 1, children[0]

    assert levels == got


async def test_fifty_elements_are_returned_and_all_are_counted(look: Open, bridge: BridgeDouble) -> None:
    await look("large.html")

    answer = await bridge.result("query_dom", selector="*")

    assert (len(answer["matches"]), answer["returnedCount"], answer["matchCount"]) == (50, 50, 5004)


async def test_an_offset_skips_matches_and_pages_meet_without_gap(look: Open, bridge: BridgeDouble) -> None:
    await look("large.html")

    pages = [await found(bridge, ".row", offset=offset) for offset in (0, 50, 990, 999)]

    assert [len(page) for page in pages] == [50, 50, 9, 0]
    assert [match["text"] for match in pages[0] + pages[1]] == [f"{n}Entry {n}{n * 7} crowns" for n in range(100)]


async def test_an_answer_that_grows_too_large_leaves_out_children_and_counts_them(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("large.html")
    await tab.evaluate(
        "for (const row of document.querySelectorAll('.row')) for (let n = 0; n < 9; n++) row.insertCell()"
    )
    await tab.evaluate("for (const td of document.querySelectorAll('td')) td.title = 'z'.repeat(500)")

    answer = await bridge.result("query_dom", selector="tbody", include_children=True)

    rows = answer["matches"][0]
    first, last = rows["children"][0], rows["children"][-1]
    assert 100 < len(rows["children"]) + rows["omittedChildren"] == 999
    assert len(first["children"]) == len(last["children"]) + last["omittedChildren"]
    assert len(json.dumps(answer)) < 1_300_000


async def test_an_answer_that_grows_too_large_returns_fewer_matches_and_the_rest_is_paged(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("large.html")
    await tab.evaluate(
        "for (const row of document.querySelectorAll('.row'))"
        "for (let n = 0; n < 200; n++) row.setAttribute(`data-${n}`, 'z'.repeat(500))"
    )

    answer = await bridge.result("query_dom", selector=".row")
    after = await bridge.result("query_dom", selector=".row", offset=answer["returnedCount"])

    assert 0 < answer["returnedCount"] < 50
    assert answer["matchCount"] == 999
    assert after["matches"][0]["text"].startswith(str(answer["returnedCount"]))


async def test_a_page_of_strict_policy_answers_like_any_other(look: Open, bridge: BridgeDouble) -> None:
    await look("strict.html")

    assert await texts(bridge, ".note") == ["No script, no frame, no image.", "Trusted Types are required."]


async def test_open_shadow_roots_are_searched_in_composed_order_and_closed_ones_are_not(
    look: Open, bridge: BridgeDouble
) -> None:
    await look("shadow.html")

    assert await texts(bridge, "button.save") == ["page", "first", "nested", "slotted", "second", "last"]


async def test_frames_of_the_same_origin_are_searched_and_others_are_not(look: Open, bridge: BridgeDouble) -> None:
    await look("frames.html")

    assert await texts(bridge, ".line") == ["page", "outer", "inner", "after"]


async def test_children_lead_into_shadow_roots_and_frames(look: Open, bridge: BridgeDouble) -> None:
    await look("shadow.html")

    match = (await found(bridge, "#first", include_children=True, max_depth=1))[0]

    assert [child["tag"] for child in match["children"]] == ["h2", "button", "my-badge", "div", "slot", "button"]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("my-card >>> button.save", ["first", "second"]),
        ("#first >>> my-badge >>> button", ["nested"]),
        ("my-badge >>> button", ["nested"]),  # the first step is looked for everywhere
        ("body >>> button", []),
        (">>> #mark", ["outer mark"]),
        ("#mark", ["inner mark", "outer mark"]),
        (">>> button", ["page", "slotted", "last"]),
    ],
)
async def test_a_step_goes_into_what_the_step_before_it_opens(
    look: Open, bridge: BridgeDouble, selector: str, expected: list[str]
) -> None:
    await look("shadow.html")

    assert await texts(bridge, selector) == expected


@pytest.mark.parametrize(
    ("page", "query", "selector"),
    [
        ("small.html", "#sign-in", "#sign-in"),
        ("small.html", "[data-testid]", "#secret"),
        ("small.html", "[type=email]", 'input[name="email"]'),
        ("small.html", ".active", "#products > li:nth-child(1)"),
        ("small.html", ".cart", "a.cart"),
        ("small.html", "h3", "h3"),
        ("large.html", "tr:nth-child(7) > td:nth-child(3)", "body > table > tbody > tr:nth-child(7) > td:nth-child(3)"),
        ("shadow.html", "my-badge >>> button", "#first >>> my-badge >>> button"),
        ("shadow.html", ">>> #mark", ">>> #mark"),
        ("frames.html", "#inner", '#outer >>> iframe[name="inner"] >>> #inner'),
    ],
)
async def test_a_selector_is_as_short_as_it_can_be(
    look: Open, bridge: BridgeDouble, page: str, query: str, selector: str
) -> None:
    await look(page)

    assert (await found(bridge, query))[0]["selector"] == selector


@pytest.mark.parametrize(
    "page", ["small.html", "large.html", "strict.html", "shadow.html", "frames.html", "secrets.html"]
)
async def test_each_selector_finds_its_element_and_nothing_else(look: Open, bridge: BridgeDouble, page: str) -> None:
    await look(page)
    matches = [*await found(bridge, "*"), *await found(bridge, "*", offset=50)]

    again = [await bridge.result("query_dom", selector=match["selector"]) for match in matches]

    assert len(matches) > 5
    assert [answer["matchCount"] for answer in again] == [1] * len(matches)
    assert [answer["matches"][0] for answer in again] == matches


async def test_selectors_stay_unique_where_ids_are_repeated_odd_or_missing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(
        """
        document.querySelector('body').innerHTML = `
          <div id="twin"></div><div id="twin"></div><p id="1 2:3.é#"></p><p data-testid='say "hi" \\\\ >>> bye'></p>
          <svg><linearGradient id=""></linearGradient><a></a></svg><a></a><x-y.z></x-y.z><i></i><i></i>
          <div><b></b></div><div><div><b></b></div></div><input name="a]b"><input name="a'b&quot;c">`;
        const odd = document.createElementNS('urn:x', 'q:Odd');
        document.querySelector('body').append(odd, odd.cloneNode(), document.createElement('body'));
        """
    )
    matches = await found(bridge, "*")

    counts = [(await bridge.result("query_dom", selector=match["selector"]))["matchCount"] for match in matches]

    assert counts == [1] * len(matches)


async def test_the_same_structure_in_a_page_and_its_frame_is_told_apart(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(
        """
        new Promise((done) => {
          const twin = '<div><p>x</p><p>x</p></div>';
          document.querySelector('body').innerHTML = twin + '<iframe></iframe>';
          const frame = document.querySelector('iframe');
          frame.onload = done;
          frame.srcdoc = `<body>${twin}</body>`;
        }).then(() => 0)
        """
    )

    matches = await found(bridge, "p")
    counts = [(await bridge.result("query_dom", selector=match["selector"]))["matchCount"] for match in matches]

    assert [match["selector"] for match in matches] == [
        ">>> body > div > p:nth-child(1)",
        ">>> body > div > p:nth-child(2)",
        "iframe >>> body > div > p:nth-child(1)",
        "iframe >>> body > div > p:nth-child(2)",
    ]
    assert counts == [1, 1, 1, 1]


async def test_a_box_in_a_frame_is_given_in_the_viewport_of_the_page(look: Open, bridge: BridgeDouble) -> None:
    await look("frames.html")

    match = (await found(bridge, "#inner"))[0]

    # outer frame 100, 50 with a border of 5 and a padding of 10; inner frame at 20, 30 in it, scaled to a half
    assert match["boundingBox"] == {"x": 115 + 20 + 5, "y": 65 + 30 + 5, "width": 50, "height": 20}
    assert match["visible"] is True


async def test_what_stands_in_a_hidden_frame_is_not_visible(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("frames.html")
    await tab.evaluate("document.querySelector('#outer').style.visibility = 'hidden'")

    assert (await found(bridge, "#inner"))[0]["visible"] is False


async def test_no_password_leaves_the_page(look: Open, bridge: BridgeDouble) -> None:
    await look("secrets.html")

    answer = await bridge.result("query_dom", selector="*", include_children=True, max_depth=5)
    values = [match["attributes"].get("value") for match in answer["matches"] if match["tag"] == "input"]

    assert "hunter2" not in json.dumps(answer)
    assert values == ["[REDACTED]", "[REDACTED]", "[REDACTED]", None, "ada", "[REDACTED]"]


@pytest.mark.parametrize(
    "selector", ["li[", "a >>> li[", "", "   ", ">>>", "a >>>", "a >>> >>> b", "::nonsense(", "a,,b"]
)
async def test_a_selector_that_does_not_parse_is_named(look: Open, bridge: BridgeDouble, selector: str) -> None:
    await look("small.html")

    error = await bridge.error("query_dom", selector=selector)

    assert error["code"] == "invalid_params"
    assert error["details"] == {"parameter": "selector", "value": selector}
    assert json.dumps(selector) in error["message"] or not selector.strip()


async def test_a_form_whose_fields_are_called_like_its_properties_is_read_rightly(
    look: Open, bridge: BridgeDouble
) -> None:
    await look("small.html")

    match = (await found(bridge, "form[name=title]", include_children=True))[0]

    assert match["attributes"] == {"name": "title"}
    assert [child["attributes"]["name"] for child in match["children"]] == ["id", "attributes", "children"]


@pytest.mark.requirement("002-165")
async def test_the_page_can_notice_nothing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(
        """
        globalThis.seen = [];
        globalThis.watch = new MutationObserver((records) => seen.push(...records));
        watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        for (const type of ['message', 'focusin', 'scroll', 'selectionchange'])
          document.addEventListener(type, (event) => seen.push(event), { capture: true });
        Element.prototype.getBoundingClientRect = Element.prototype.getAttribute = () => { seen.push('trap'); };
        globalThis.before = '';
        before = Object.getOwnPropertyNames(globalThis).join();
        """
    )

    await bridge.result("query_dom", selector="*", include_styles=True, include_children=True)
    await bridge.result("get_page_info")

    assert await tab.evaluate("[...seen, ...watch.takeRecords()].length") == 0
    assert await tab.evaluate("Object.getOwnPropertyNames(globalThis).join() === before")


async def test_a_page_with_an_element_of_our_name_is_captured_and_answers(visit: Open, bridge: BridgeDouble) -> None:
    await visit("clobbered.html")
    await bridge.until_stored(type="console", args=["heard"])

    assert (await bridge.result("query_dom", selector="h1"))["matchCount"] == 1


TICKS = """
const out = document.body.appendChild(document.createElement('output'));
out.id = '{word}';
let count = 0;
setInterval(() => {{ console.log('{word}', ++count); out.textContent = count; }}, 4);
0
"""
FRAMED = """new Promise((done) => {
  const frame = Object.assign(document.createElement('iframe'), { src: 'blank.html?inner', onload: () => done(0) });
  const place = {place};
  place.replaceChildren(frame);
})"""
PLACES = {
    "page": ("document.body", "globalThis", ""),
    "frame": ("document.body", "frames[0]", "iframe >>> "),
    "shadow": (
        "document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })",
        "document.querySelector('div').shadowRoot.querySelector('iframe').contentWindow",
        "iframe >>> ",
    ),
}
"""Where a frame is put, which window then writes to the console, and where that is found."""

FLUSHED_S = 0.5
"""So long an answer waits for the frames of its page (FLUSH_MS in flush_frames.ts)."""


@pytest.mark.parametrize("place", PLACES)
async def test_the_events_that_led_to_an_answer_are_sent_before_it(
    visit: Open, bridge: BridgeDouble, place: str
) -> None:
    tab = await visit("blank.html")
    holder, window, path = PLACES[place]
    await tab.evaluate(FRAMED.replace("{place}", holder))
    await tab.evaluate(f"{window}.eval({TICKS.format(word=f'in-{place}')!r})")
    selector = f"{path}#in-{place}"
    await bridge.until_stored(type="console")  # a frame in a shadow root is known once it has sent something
    in_time, behind = 0, []
    for _ in range(25):
        begun = time.monotonic()
        (match,) = (await bridge.result("query_dom", selector=selector))["matches"]
        if time.monotonic() - begun > FLUSHED_S:
            continue  # the machine stood still
        in_time += 1
        sent = [one["args"][1] for one in bridge.events(type="console") if one["args"][0] == f"in-{place}"]
        behind += [match["text"]] if int(match["text"] or 0) > max(sent, default=0) else []

    assert in_time
    assert [] == behind
