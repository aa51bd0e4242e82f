"""Each performance rule finds its fault in a page that has that one alone, and nothing in the page without it."""

from typing import Any

import pytest

from gasoline_workers.audit.messages import Affected
from gasoline_workers.audit.performance import RULES, judge

Evidence = dict[str, Any]

KIB = 1024
SITE = "https://shop.example/"


def file(name: str, kib: float | None = 20, **fields: Any) -> Evidence:
    """Give a file of the site that came compressed; of None KiB its sizes are hidden."""
    sizes = {} if kib is None else {"transfer": kib * KIB, "encoded": kib * KIB, "decoded": 3 * kib * KIB}
    kind = {"js": "script", "css": "style", "png": "image"}.get(name.rpartition(".")[2], "other")
    base = {"address": name if "://" in name else SITE + name, "kind": kind, "status": 200, "protocol": "h2"}
    return base | {"start_ms": 100, "took_ms": 60, "is_text": kind in {"script", "style"}} | sizes | fields


def image(**fields: Any) -> Evidence:
    base = {"selector": "#hero", "address": SITE + "hero.png", "width": 800, "height": 600}
    return base | {"shown_width": 800, "shown_height": 600} | fields


NAVIGATION: Evidence = {
    "ttfb_ms": 90,
    "paint_ms": 400,
    "response_end_ms": 120,
    "load_ms": 700,
    "transfer": 9000,
    "encoded": 8700,
    "decoded": 30000,
    "protocol": "h2",
}
PAINT: Evidence = {"ms": 700, "selector": "#hero", "tag": "img", "address": SITE + "hero.png", "ttfb_ms": 90}
CLEAN: Evidence = {
    "url": SITE,
    "scale": 1,
    "paint": PAINT,
    "layout_shift": 0.02,
    "shifts": [{"score": 0.02, "selector": "#a"}],
    "interaction": {"ms": 80, "selector": "#buy", "run_ms": 60},
    "navigation": NAVIGATION,
    "resources": [
        file("app.js", cache="max-age=31536000, immutable"),
        file("app.css", is_blocking=True),
        file("hero.png"),
        file("https://fonts.example.net/a.woff2", None, kind="font"),
    ],
    "images": [image()],
    "tasks": [{"start_ms": 300, "took_ms": 90, "script": SITE + "app.js"}],
    "fonts": [],
    "unused_preloads": [],
    "dom": {"elements": 400, "depth": 12, "children": 30},
    "unknown": [],
}


def late(ms: float, **parts: float) -> Evidence:
    return {"paint": PAINT | {"ms": ms} | parts}


def loaded(*more: Evidence) -> Evidence:
    return {"resources": [*CLEAN["resources"], *more]}


def reported(kind: str, what: str) -> Evidence:
    return {"reports": [{"kind": kind, "what": what, "address": SITE + "a.js"}]}


FAULTS: dict[str, tuple[str, Evidence]] = {
    "late paint": ("lcp", late(3100, delay_ms=2500)),
    "lazy paint": ("lcp-lazy", {"paint": PAINT | {"is_lazy": True}}),
    "shifts": ("cls", {"layout_shift": 0.3, "shifts": [{"score": 0.3, "selector": "#banner"}]}),
    "slow interaction": ("inp", {"interaction": {"ms": 640, "selector": "#buy", "run_ms": 600}}),
    "late first paint": ("fcp", {"navigation": NAVIGATION | {"paint_ms": 2000}}),
    "late answer": ("ttfb", {"navigation": NAVIGATION | {"ttfb_ms": 900, "response_end_ms": 950, "paint_ms": 1000}}),
    "long tasks": ("long-tasks", {"tasks": [{"start_ms": 500, "took_ms": 480, "script": SITE + "app.js"}]}),
    "blocking style": ("render-blocking", loaded(file("slow.css", is_blocking=True, start_ms=100, took_ms=250))),
    "redirects": ("redirects", {"navigation": NAVIGATION | {"redirects": 2, "redirect_ms": 250}}),
    "plain text": ("text-compression", loaded(file("big.js", 200, decoded=200 * KIB))),
    "plain document": ("text-compression", {"navigation": NAVIGATION | {"encoded": 90_000, "decoded": 90_000}}),
    "not cached": ("cache-lifetime", loaded(file("big.js", 200, cache="no-store"))),
    "heavy": ("total-bytes", loaded(file("film.mp4", 3000))),
    "other sites": ("third-parties", loaded(file("https://ads.example.net/a.mp4", 400))),
    "unused preload": ("unused-preload", {"unused_preloads": [SITE + "x.js"]}),
    "old protocol": ("http1", loaded(*(file(f"{n}.bin", 1, protocol="http/1.1") for n in range(6)))),
    "large image": ("image-size", {"images": [image(shown_width=80, shown_height=60)]}),
    "large image of unknown size": (
        "image-size",
        {"images": [image(address="https://img.example.net/a.png", width=4000, height=3000)]},
    ),
    "image out of sight": (
        "offscreen-images",
        {"images": [image(below_px=4000)], **loaded(file("hero.png", 40))},
    ),
    "image without room": ("image-dimensions", {"images": [image(is_sized=False)]}),
    "invisible text": ("font-display", {"fonts": ["Body"]}),
    "large document": ("dom-size", {"dom": {"elements": 1500}}),
    "refused": ("failed-resources", loaded(file("gone.js", 1, status=404))),
    "stretched": ("image-aspect-ratio", {"images": [image(is_stretched=True)]}),
    "quirks": ("doctype", {"dom": {"is_quirks": True}}),
    "no encoding": ("charset", {"dom": {"has_charset": False}}),
    "no viewport": ("viewport", {"dom": {"has_viewport": False}}),
    "blocked by its policy": ("policy-violations", reported("csp-violation", "img-src")),
    "deprecated": ("deprecated-features", reported("deprecation", "Synchronous requests are deprecated.")),
}


def ids(evidence: Evidence) -> list[str]:
    return [finding.id for finding in judge(evidence, "performance").findings]


@pytest.mark.requirement("findings-007")
def test_a_clean_page_has_no_finding_and_each_fault_has_its_own_alone() -> None:
    found = {name: ids(CLEAN | change) for name, (_, change) in FAULTS.items()}

    assert [] == ids(CLEAN)
    assert {name: [fault] for name, (fault, _) in FAULTS.items()} == found
    assert len(RULES) == len({fault for fault, _ in FAULTS.values()})


@pytest.mark.requirement("findings-008")
def test_a_late_paint_names_its_element_and_the_part_that_makes_it_late() -> None:
    parts = {
        "ttfb_ms": ("ttfb", "Answer the document faster"),
        "delay_ms": ("load delay", "Have the browser find it"),
        "load_ms": ("load time", "Make it smaller"),
        "render_ms": ("render delay", "Remove what blocks"),
    }
    for part, (name, fix) in parts.items():
        (found,) = judge(CLEAN | late(4100, **{part: 3000}), "performance").findings
        assert f"most of it {name}" in found.message
        assert found.fix.startswith(fix)
        assert ("high", {"ms": 1600}) == (found.severity, found.gain)
        assert [Affected(selector="#hero")] == found.affected
        assert 3000 == found.evidence[f"{name.replace(' ', '_')}_ms"]


@pytest.mark.requirement("findings-009")
def test_the_slowest_interaction_has_its_three_parts_and_its_clock() -> None:
    slow = {"ms": 640, "selector": "#buy", "event": "click", "delay_ms": 20, "run_ms": 580, "paint_ms": 40}
    (found,) = judge(CLEAN | {"interaction": slow | {"source": "own_clock"}}, "performance").findings

    expected = {"value_ms": 640, "event": "click", "input_delay_ms": 20, "processing_ms": 580, "presentation_ms": 40}
    assert expected | {"source": "own_clock"} == found.evidence


@pytest.mark.requirement("findings-010")
def test_what_another_origin_hides_is_unknown_and_never_zero() -> None:
    hidden = loaded(*(file(f"https://cdn.example.net/{n}.js", None) for n in range(3)), file("film.mp4", 3000))
    (found,) = judge(CLEAN | hidden, "performance").findings
    large = {"images": [image(address="https://img.example.net/a.png", width=4000, height=3000)]}
    (unknown,) = judge(CLEAN | large, "performance").findings

    assert 4 == found.evidence["unknown"]
    assert (1, {}) == (unknown.evidence["unknown"], unknown.gain)


@pytest.mark.requirement("findings-011")
def test_the_summary_has_the_vitals_and_what_is_unknown() -> None:
    summary = judge(CLEAN | {"unknown": ["interactions: none"]}, "performance").summary
    vitals = {"lcp_ms": 700, "inp_ms": 80, "fcp_ms": 400, "ttfb_ms": 90, "cls": 0.02}

    assert {
        "passed": len(RULES),
        "total_rules": len(RULES),
        "vitals": vitals,
        "unknown": ["interactions: none"],
    } == summary


@pytest.mark.requirement("findings-006")
@pytest.mark.parametrize(
    "evidence", [None, [], {"paint": 3}, {"resources": [None]}, {"images": {"a": 1}}, {"tasks": "x"}]
)
def test_garbage_of_a_page_is_no_finding_and_no_error(evidence: object) -> None:
    assert [] == judge(evidence, "performance").findings
