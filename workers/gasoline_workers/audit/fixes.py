"""States for each rule of axe what to change at an element, with the values to set where axe measured any.

A rule without a row has axe's own words. Sources: the rules of axe-core 4.14 (dequeuniversity.com/rules/axe) and the
techniques of WCAG 2.2 that they check.
"""

from collections.abc import Callable, Mapping
from typing import Any

from gasoline_workers.audit.axe_results import Check, Node
from gasoline_workers.audit.contrast import colour, nearest, ratio
from gasoline_workers.diff.reading import number, text

CONTRAST = ("color-contrast", "color-contrast-enhanced")  # the checks, named as the rules are
NAMED = 8  # values that a fix names
LEAD_INS = ("Fix any of the following:", "Fix all of the following:")
NAME = "Give it a name: text in it, or aria-label"

FIXES: Mapping[str, str] = {
    "accesskeys": "Give each accesskey to one element only",
    "area-alt": "Add an alt attribute that names the link's target",
    "aria-braille-equivalent": "Add aria-label (or aria-roledescription) beside the aria-braille attribute",
    "aria-command-name": NAME,
    "aria-dialog-name": "Add aria-labelledby with the id of the dialog's title, or aria-label",
    "aria-hidden-body": "Remove aria-hidden from <body>",
    "aria-hidden-focus": 'Add tabindex="-1" or disabled to what can be focused, or remove aria-hidden',
    "aria-input-field-name": "Add aria-label, or aria-labelledby with the id of its label",
    "aria-meter-name": "Add aria-label, or aria-labelledby with the id of its label",
    "aria-progressbar-name": "Add aria-label, or aria-labelledby with the id of its label",
    "aria-roledescription": "Remove aria-roledescription, or add a role",
    "aria-tab-name": NAME,
    "aria-toggle-field-name": NAME,
    "aria-tooltip-name": NAME,
    "aria-treeitem-name": NAME,
    "audio-caption": 'Add <track kind="captions" src="…">',
    "autocomplete-valid": "Set autocomplete to a token of the HTML standard, such as email, name or off",
    "blink": "Remove <blink>",
    "button-name": NAME,
    "bypass": 'Wrap the main content in <main>, or begin the page with a link such as <a href="#main">',
    "definition-list": "Put only <dt>, <dd> and <div> groups of them directly into <dl>",
    "dlitem": "Put it into a <dl>",
    "document-title": "Add <title> with the page's name to <head>",
    "duplicate-id": "Give each element an id of its own",
    "duplicate-id-active": "Give each element an id of its own",
    "duplicate-id-aria": "Give each element an id of its own; labels and ARIA refer to this one",
    "empty-heading": "Write text into the heading, or remove it",
    "empty-table-header": "Write text into the header, or make it a <td>",
    "form-field-multiple-labels": "Keep one <label> for the field",
    "frame-focusable-content": 'Remove tabindex="-1" from the frame',
    "frame-title": "Add a title attribute that names what the frame holds",
    "frame-title-unique": "Give each frame another title",
    "heading-order": "Use the heading level that follows the one before it, without leaving one out",
    "html-has-lang": 'Add the page\'s language: <html lang="en">',
    "html-lang-valid": "Set lang to a language tag (BCP 47), such as en or pt-BR",
    "html-xml-lang-mismatch": "Give lang and xml:lang the same language",
    "image-alt": 'Add an alt attribute that describes the image, alt="" if it only decorates',
    "image-redundant-alt": 'Set alt="": the text beside it is the same',
    "input-button-name": "Add a value attribute with the button's text",
    "input-image-alt": "Add an alt attribute that states what the button does",
    "label": "Add <label for> with its id, or aria-label",
    "label-content-name-mismatch": "Begin aria-label with the text that is seen",
    "label-title-only": "Add a <label> that is seen; title and aria-describedby are no label",
    "landmark-banner-is-top-level": "Move the banner out of the landmark that holds it",
    "landmark-complementary-is-top-level": "Move the <aside> out of the landmark that holds it",
    "landmark-contentinfo-is-top-level": "Move the page's footer out of the landmark that holds it",
    "landmark-main-is-top-level": "Move <main> out of the landmark that holds it",
    "landmark-no-duplicate-banner": "Keep one banner: <header> outside <article> and <section>",
    "landmark-no-duplicate-contentinfo": "Keep one contentinfo: <footer> outside <article> and <section>",
    "landmark-no-duplicate-main": "Keep one <main>",
    "landmark-one-main": "Wrap the main content in <main>",
    "landmark-unique": "Give each landmark of this kind an aria-label of its own",
    "link-in-text-block": "Underline the link, or give it 3:1 contrast with the text around it",
    "link-name": "Write text into the link, or add aria-label; of an image in it, alt",
    "list": "Put only <li>, <script> and <template> directly into the list",
    "listitem": "Put it into a <ul> or <ol>",
    "marquee": "Remove <marquee>",
    "meta-refresh": 'Remove <meta http-equiv="refresh">',
    "meta-refresh-no-exceptions": 'Remove <meta http-equiv="refresh">',
    "meta-viewport": "Remove user-scalable=no and maximum-scale from the viewport",
    "meta-viewport-large": "Set maximum-scale to 5 or more, or remove it",
    "nested-interactive": "Take what can be focused out of the control, or make the control a plain element",
    "no-autoplay-audio": "Remove autoplay, or add controls",
    "object-alt": "Add aria-label or title to the <object>",
    "page-has-heading-one": "Make the page's title an <h1>",
    "presentation-role-conflict": "Remove tabindex and global ARIA attributes, or the role none",
    "region": "Move it into a landmark: <main>, <nav>, <header>, <footer> or <aside>",
    "role-img-alt": "Add aria-label that describes the image",
    "scope-attr-valid": "Set scope to row, col, rowgroup or colgroup, on a <th>",
    "scrollable-region-focusable": 'Add tabindex="0", or put something into it that can be focused',
    "select-name": "Add <label for> with its id, or aria-label",
    "server-side-image-map": "Remove ismap; use <map> with <area>",
    "skip-link": "Give the target of the link an id and tabindex=-1",
    "summary-name": "Write text into <summary>",
    "svg-img-alt": "Add <title> as the first child of the <svg>, or aria-label",
    "tabindex": "Set tabindex to 0, and let the order of the page decide",
    "table-duplicate-name": "Remove the summary attribute, or give it other words than <caption>",
    "td-has-header": "Add <th> for its row or column",
    "td-headers-attr": "Let headers name ids of <th> in the same table",
    "th-has-data-cells": "Add the cells of this header, or make it a <td>",
    "valid-lang": "Set lang to a language tag (BCP 47), such as en or pt-BR",
    "video-caption": 'Add <track kind="captions" src="…">',
}


def reason(node: Node) -> str:
    """State why axe could not decide whether an element is wrong."""
    return _own_words(node)


def fix(rule: str, node: Node) -> str:
    """State what to change at this element."""
    measured = (MEASURED[check.id](check) for check in node.checks if check.id in MEASURED)
    return next(filter(None, measured), "") or FIXES.get(rule) or _own_words(node)


def _own_words(node: Node) -> str:
    """Return what axe found missing, without its lead-in."""
    lines = [line.strip() for line in node.summary.splitlines()]
    return next((line for line in lines if line and line not in LEAD_INS), "")


def _contrast(check: Check) -> str:
    """Name the nearest colours that pass (WCAG 2.2, 1.4.3 and 1.4.6)."""
    data = check.data if isinstance(check.data, dict) else {}
    front, back = colour(data.get("fgColor")), colour(data.get("bgColor"))
    needed = _needed(data.get("expectedContrastRatio"))
    if front is None or back is None or not needed:
        return ""
    changes = [("text colour", nearest(front, back, needed), back), ("background", nearest(back, front, needed), front)]
    ways = [f"{what} to {one} ({_floor(ratio(one, kept))}:1)" for what, one, kept in changes if one is not None]
    if not ways:
        return f"Change both colours: {needed:g}:1 is needed"
    return f"Change the {' or the '.join(ways)}; {needed:g}:1 is needed"


def _needed(value: object) -> float:
    """Read a ratio as axe writes it, "4.5:1"; 0 for anything else."""
    words = text(value).removesuffix(":1")
    try:
        return float(number(float(words)) or 0)
    except ValueError:
        return 0.0


def _floor(value: float) -> str:
    return f"{int(value * 100) / 100:g}"


def _size(check: Check) -> str:
    """Name the size that is needed (WCAG 2.2, 2.5.8)."""
    data = check.data if isinstance(check.data, dict) else {}
    width, height, least = (number(data.get(name)) for name in ("width", "height", "minSize"))
    if width is None or height is None or not least:
        return ""
    return f"Make it {least:g} by {least:g} px or larger (it is {width:g} by {height:g}), or leave space around it"


def _add(check: Check) -> str:
    return _listed("Add", check.data)


def _remove(check: Check) -> str:
    return _listed("Remove", check.data)


def _listed(verb: str, data: Any) -> str:  # noqa: ANN401 - what a check has measured
    names = data.get("values") if isinstance(data, dict) else data
    listed = [one for one in names if isinstance(one, str)] if isinstance(names, list) else []
    return f"{verb} {', '.join(listed[:NAMED])}" if listed else ""


MEASURED: Mapping[str, Callable[[Check], str]] = {
    **dict.fromkeys(CONTRAST, _contrast),
    "aria-required-attr": _add,
    "aria-valid-attr": _remove,
    "target-size": _size,
}
"""From a check of axe to the fix that its measurements allow."""
