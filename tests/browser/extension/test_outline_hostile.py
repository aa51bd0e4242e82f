"""Outlines of pages that are enormous, deep, patched or moving, and of frames and tabs that hardly answer."""

import json
from typing import Any

import pytest

from browser import scene
from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab, until

BUDGET = 4_096


async def outlined(bridge: BridgeDouble, **arguments: Any) -> Message:
    answer: Message = await bridge.result("get_outline", **{"budget": BUDGET, "seq": 1} | arguments)
    assert len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()) <= BUDGET
    return answer


def has(answer: Message, text: str) -> bool:
    return any(text in line for line in answer["lines"])


NESTED = (
    "b.innerHTML = '<h1>Top</h1>'; let at = b;"
    "for (let n = 0; n < {}; n++) {{ const one = document.createElement('{}'); at.append(one); at = one; }}"
    "at.innerHTML = '<button>Deep</button>'"
)
ENORMOUS = [
    (
        "50,000 elements",
        "b.innerHTML = '<h1>Top</h1>' + '<p><a href=/>x</a><b>y</b><i>z</i><u>w</u></p>'.repeat(1e4) + '<h2>End</h2>'",
        ("# Top", "## End"),
    ),
    (
        "one list of 20,000",
        "b.innerHTML = '<h1>Top</h1><ul>' + '<li>x</li>'.repeat(20000) + '</ul><button>End</button>'",
        ("# Top", "button: End"),
    ),
    (  # Chrome itself ends with 3,000 boxes in each other
        "10,000 levels without a box",
        f"{NESTED.format(10_000, 'div')}; for (const one of b.querySelectorAll('div')) one.style.display = 'contents'",
        ("# Top",),
    ),
    ("1,000 boxes in each other", NESTED.format(1_000, "div"), ("# Top", "button: Deep")),
    ("600 inline elements in each other", NESTED.format(600, "span"), ("# Top", "button: Deep")),
    (
        "a text of 2 MB",
        (
            "b.innerHTML = '<h1>Top</h1><p></p><button>End</button>';"
            "document.querySelector('p').textContent = 'word '.repeat(400000)"
        ),
        ("# Top", "word word", "button: End"),
    ),
    (
        "a name and a value of 2 MB",
        (
            "b.innerHTML = '<button></button><input>'; const long = 'word '.repeat(400000);"
            "document.querySelector('button').setAttribute('aria-label', long);"
            "document.querySelector('input').value = long"
        ),
        ("button: word", "= word"),
    ),
    (
        "references in a circle",
        (
            "b.innerHTML = '<div id=a role=group aria-owns=b aria-labelledby=b>A</div><div id=b role=group aria-owns=a"
            " aria-labelledby=a>B</div><button id=c aria-labelledby=d></button>"
            "<button id=d aria-labelledby=c>D</button>'"
        ),
        ("A", "B", "button: D"),
    ),
    (
        "5,000 tabs without names and with states",
        "b.innerHTML = '<p role=tablist>'+'<i role=tab aria-selected=false></i>'.repeat(5000) + '</p><h2>End</h2>'",
        ("## End",),
    ),
    (
        "a table of 1,000 rows of 40 cells with spans",
        "b.innerHTML = `<table>${`<tr>${'<td colspan=2 rowspan=3>x</td>'.repeat(40)}</tr>`.repeat(1000)}</table>`",
        ("| x | <",),
    ),
]


@pytest.mark.requirement("fast-036")
async def test_what_is_enormous_is_outlined_small_by_a_bounded_look(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    for name, script, expected in ENORMOUS:
        await tab.evaluate(f"{{ const b = document.body; {script} }}; document.body.getBoundingClientRect(); 0")

        answer = await outlined(bridge)

        missing = [text for text in expected if not has(answer, text)]
        assert [] == missing, (name, answer)


PATCHES = """
Object.defineProperty(Node.prototype, 'childNodes', { get() { throw new Error('patched'); } });
Element.prototype.getAttribute = Element.prototype.matches = () => { throw new Error('patched'); };
globalThis.getComputedStyle = Array.prototype.push = JSON.stringify = () => { throw new Error('patched'); };
Array.prototype[Symbol.iterator] = () => { throw new Error('patched'); };
0
"""


@pytest.mark.requirement("fast-036")
async def test_a_page_that_patches_what_is_built_in_is_read_all_the_same(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    plain = (await outlined(bridge))["lines"]
    await tab.evaluate(PATCHES)

    assert plain == (await outlined(bridge))["lines"]


async def test_a_form_whose_fields_have_the_names_of_properties_is_outlined(look: Open, bridge: BridgeDouble) -> None:
    await look("clobbered.html")

    assert (await outlined(bridge))["lines"]


MOVES = """
const main = document.body;
main.innerHTML = '<p><button>One</button></p><p><button>Two</button></p><ul></ul>';
globalThis.stirring = setInterval(() => {
  main.prepend(main.lastElementChild);
  main.querySelector('ul').innerHTML = `<li>${Math.random()}</li>`;
}, 1);
0
"""


@pytest.mark.requirement("fast-036")
async def test_what_moves_while_it_is_read_is_there_once(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(MOVES)
    for _ in range(20):
        text = "\n".join((await outlined(bridge))["lines"])

        assert (1, 1, 1) == (text.count("One"), text.count("Two"), text.count("- 0."))


@pytest.mark.requirement("fast-036")
async def test_the_page_notices_nothing_of_an_outline(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(
        "globalThis.noticed = []; new MutationObserver((all) => noticed.push(...all)).observe(document,"
        " { subtree: true, childList: true, attributes: true, characterData: true });"
        "for (const type of ['focus', 'scroll', 'message', 'error'])"
        " addEventListener(type, () => noticed.push(type), true); 0"
    )

    await outlined(bridge)
    await outlined(bridge, since_seq=1)

    assert [] == await tab.evaluate("noticed")


WAYS = ["strict.html", "trusted-conformance.html", "sandboxed.html"]


@pytest.mark.requirement("fast-037")
@pytest.mark.parametrize("name", WAYS)
async def test_a_strict_page_is_outlined(look: Open, bridge: BridgeDouble, name: str) -> None:
    await look(name)

    assert (await outlined(bridge))["lines"]


@pytest.mark.requirement("fast-037")
async def test_a_hidden_tab_is_outlined_without_the_switch_and_without_a_debugger(
    chromium: Browser, visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("blank.html")
    before = {tab["id"] for tab in (await bridge.result("list_tabs"))["tabs"]}
    async with scene.page(chromium, pages + "small.html", front=False) as tab:
        (hidden,) = {tab["id"] for tab in (await bridge.result("list_tabs"))["tabs"]} - before
        await tab.until("document.readyState === 'complete'")

        answer = await outlined(bridge, tab_id=hidden)

        assert "hidden" == await tab.evaluate("document.visibilityState")
    assert has(answer, "# Corner Shop")


@pytest.mark.requirement("fast-037")
async def test_a_page_that_still_loads_is_outlined_and_says_so(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.body.append(Object.assign(new Image(), { src: '/api/held?name=outlined' })); 0")
    await tab.evaluate("void (location.href = 'slow-part.html')")

    answer = await outlined(bridge)

    assert answer["lines"]


HELD = "<iframe title=Near srcdoc='<button>Near</button>'></iframe>"


async def hang(tab: Tab, pages: str) -> None:
    """Put in a page two frames of another origin, and have the first one hang."""
    at = [(name, pages.replace("127.0.0.1", host) + page) for name, (host, page) in FRAMES.items()]
    frames = "".join(f"<iframe title={name} src='{url}'></iframe>" for name, url in at)
    await tab.evaluate(f"document.querySelector('body').innerHTML = {json.dumps(frames + HELD)}; 0")
    await tab.until("document.readyState === 'complete'")


FRAMES = {"Hung": ("localhost", "hangs.html"), "Other": ("other.localhost", "foreign.html")}  # a process each


@pytest.mark.requirement("fast-037")
async def test_a_frame_that_does_not_answer_is_stated_at_its_place_and_the_others_are_read(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("blank.html")
    await hang(tab, pages)

    async def loaded() -> bool:
        answer = await outlined(bridge)
        return has(answer, "# Hangs") and has(answer, "Saved orders")

    await until(loaded, "both frames to be read")
    await tab.evaluate("document.querySelector('iframe').src += '#now'; 0")

    async def hung() -> bool:
        return has(await outlined(bridge), "does not answer")

    await until(hung, "the frame to hang")
    answer = await outlined(bridge)

    lines = answer["lines"]
    place = next(at for at, line in enumerate(lines) if "iframe" in line and "Hung" in line)
    assert "… the frame does not answer" == lines[place + 1].strip()
    assert has(answer, "Saved orders")
    assert has(answer, "button: Near")


SECRETS = """
document.body.innerHTML = '<h1>Top</h1><div contenteditable data-testid=password>editsecretAAA</div>'
  + '<div contenteditable role=textbox aria-label="Card number">editsecretBBB <b tabindex=0>editsecretCCC</b></div>'
  + '<p>Seen <span style="-webkit-text-security: disc">editsecretDDD</span></p>'
  + '<select autocomplete=cc-number aria-label="Card number"><option>editsecretEEE<option>editsecretFFF</select>'
  + '<div contenteditable aria-label=Note>A note that is read</div>'
"""


@pytest.mark.requirement("fast-033")
async def test_what_is_written_where_a_secret_belongs_is_not_listed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(SECRETS)

    answer = await outlined(bridge)

    assert has(answer, "# Top")
    assert has(answer, "Seen")
    assert has(answer, "A note that is read")
    assert "editsecret" not in json.dumps(answer)
