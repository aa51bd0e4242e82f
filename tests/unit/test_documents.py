"""Each page of the documents leads to others that are there, and each is in the site."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)\s]*)\)")


def anchors(page: Path) -> set[str]:
    """Give the names of a page's headings, as GitHub and MkDocs write them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def dead(page: Path) -> Iterator[str]:
    """Give the links of a page that lead nowhere."""
    for link in LINK.findall(re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{page.relative_to(ROOT)}: {link}"


@pytest.mark.requirement("install-015")
def test_each_link_of_the_documents_leads_to_what_is_there() -> None:
    assert [] == [link for page in PAGES for link in dead(page)]


@pytest.mark.requirement("install-015")
def test_each_page_but_the_decisions_is_in_the_contents_of_the_site() -> None:
    listed = re.findall(r"[\w-]+\.md", (ROOT / "mkdocs.yml").read_text())

    assert sorted(path.name for path in DOCS.glob("*.md")) == sorted(listed)
