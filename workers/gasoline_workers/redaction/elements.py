"""Elements of HTML and XML in a string: hides what the rules for elements hide."""

import html
from collections.abc import Callable, Iterator

from gasoline_workers.redaction import html_text, structure, values
from gasoline_workers.redaction.ledger import Walk
from gasoline_workers.redaction.names import Meaning, at_most, kind_of, meaning, stronger
from gasoline_workers.redaction.spans import Span

CUT_OFF = 256
"""Characters by which a value is judged that lacks its closing quote."""


def find(text: str, walk: Walk, is_suspicious: Callable[[str], bool]) -> list[Span]:
    """Find what the tags in `text` must hide; those that are not suspicious are passed over."""
    spans: list[Span] = []
    label: dict[str, str] = {}
    table = _Table()
    for tag in html_text.tags(text):
        labelled = structure.label_meaning(label, {"tag": tag.name.lower(), "text": text[tag.start : tag.end]})
        labelled = stronger(labelled, table.cell(tag.name.lower(), text[tag.start : tag.end]))
        if labelled is not Meaning.HARMLESS or is_suspicious(text[tag.begin : tag.start]):
            spans += _tag(text, tag, walk, labelled)
        if text[tag.start : tag.end].strip() or tag.name.lower() not in structure.BETWEEN:
            label = _label(text, tag)
    return spans


class _Table:
    """The columns of the table that is being read, named by its last row of nothing but `th`."""

    def __init__(self) -> None:
        self._columns: list[Meaning] = []
        self._heads: list[Meaning] = []
        self._place = -1

    def cell(self, tag: str, content: str) -> Meaning:
        """Return what the column means that an element stands in, for each opening tag in turn."""
        if tag == "table":
            self._columns, self._heads, self._place = [], [], -1
        elif tag == "tr":
            self._place = -1
            self._columns, self._heads = (self._heads if len(self._heads) > 1 else self._columns), []
        elif tag == "th":
            self._place += 1
            self._heads.append(structure.column_meaning(html.unescape(content.strip())))
        elif tag == "td":
            self._place += 1
            self._heads = []
        known = tag == "td" or tag in structure.CODES
        return self._columns[self._place] if known and 0 <= self._place < len(self._columns) else Meaning.HARMLESS


def _label(text: str, tag: html_text.Tag) -> dict[str, str]:
    """Return an element whose text may be the label of the next one; a long text is none."""
    if tag.end - tag.start > structure.LABEL_LENGTH:
        return {}
    return {"tag": tag.name.lower(), "text": html.unescape(text[tag.start : tag.end])}


def _tag(text: str, tag: html_text.Tag, walk: Walk, labelled: Meaning) -> Iterator[Span]:
    before = _attributes(text, tag)
    if "value" in before and tag.name.lower() in structure.FORM_FIELDS and values.hides(before["value"], labelled):
        shown = before["value"]
        marker = walk.hide(shown, kind_of(labelled), echoes=values.has_echoes(shown, labelled))
        yield from _attribute_changes(tag, before, {**before, "value": marker})
        return
    yield from _attribute_changes(tag, before, walk.value(before))
    is_content = text[tag.start - 1] in ">["  # behind a tag, or in CDATA; not so in `<value="..." />`
    kind = stronger(labelled if is_content else Meaning.HARMLESS, _content_meaning(tag, before))
    content = text[tag.start : tag.end]
    if values.hides(content, kind) and not walk.policy.keeps(content):
        marker = walk.hide(content, kind_of(kind), echoes=values.has_echoes(content, kind))
        yield Span(tag.start, tag.end, marker, kind_of(kind))


def _attribute_changes(tag: html_text.Tag, before: dict[str, str], after: object) -> Iterator[Span]:
    """Find what changed in the attributes; if they could not be judged, all of the tag is hidden."""
    if not isinstance(after, dict):
        yield Span(tag.begin, tag.start)
        return
    for attribute, old, new in zip(tag.attributes, before.values(), after.values(), strict=True):
        if new != old:
            yield Span(attribute.start, attribute.end, html.escape(new))


def _attributes(text: str, tag: html_text.Tag) -> dict[str, str]:
    """Return a tag's attributes; a repeated one, which a browser ignores, gets a number."""
    found: dict[str, str] = {}
    for number, attribute in enumerate(tag.attributes):
        name = attribute.name.lower()
        found[f"{number}\0{name}" if name in found else name] = _attribute(text, attribute)
    return found


def _content_meaning(tag: html_text.Tag, attributes: dict[str, str]) -> Meaning:
    """Return what the text of an element is: an XML element's name states it, an attribute's name only hints at it."""
    named = meaning(tag.name)
    kind = structure.evidence(attributes)
    sure = tag.name.lower() == "textarea" or tag.name.lower() in structure.HOLDERS
    return kind if sure else stronger(named, at_most(kind, Meaning.TOKEN))


def _attribute(text: str, attribute: html_text.Attribute) -> str:
    """Return an attribute's value; of one that is cut off, the beginning, by which the whole is judged."""
    end = attribute.end if attribute.closed else min(attribute.end, attribute.start + CUT_OFF)
    return html.unescape(text[attribute.start : end])
