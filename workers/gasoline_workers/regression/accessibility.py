"""Compares what axe found in a page then and now, by rule and by element; pure.

Rules of this file:
- An issue is an element that breaks a rule. What axe could not decide is none.
- An element is known by its selector. One that has only moved has another selector and the same HTML: it is no change.
- Nor is one whose generated ids are others with each load, which is known by the rest of its HTML.
- A finding names ten of its elements at most: beyond them the counts decide.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from gasoline_workers.regression.kept import Element, Rule
from gasoline_workers.regression.messages import AccessibilityCompared, Issue

NAMED = 10  # elements of a rule, as of a finding
GENERATED = re.compile(r'\b(id|for|name|class|list|form|aria-[a-z]+|data-[\w-]+)="[^"]*\d[^"]*"')
"""Attributes by which the parts of a page refer to each other, with a number: it may be another in each load."""


def compare(before: Sequence[Rule], after: Sequence[Rule]) -> AccessibilityCompared:
    """Return what is broken now and was not, and what is resolved."""
    was, now = {one.id: one for one in before}, {one.id: one for one in after}
    new, resolved = _more(was, now), _more(now, was)
    return AccessibilityCompared(
        verdict="regression_detected" if new else "improved" if resolved else "no_change",
        baseline_issues=issues(before),
        current_issues=issues(after),
        new_issues=new,
        resolved_issues=resolved,
    )


def issues(rules: Sequence[Rule]) -> int:
    """Count the elements that break a rule."""
    return sum(one.count for one in rules)


def _more(less: Mapping[str, Rule], more: Mapping[str, Rule]) -> list[Issue]:
    """Return the issues of `more` that `less` has not, the most elements first."""
    none = Rule(id="", severity="info", count=0, elements=[])
    found = [_issue(less.get(name, none), one) for name, one in more.items()]
    return sorted((one for one in found if one.count), key=lambda one: -one.count)


def _issue(before: Rule, after: Rule) -> Issue:
    elements = _without(after.elements, before.elements)
    are_all_named = before.count <= len(before.elements) and after.count <= len(after.elements)
    count = len(elements) if are_all_named else max(0, after.count - before.count)
    return Issue(after.id, count, after.severity, [one.selector for one in elements][: min(count, NAMED)])


def _without(elements: Sequence[Element], known: Sequence[Element]) -> list[Element]:
    """Return the elements that are not known by their selector, nor, among the others, by their HTML."""
    selectors, unlike = {one.selector for one in known}, {one.selector for one in elements}
    moved = Counter(_html(one) for one in known if one.selector not in unlike)
    left = []
    for one in elements:
        if one.selector in selectors:
            continue
        if moved[_html(one)]:
            moved[_html(one)] -= 1
        else:
            left.append(one)
    return left


def _html(one: Element) -> str:
    return GENERATED.sub(r'\1="*"', one.html)
