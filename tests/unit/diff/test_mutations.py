"""What is left of an action's mutation records: what is not as it was before."""

import msgspec
import pytest

from gasoline_workers.diff.messages import AttributeRow, DomChanges, NodesRow, TextRow
from unit.diff.pages import Dom


def test_the_seeds_summary_counts_nodes_and_attributes() -> None:
    dom = Dom()
    dom.add(dom.node("div.toast"), dom.node("p.hint"))
    dom.set(dom.node("#form"), "class", "", "sent")

    assert "2 added, 1 attr changed" == dom.changes().summary


@pytest.mark.requirement("001-032", "001-098")
def test_repeated_siblings_are_one_row_with_a_count_and_a_sample_text() -> None:
    dom = Dom()
    items, button = dom.node("#items"), dom.node("#load-more")
    dom.add(*[dom.node(".item-card", items, text) for text in ("", *["Product 11..."] * 24)])
    dom.set(button, "data-page", "1", "2")

    assert {
        "summary": "25 items added, 1 attr changed",
        "added": [{"selector": ".item-card", "count": 25, "text": "Product 11..."}],
        "attributes": [{"selector": "#load-more", "attr": "data-page", "from": "1", "to": "2"}],
    } == msgspec.to_builtins(dom.changes())


def test_nothing_recorded_is_no_changes() -> None:
    assert DomChanges("no changes") == Dom().changes()


@pytest.mark.requirement("001-118")
def test_children_of_added_and_removed_parents_are_skipped() -> None:
    dom = Dom()
    added = dom.node("section")
    inner = dom.node("div", added)  # came with it, and no record speaks of it
    dom.add(added)
    dom.add(dom.node("p", inner), dom.node("i", added))
    removed = dom.node("aside")
    dom.remove(dom.node("b", removed), removed)

    assert DomChanges("1 added, 1 removed", [NodesRow("section", 1)], [NodesRow("aside", 1)]) == dom.changes()


def test_what_changes_on_an_added_or_removed_node_is_skipped() -> None:
    dom = Dom()
    added, removed = dom.node("section"), dom.node("aside")
    child = dom.node("b", removed)
    dom.add(added)
    dom.set(added, "class", "", "in")
    dom.write(child, "a", "b")
    dom.remove(removed)

    assert "1 added, 1 removed" == dom.changes().summary


def test_a_node_added_and_removed_again_cancels_out_with_all_that_it_held() -> None:
    dom = Dom()
    spinner = dom.node("div.spinner")
    dom.add(spinner)
    dom.add(dom.node("i", spinner))
    dom.remove(spinner)

    assert "no changes" == dom.changes().summary


def test_a_node_that_was_there_and_went_with_a_passing_parent_is_removed() -> None:
    dom = Dom()
    text, box = dom.node("p.text"), dom.node("div.box")
    dom.remove(text)
    dom.add(box)
    dom.add(text, to=box)
    dom.remove(box)

    assert DomChanges("1 removed", removed=[NodesRow("p.text", 1)]) == dom.changes()


def test_a_node_taken_out_and_put_back_was_moved() -> None:
    dom = Dom()
    row, target = dom.node("tr"), dom.node("#other")
    dom.remove(row)
    dom.add(row, to=target)

    assert DomChanges("1 moved", moved=[NodesRow("tr", 1)]) == dom.changes()


def test_an_attribute_that_ends_where_it_began_is_dropped() -> None:
    dom = Dom()
    node = dom.node("button")
    dom.set(node, "class", "a", "b")
    dom.set(node, "class", "b", "a")
    dom.set(node, "disabled", None, "")

    assert DomChanges("1 attr changed", attributes=[AttributeRow("button", "disabled", None, "")]) == dom.changes()


def test_an_attribute_that_changed_often_goes_from_its_first_value_to_its_last() -> None:
    dom = Dom()
    node = dom.node("progress")
    for value in range(3):
        dom.set(node, "value", str(value), str(value + 1))

    assert [AttributeRow("progress", "value", "0", "3")] == dom.changes().attributes


def test_two_values_that_redaction_hid_may_differ() -> None:
    dom = Dom()
    dom.set(dom.node("form"), "data-token", "[REDACTED]", "[REDACTED]")

    assert [AttributeRow("form", "data-token", "[REDACTED]", "[REDACTED]")] == dom.changes().attributes


def test_a_text_that_changed_is_a_change() -> None:
    dom = Dom()
    dom.write(dom.node("#count"), "1", "2")

    assert DomChanges("1 text changed", texts=[TextRow("#count", "1", "2")]) == dom.changes()


def test_as_many_added_as_removed_of_one_selector_were_replaced() -> None:
    dom = Dom()
    dom.remove(*[dom.node("div.card", sample="old") for _ in range(715)])
    dom.add(*[dom.node("div.card", sample="new") for _ in range(715)], dom.node("p"))

    assert (
        DomChanges("1 added, 715 items replaced", [NodesRow("p", 1)], replaced=[NodesRow("div.card", 715, "new")])
        == dom.changes()
    )


@pytest.mark.requirement("001-144")
def test_hundreds_of_mutations_are_twenty_rows_a_category_and_how_many_more() -> None:
    dom = Dom()
    dom.add(*[dom.node(f"#added-{at}") for at in range(300)])
    for at in range(50):
        dom.set(dom.node(f"#changed-{at}"), "class", "a", "b")

    found = dom.changes()

    assert ("300 added, 50 attrs changed", 20, 20, {"added": 280, "attributes": 30}) == (
        found.summary,
        len(found.added),
        len(found.attributes),
        found.more,
    )


def test_what_the_page_only_counted_is_named_as_not_examined() -> None:
    dom = Dom()
    dom.add(dom.node("p"))

    found = dom.changes(count=3001)

    assert ("1 added, 3000 more mutations not examined", 3000) == (found.summary, found.unexamined)


def test_nodes_may_share_a_name() -> None:
    dom = Dom()
    dom.add(*[dom.node("li", sample="One") for _ in range(3)])

    found = dom.changes(names=[0, 0, 0], selectors=["li"], samples=["One"])

    assert [NodesRow("li", 3, "One")] == found.added


def test_a_node_without_a_name_counts_all_the_same() -> None:
    dom = Dom()
    dom.add(dom.node("a"), dom.node("b"))

    assert [NodesRow("?", 2)] == dom.changes(names=[7, "[REDACTED]"]).added


def test_parents_in_a_circle_end() -> None:
    dom = Dom()
    first, second = dom.node("a", 1), dom.node("b", 0)
    dom.add(first, second)

    assert dom.changes().summary


def test_long_values_are_cut_at_a_word() -> None:
    dom = Dom()
    dom.set(dom.node("s " * 90), "style", "word " * 50, "x" * 500)

    (row,) = dom.changes().attributes

    assert ("word word...", True, True) == (str(row.before)[-12:], len(str(row.after)) <= 100, len(row.selector) <= 100)


@pytest.mark.requirement("applications-045")
def test_attributes_that_only_point_to_generated_ids_are_one_count() -> None:
    dom = Dom()
    for at in range(25):
        dom.set(dom.node(f"div.row-{at}"), "aria-labelledby", f":r{at}: radix-:r{at}a:", f":r{at}z: radix-:r{at}b:")
    dom.set(dom.node("button"), "aria-expanded", "false", "true")

    found = dom.changes()

    assert ("1 attr changed, 25 generated ids changed", 25, {}) == (found.summary, found.generated_ids, found.more)
    assert [AttributeRow("button", "aria-expanded", "false", "true")] == found.attributes


@pytest.mark.requirement("applications-045")
@pytest.mark.parametrize(
    ("attribute", "value", "generated"),
    [
        ("id", "headlessui-menu-button-:r3:", True),
        ("aria-controls", "«r1a»", True),
        ("aria-controls", "_r_2f_", True),
        ("aria-owns", "cdk-overlay-12", True),
        ("id", "mat-input-3", True),
        ("for", "0f8fad5b-d9cb-469f-a165-70867728950e", True),
        ("aria-describedby", "name-error", False),
        ("aria-describedby", ":r1: name-error", False),
        ("id", "material", False),
        ("id", "order-1042", False),
        ("class", "radix-:r1:", False),
    ],
)
def test_a_generated_id_is_distinguished_from_a_name(attribute: str, value: str, *, generated: bool) -> None:
    dom = Dom()
    dom.set(dom.node("input"), attribute, None, value)

    assert (generated, not generated) == (dom.changes().generated_ids == 1, bool(dom.changes().attributes))
