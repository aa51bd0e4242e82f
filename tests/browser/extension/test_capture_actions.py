"""What the user did where it is hard to hear, and what must not be heard of it."""

import pytest

from browser.collector import Collector, Event
from browser.input import click, click_at, press, type_text
from gasoline_bridge.devtools import Tab

ALT, CONTROL = 1, 2

CARD = """
  const root = document.body.appendChild(document.createElement('my-form')).attachShadow({mode: 'open'});
  root.host.id = 'card';
  root.innerHTML = `<form><input id="city"><input id="key" type="password"><slot></slot><button>Go</button>
    <div id="list" style="height: 50px; overflow: auto"><p style="height: 500px">tall</p></div>
    <div id="note" contenteditable="true" style="height: 20px"></div>
    <div id="other" contenteditable="true">x</div></form>`;
  root.host.innerHTML = '<input id="slotted">';
  root.querySelector('form').onsubmit = (event) => event.preventDefault();
"""
"""A form in an open shadow root, that shows a field of the page in a slot."""

REWRITE = "doc.open(); doc.write('<button id=go style=\"width: 200px; height: 100px\">Go</button><input id=field>')"


async def fill(collector: Collector, html: str) -> Tab:
    """Show a page that holds this alone."""
    tab = await collector.look("actions.html")
    await tab.evaluate(f"document.body.innerHTML = {html!r}; 0")
    return tab


async def settled(collector: Collector, tab: Tab) -> list[Event]:
    """Give every action, once one that comes after all of them has come."""
    await tab.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', '<button id=last>Last</button>'); scrollTo(0, 0); 0"
    )
    await click(tab, "#last")
    await collector.heard(1, action="click", selector="#last")
    return [one for one in await collector.events(type="action") if one["selector"] != "#last"]


@pytest.mark.requirement("capture-013")
@pytest.mark.parametrize("blur", ["", "document.getElementById('field').blur();"])
async def test_a_password_that_is_shown_stays_untold(collector: Collector, blur: str) -> None:
    tab = await fill(collector, '<input id="field" type="password">')
    await click(tab, "#field")
    await tab.send("Input.insertText", text="planted-secret")
    await tab.evaluate("document.getElementById('field').type = 'text'; 0")
    await tab.send("Input.insertText", text="!")
    await tab.evaluate(f"{blur} 0")
    await press(tab, "Tab")

    (entered,) = await collector.heard(1, action="input")

    assert "value" not in entered
    assert "planted-secret" not in str(await collector.chunks())


@pytest.mark.requirement("capture-013")
@pytest.mark.parametrize("before", ["el.type = 'password'", "el.style.webkitTextSecurity = 'disc'"])
async def test_a_field_that_was_once_a_secret_stays_one(collector: Collector, before: str) -> None:
    tab = await fill(collector, '<input id="field">')
    await tab.evaluate(f"el = document.getElementById('field'); {before}; el.focus(); 0")
    await tab.send("Input.insertText", text="planted-")
    await tab.evaluate("el.removeAttribute('style'); el.removeAttribute('type'); 0")
    await tab.send("Input.insertText", text="secret")
    await press(tab, "Tab")

    (entered,) = await collector.heard(1, action="input")

    assert "value" not in entered


async def test_a_password_that_was_shown_before_any_typing_is_not_captured(collector: Collector) -> None:
    tab = await fill(collector, '<input id="field" type="password">')
    await tab.evaluate("document.getElementById('field').type = 'text'; 0")
    await type_text(tab, "#field", "planted-secret")

    (entered,) = await collector.heard(1, action="input")

    assert "value" not in entered


@pytest.mark.requirement("capture-013")
@pytest.mark.parametrize(
    "field",
    [
        '<input id="f" name="pw">',
        '<input id="f" name="user_pw1">',
        '<input id="f" name="user_pin">',
        '<label>Kennwort <input id="f"></label>',
        '<input id="f" placeholder="Contraseña">',
        '<input id="f" placeholder="Contrasen\u0303a">',
        '<input id="f" name="senha">',
        '<input id="f" aria-label="Mot de passe">',
        '<input id="f" name="wachtwoord">',
        '<input id="f" placeholder="Hasło">',
        '<input id="f" placeholder="Пароль">',
        '<input id="f" placeholder="密码">',
        '<input id="f" placeholder="パスワード">',
        '<b id="l">Your password</b><input id="f" aria-labelledby="none l">',
    ],
)
async def test_a_secret_is_known_by_its_name_in_any_language(collector: Collector, field: str) -> None:
    tab = await fill(collector, field)
    await type_text(tab, "#f", "planted-secret")

    (entered,) = await collector.heard(1, action="input")

    assert "value" not in entered


async def test_a_field_that_only_sounds_like_a_secret_is_reported(collector: Collector) -> None:
    tab = await fill(collector, '<input id="f" name="spinner" placeholder="upwards">')
    await type_text(tab, "#f", "seven")

    (entered,) = await collector.heard(1, action="input")

    assert "seven" == entered["value"]


@pytest.mark.requirement("capture-013")
async def test_no_character_of_a_password_that_is_written_with_alt_is_captured(collector: Collector) -> None:
    tab = await fill(collector, '<input id="field" type="password"><input id="name">')
    await click(tab, "#field")
    for key, modifiers in (("@", ALT), ("{", ALT), ("k", CONTROL), ("€", CONTROL | ALT), ("Escape", 0)):
        await press(tab, key, modifiers)

    told = await settled(collector, tab)

    assert ["Escape"] == [one["key"] for one in told if one["action"] == "key"]


async def test_keys_that_write_with_alt_are_no_shortcuts(collector: Collector) -> None:
    tab = await fill(
        collector, '<input id="field"><div id="note" contenteditable="true">x</div><button id="go">Go</button>'
    )
    for selector in ("#field", "#note"):
        await click(tab, selector)
        for key, modifiers in (("@", ALT), ("{", CONTROL | ALT), ("k", CONTROL | ALT), ("b", CONTROL)):
            await press(tab, key, modifiers)
    await click(tab, "#go")
    await press(tab, "s", ALT)

    told = await settled(collector, tab)

    keys = [(one["selector"], one["key"]) for one in told if one["action"] == "key"]
    combined = [(place, key) for place in ("#field", "#note") for key in ("Control+Alt+k", "Control+b")]
    assert [*combined, ("#go", "Alt+s")] == keys


@pytest.mark.requirement("capture-013")
@pytest.mark.parametrize(
    "html",
    [
        '<div id="hit">planted-secret</div>',
        '<div id="hit" style="padding: 30px"><p contenteditable="true">planted-secret</p></div>',
        '<div id="hit" role="button" style="padding: 30px"><p contenteditable="true">planted-secret</p></div>',
        '<div id="hit" role="button" style="padding: 30px"><textarea>planted-secret</textarea></div>',
        '<button id="hit" style="-webkit-text-security: disc">planted-secret</button>',
        '<button id="hit">Show <b style="-webkit-text-security: disc">planted-secret</b></button>',
        '<div id="hit" role="button" style="padding: 30px"><select><option>planted-secret</select></div>',
        '<div contenteditable="true"><b id="hit" role="button">planted-secret</b></div>',
        '<form onclick="0" id="hit" style="padding: 30px"><input name="matches"><input name="closest">old</form>',
    ],
)
async def test_a_click_has_no_text_that_a_user_may_have_entered(collector: Collector, html: str) -> None:
    tab = await fill(collector, html)
    x, y = await tab.evaluate("(e => [e.left + 4, e.top + 4])(document.getElementById('hit').getBoundingClientRect())")
    for kind in ("mousePressed", "mouseReleased"):
        await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    (clicked,) = await collector.heard(1, action="click", selector="#hit")

    assert "text" not in clicked


async def test_a_click_has_the_text_of_a_link_in_one_line(collector: Collector) -> None:
    tab = await fill(collector, "<a id=hit><i>Read\n  all</i>\n<b>about   it</b></a>")
    await click(tab, "#hit")

    (clicked,) = await collector.heard(1, action="click")

    assert "Read all about it" == clicked["text"]


async def test_what_is_done_in_an_open_shadow_root_is_reported_once(collector: Collector) -> None:
    tab = await collector.visit("actions.html")
    await tab.evaluate(f"document.body.innerHTML = ''; {CARD}; inner = (s) => root.querySelector(s); 0")
    for element in ("inner('#city')", "document.querySelector('#slotted')", "inner('#key')", "inner('#note')"):
        await click_at(tab, element)
        await tab.send("Input.insertText", text="Paris")
    await click_at(tab, "inner('#other')")  # the focus stays in the root: nothing of that comes out
    await click_at(tab, "inner('#city')")
    await press(tab, "Enter", text="\r")
    x, y = await tab.evaluate("(e => [e.left + 9, e.top + 9])(inner('#list').getBoundingClientRect())")
    await tab.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=100)
    await collector.heard(1, action="scroll")

    told = await settled(collector, tab)

    kinds = [(one["action"], one["selector"].removeprefix("#card >>> "), one.get("value")) for one in told]
    assert [
        ("input", "#city", "Paris"),
        ("input", "#slotted", "Paris"),
        ("input", "#key", None),
        ("input", "#note", "Paris"),
        ("submit", "form", None),
        ("scroll", "#list", None),
    ] == [one for one in kinds if one[0] in {"input", "submit", "scroll"}]


@pytest.mark.parametrize("framed", [False, True])
async def test_a_page_that_was_written_again_is_captured_as_before(collector: Collector, *, framed: bool) -> None:
    tab = await collector.visit("actions.html")
    make = "document.body.replaceChildren(document.createElement('iframe')); doc = frames[0].document;"
    await tab.evaluate(f"{make if framed else 'doc = document;'} {REWRITE}; doc.close(); 0")
    x, y = await tab.evaluate(
        "(e => [e.left + 20, e.top + 20])((frames[0]?.frameElement ?? document.body).getBoundingClientRect())"
    )
    for kind in ("mousePressed", "mouseReleased"):
        await tab.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    await tab.evaluate("doc.getElementById('field').focus(); 0")
    await tab.send("Input.insertText", text="again")
    await tab.evaluate("doc.getElementById('field').blur(); 0")
    await tab.evaluate(
        "doc.head.innerHTML = '<meta http-equiv=Content-Security-Policy content=\"img-src data:\">';"
        "doc.body.append(Object.assign(doc.createElement('img'), {src: 'http://127.0.0.1:1/x.png'})); 0"
    )

    (blocked,) = await collector.heard(1, kind="csp")
    told = [
        (one["action"], one["selector"], one.get("text") or one.get("value"))
        for one in await collector.events(type="action")
    ]

    assert "img-src" == blocked["directive"]
    assert [("click", "#go", "Go"), ("input", "#field", "again")] == told


async def test_a_key_is_named_without_a_look_at_the_whole_page(collector: Collector) -> None:
    tab = await fill(collector, '<input id="field"><div id="rows"></div>')
    await tab.evaluate("rows.innerHTML = '<p tabindex=-1><b>x</b></p>'.repeat(25_000); document.body.offsetTop; 0")
    await tab.evaluate(
        "delays = []; addEventListener('keydown', (e) => delays.push(performance.now() - e.timeStamp)); 0"
    )
    for _ in range(9):
        await tab.evaluate("field.blur(); field.focus(); 0")
        await tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30, 0)))")  # painted
        await press(tab, "Escape")
    await tab.evaluate("rows.children[12_000].focus(); 0")
    await press(tab, "Escape")
    told = await collector.heard(10, action="key")

    assert 50 > sorted(await tab.evaluate("delays"))[4]  # over 100 ms if the page is listed
    assert ["#field", "#rows > p:nth-child(12001)"] == [told[0]["selector"], told[-1]["selector"]]


async def test_a_prerendered_page_is_captured_when_it_is_shown(collector: Collector) -> None:
    await collector.visit()
    # No tab of ours: a page that is driven over the protocol has nothing prerendered.
    target = (await collector.browser.send("Target.createTarget", url=collector.pages + "prerendering.html"))[
        "targetId"
    ]
    await collector.heard(1, type="console", args=["gone to"])
    told = [
        event
        for chunk in await collector.chunks()
        for event in chunk["events"]
        if "prerendered" in chunk["page"] and event["type"] in {"console", "navigation"}
    ]
    await collector.browser.send("Target.closeTarget", targetId=target)

    inner = [event.get("navigation") or event["args"][0] for event in sorted(told, key=lambda event: event["ts"])]
    assert ["made ready", "navigate", "gone to"] == inner
