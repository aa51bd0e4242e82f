"""What came of checked pages: exit codes, names, progress, and the files that are written."""

from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from gasoline_bridge.check.html_report import html_report
from gasoline_bridge.check.junit import junit
from gasoline_bridge.check.own_system import apart
from gasoline_bridge.check.results import FULL, Outcome, exit_code, is_disturbed, line, named, progress
from gasoline_bridge.check.sample_plot import plot
from gasoline_bridge.check.sarif import sarif
from gasoline_broker.errors import SettingsRefused
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import Comparison, MemoryCompared, PerformanceCompared
from unit.check.outcomes import compared, failed, made


class Tags(HTMLParser):
    """Collects the elements of a document, and what its elements would load."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loaded += [text or "" for name, text in attrs if name in ("src", "href", "srcset")]


@pytest.mark.requirement("regression-020")
@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        (["made", "no_change", "improved", "approved"], 0),
        (["no_change", "regression_detected"], 1),
        (["inconclusive"], 2),
        (["error", "no_change"], 2),
        (["error", "regression_detected", "inconclusive"], 1),
    ],
)
def test_a_regression_is_1_and_what_is_unknown_2(outcomes: list[Outcome], code: int) -> None:
    assert code == exit_code([msgspec.structs.replace(made(), outcome=one) for one in outcomes])


@pytest.mark.requirement("regression-028")
def test_a_page_whose_times_or_memory_seem_to_have_changed_is_checked_again_alone() -> None:
    read, answered = compared().read, compared().compared
    assert read is not None
    assert answered is not None
    parts = answered.comparison
    quiet = msgspec.structs.replace(parts, performance=PerformanceCompared(verdict="no_change"))
    grown = msgspec.structs.replace(quiet, memory=MemoryCompared(verdict="regression_detected"))
    unmeasured = msgspec.structs.replace(quiet, memory=MemoryCompared(verdict="inconclusive"))

    def disturbed(comparison: Comparison) -> bool:
        answer = msgspec.structs.replace(answered, comparison=comparison)
        return is_disturbed(compared(read=msgspec.structs.replace(read, compared=answer)))

    assert [True, False, True, False] == [disturbed(one) for one in (parts, quiet, grown, unmeasured)]
    assert not is_disturbed(made())
    assert not is_disturbed(failed())


def test_a_line_states_the_page_and_what_came_of_it() -> None:
    assert "http://shop.test/cart: baseline made: 'cart' of 5 loads" == line(made())
    assert "http://shop.test/other: error: The server answered 500." == line(failed())


@pytest.mark.requirement("regression-020")
def test_one_page_has_the_given_name_and_several_have_their_paths_with_it() -> None:
    one, other = "http://shop.test/cart?id=1", "http://shop.test"

    assert [(one, "main")] == named([one], "main")
    assert [(one, "main /cart"), (other, "main /")] == named([one, other], "main")
    assert [(one, ""), (other, "")] == named([one, other], "")


@pytest.mark.parametrize("urls", [["shop.test"], ["file:///etc/hosts"], ["http:///cart"]])
def test_what_is_no_page_is_refused_with_the_address(urls: list[str]) -> None:
    with pytest.raises(SettingsRefused, match=urls[0]):
        named(urls, "")


def test_two_pages_of_one_path_are_refused_where_they_would_share_a_baseline() -> None:
    with pytest.raises(SettingsRefused, match="same path"):
        named(["http://one.test/cart", "http://other.test/cart"], "main")


def test_progress_grows_with_the_loads_and_never_reaches_the_end_by_itself() -> None:
    stages = ["", "load 1 of 7", "load 2 of 7", "load 7 of 7", "taking a picture", "analysing the page"]

    found = [progress(stage) for stage in stages]

    assert sorted(found) == found
    assert found[0] == 0
    assert found[-1] < FULL


@pytest.mark.requirement("regression-019")
def test_the_system_of_a_check_shares_the_baselines_with_the_users_and_nothing_else(tmp_path: Path) -> None:
    users = Settings(data_dir=tmp_path / "users", runtime_dir=tmp_path / "sockets", listen="tcp://10.0.0.5:7891")

    own = apart(users, tmp_path / "own", tmp_path / "s", 4_000, own_baselines=False)
    alone = apart(users, tmp_path / "own", tmp_path / "s", 4_000, own_baselines=True)

    assert alone.data_dir == alone.pictures_dir
    assert users.data_dir == users.pictures_dir == own.pictures_dir
    assert not {users.token_file, users.extension_dir, users.mcp_socket, users.broker_socket} & {
        own.token_file,
        own.extension_dir,
        own.mcp_socket,
        own.broker_socket,
    }
    assert (4_000, "") == (own.port, own.listen)
    assert own == Settings.from_environ(own.environ())


@pytest.mark.requirement("regression-021")
def test_junit_has_a_case_for_each_page_with_its_failure_or_error() -> None:
    root = ET.fromstring(junit([compared(), made(), failed("broken \x00 & <odd>")]).encode())  # noqa: S314 - we wrote it

    (suite,) = root
    worse, fine, error = suite
    assert {"tests": "3", "failures": "1", "errors": "1"}.items() <= suite.attrib.items()
    assert ("http://shop.test/cart", "cart", "1.500") == (worse.get("name"), worse.get("classname"), worse.get("time"))
    assert ("failure", "regression_detected") == (worse[0].tag, worse[0].get("type"))
    assert "LCP regressed by" in (worse[0].get("message") or "")
    assert ["system-out"] == [one.tag for one in fine]
    assert ("error", "broken \ufffd & <odd>") == (error[0].tag, error[0].get("message"))


@pytest.mark.requirement("regression-034")
def test_what_is_approved_is_no_result_and_no_failure() -> None:
    approved = [msgspec.structs.replace(compared(), outcome="approved")]

    assert sarif([compared()])["runs"][0]["results"]
    assert [] == sarif(approved)["runs"][0]["results"]
    assert "<failure" in junit([compared()])
    assert "<failure" not in junit(approved)
    assert ": approved: " in line(approved[0])


@pytest.mark.requirement("regression-021")
def test_sarif_has_a_result_for_each_place_that_is_worse_and_none_for_what_was_so_before() -> None:
    document = sarif([compared(), made(), failed()])

    (run,) = document["runs"]
    rules = [one["id"] for one in run["tool"]["driver"]["rules"]]
    assert ["accessibility/image-alt", "performance/lcp_ms", "security/leak"] == rules
    places = [
        (
            one["ruleId"],
            one["level"],
            [place["fullyQualifiedName"] for place in one["locations"][0].get("logicalLocations", [])],
        )
        for one in run["results"]
    ]
    assert [
        ("accessibility/image-alt", "error", ["#a<b"]),
        ("accessibility/image-alt", "error", ["#c"]),
        ("security/leak", "warning", ["token"]),
        ("performance/lcp_ms", "error", []),
    ] == places
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert "500" in invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.requirement("regression-022")
def test_the_report_loads_nothing_and_shows_a_pages_text_as_text() -> None:
    document = html_report([compared(), made(), failed("<script>alert(1)</script>")], "2026-01-29 09:00 UTC")

    found = Tags(document)
    assert [] == found.loaded
    assert 1 == found.tags.count("script")
    assert "b" not in found.tags
    assert "#a&lt;b" in document
    assert "&lt;script&gt;alert(1)" in document
    assert (1, 3) == (found.tags.count("input"), found.tags.count("article"))
    assert 1 == document.count("data:image/png")
    assert ".of-0 { aspect-ratio: 480 / 300;" in document
    assert "1 baseline made, 1 regression, 1 error" in document


@pytest.mark.requirement("regression-022")
def test_a_report_without_a_picture_has_no_slider() -> None:
    for picture in (b"", b"no picture"):
        found = Tags(html_report([compared(picture=picture)], ""))

        assert "input" not in found.tags


@pytest.mark.requirement("regression-022")
@pytest.mark.parametrize("truncated", [True, False])
def test_a_report_states_whether_a_page_was_higher_than_a_picture_can_be(*, truncated: bool) -> None:
    one = compared()
    assert one.read is not None
    assert one.compared is not None
    picture = msgspec.structs.replace(one.compared.comparison.picture, truncated=truncated)
    comparison = msgspec.structs.replace(one.compared.comparison, picture=picture)
    answer = msgspec.structs.replace(one.compared, comparison=comparison)

    document = html_report([compared(read=msgspec.structs.replace(one.read, compared=answer))], "")

    assert truncated is ("higher than a picture can be" in document)


def test_a_plot_spans_all_loads_and_names_them() -> None:
    drawn = plot([10, 20], [30])

    assert 'aria-label="baseline 10, 20; now 30"' in drawn
    assert 'class="then" cx="8.0"' in drawn
    assert 'class="later" cx="212.0"' in drawn
    assert 'class="middle then" x1="59.0"' in drawn
    assert "" == plot([], [])
    assert 'cx="110.0"' in plot([5, 5], [5])
