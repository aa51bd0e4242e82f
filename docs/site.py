"""A hook of MkDocs: the first page, links to files of the project as text, and mermaid from this disk."""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
MERMAID = ROOT / ".setup" / "site" / "package" / "dist" / "mermaid.min.js"
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")  # the site has the documents alone


def on_files(files, config):  # noqa: ANN001, ANN201, D103 - as MkDocs calls it
    page = "<meta http-equiv='refresh' content='0; url=how-it-works.html'>"
    files.append(File.generated(config, "index.html", content=page))
    files.append(File.generated(config, "mermaid.min.js", abs_src_path=str(MERMAID)))
    return files


def on_page_markdown(markdown, **_more):  # noqa: ANN001, ANN003, ANN201, D103 - as MkDocs calls it
    return OUTSIDE.sub(r"`\1`", markdown)
