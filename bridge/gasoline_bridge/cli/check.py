"""What `gasoline check` shows while it runs, prints and writes; the checking itself is in gasoline_bridge.check."""

import asyncio
import datetime as dt
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from gasoline_bridge.check.html_report import html_report
from gasoline_bridge.check.junit import junit
from gasoline_bridge.check.results import FULL, Checked, exit_code, line, named, progress
from gasoline_bridge.check.run import Report, run
from gasoline_bridge.check.sarif import sarif
from gasoline_bridge.check.session import CallFailedError
from gasoline_bridge.cli import exits
from gasoline_bridge.devtools import ChromiumError
from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.settings import Settings

INTERRUPTED = 130  # as a shell has it for Ctrl+C


class Files(NamedTuple):
    """Where the results are written, if anywhere."""

    junit: Path | None
    sarif: Path | None
    html: Path | None


def check(settings: Settings, urls: tuple[str, ...], name: str, runs: int, files: Files) -> int:
    """Check the pages, print a line for each, write the files, and return the exit code.

    Raises:
        SettingsRefused: an address is none, or a file would be in no folder.
        CannotStart: the system or the browser did not start.

    """
    pages = named(urls, name)
    _require_folders(files)
    with _bar(len(pages)) as report:
        try:
            checked = run(settings, pages, runs, report)
        except (ChromiumError, CallFailedError, TimeoutError) as fault:
            raise CannotStart(str(fault)) from None
        except (KeyboardInterrupt, asyncio.CancelledError):  # click would exit with 1, which is a regression
            exits.stop("The check was interrupted.", INTERRUPTED)
    for one in checked:
        click.echo(line(one))
    _write(files, checked)
    return exit_code(checked)


def _require_folders(files: Files) -> None:
    """See that each file has a folder, before minutes go into what it is to hold."""
    if missing := [file.parent for file in files if file and not file.parent.is_dir()]:
        raise SettingsRefused(f"{missing[0]} is no folder.")


@contextmanager
def _bar(pages: int) -> Iterator[Report]:
    """Show on a terminal how far the pages are."""
    done: dict[str, int] = {}
    shown = click.progressbar(
        length=pages * FULL, label="Checking", file=sys.stderr, hidden=not sys.stderr.isatty(), item_show_func=str
    )
    with shown as bar:

        def report(url: str, stage: str) -> None:
            now = progress(stage) if stage else FULL
            if (by := now - done.get(url, 0)) > 0:
                done[url] = now
                bar.update(by, f"{url} {stage}")

        yield report


def _write(files: Files, checked: list[Checked]) -> None:
    if files.junit:
        files.junit.write_text(junit(checked), encoding="utf-8")
    if files.sarif:
        files.sarif.write_bytes(msgspec.json.format(msgspec.json.encode(sarif(checked))) + b"\n")
    if files.html:
        now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
        files.html.write_text(html_report(checked, now), encoding="utf-8")
