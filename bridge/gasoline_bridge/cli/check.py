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

from gasoline_bridge.check.baseline_files import read_all
from gasoline_bridge.check.html_report import html_report
from gasoline_bridge.check.junit import junit
from gasoline_bridge.check.results import FULL, Checked, exit_code, line, named, progress
from gasoline_bridge.check.run import How, Report, run
from gasoline_bridge.check.sarif import sarif
from gasoline_bridge.check.session import CallFailedError
from gasoline_bridge.check.url_list import read_list
from gasoline_bridge.cli import exits
from gasoline_bridge.devtools import ChromiumError
from gasoline_broker.errors import CannotStart, Failed, SettingsRefused
from gasoline_broker.settings import Settings

INTERRUPTED = 130  # as a shell has it for Ctrl+C


class Asked(NamedTuple):
    """Which pages are to be checked: addresses, a file that lists more, and the name of the baseline."""

    urls: tuple[str, ...]
    file: Path | None
    name: str


class Files(NamedTuple):
    """Where the results are written, if anywhere."""

    junit: Path | None
    sarif: Path | None
    html: Path | None


def check(settings: Settings, asked: Asked, how: How, files: Files) -> int:
    """Check the pages, print a line for each, write the files, and return the exit code.

    Raises:
        SettingsRefused: an address is none, a file would be in no folder, or a baseline of the folder is damaged.
        CannotStart: the system or the browser did not start.

    """
    pages = named(_addresses(asked), asked.name)
    _require_folders(files)
    if how.folder and how.folder.is_dir():
        read_all(how.folder)  # what is damaged is named before a minute goes into starting
    with _bar(len(pages)) as report:
        try:
            checked = run(settings, pages, how, report)
        except (ChromiumError, CallFailedError, TimeoutError) as fault:
            raise CannotStart(str(fault)) from None
        except Failed as fault:  # of the folder's baselines; click would exit with 1, which is a regression
            raise CannotStart(f"{fault.failure.text} {fault.failure.recovery}".strip()) from None
        except (KeyboardInterrupt, asyncio.CancelledError):  # click would exit with 1, which is a regression
            exits.stop("The check was interrupted.", INTERRUPTED)
    for one in checked:
        click.echo(line(one))
    _write(files, checked)
    return exit_code(checked)


def _addresses(asked: Asked) -> list[str]:
    """Return the addresses that are asked for, each once."""
    urls = list(dict.fromkeys(asked.urls))
    if asked.file is None:
        return urls
    listed = read_list(asked.file.read_text(encoding="utf-8-sig", errors="replace"), str(asked.file))
    for number, first in listed.repeated.items():
        click.echo(f"{asked.file}: line {number} repeats line {first}: it is checked once.", err=True)
    return list(dict.fromkeys(urls + listed.urls))


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
