"""The commands: each parses, calls one function and prints; what is heavy is imported inside."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import click

from gasoline_bridge import bundle
from gasoline_bridge.cli import exits, processes
from gasoline_bridge.cli.exits import NOT_RUNNING
from gasoline_broker.errors import AlreadyRunning, CannotStart, SettingsRefused
from gasoline_broker.product import NAME, VERSION
from gasoline_broker.settings import Settings, private_dir

DOWN_S = 20.0
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


class Commands(click.Group):
    """The group: every fault of ours ends in one sentence and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Run the command that was named."""
        with exits.by_sentences():
            return super().invoke(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name=NAME)
@click.pass_context
def cli(context: click.Context) -> None:
    """Let your AI coding assistant see and drive your own Chrome, on this machine alone."""
    context.obj = Settings.from_environ()


# The system


@cli.command()
@click.option("--detach", is_flag=True, help="Return as soon as everything is ready.")
@click.option("--scale", multiple=True, metavar="NAME=COUNT", help="How many processes of a worker; again for another.")
@click.option("--compact", is_flag=True, help="Run the workers in one process: half the memory. A client starts it so.")
@click.pass_obj
def up(settings: Settings, *, detach: bool, scale: tuple[str, ...], compact: bool) -> None:
    """Start every process, and keep them running."""
    from gasoline_broker import running
    from gasoline_broker.settings import writable_dir
    from gasoline_broker.supervisor import procfile, supervisor

    if settings.broker:
        raise SettingsRefused("GASOLINE_BROKER is for a worker on another machine; a system has a broker of its own.")
    path, counts = bundle.find("Procfile"), procfile.read_counts(scale)
    commands = procfile.read(path)
    procfile.check(procfile.compact(commands) if compact else commands, counts)
    found = running.find(settings)
    if found and (difference := found.difference(settings)):
        exits.stop(f"{AlreadyRunning(NAME, found.pid)} But {difference}: end that one, or set both folders.", 1)
    if counts and found:
        exits.stop(f"{AlreadyRunning(NAME, found.pid)} `gasoline scale {' '.join(scale)}` scales it.", 1)
    writable_dir(settings.data_dir)
    check_own_rules(settings)
    if detach:
        _detach(settings, [*(f"--scale={text}" for text in scale), *(["--compact"] if compact else [])])
        return
    if compact:
        processes.load_shared()
    try:
        supervisor.run(settings, path, counts, processes.run_forked if compact else None)
    except AlreadyRunning as fault:
        click.echo(f"{NAME}: {fault}", err=True)


def check_own_rules(settings: Settings) -> None:
    """Refuse to start redaction with wrong rules of the user's: it would not, and the system would end with it."""
    if (settings.config_dir / "redaction.toml").exists():
        from gasoline_workers.redaction import policy_file

        policy_file.load(settings.config_dir)


def _detach(settings: Settings, options: list[str]) -> None:
    from gasoline_bridge.front.starting import connect

    link = connect(settings, options)
    if link is None:
        raise CannotStart(f"The system did not start: {settings.log_file} says why.")
    link.close()
    click.echo(f"{NAME} is running; its log is {settings.log_file}.")


@cli.command()
@click.argument("counts", nargs=-1, required=True, metavar="NAME=COUNT...")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def scale(settings: Settings, counts: tuple[str, ...], *, as_json: bool) -> None:
    """Run so many processes of a worker in the running system; show them when they are ready."""
    import msgspec

    from gasoline_bridge.cli import scaling

    processes = scaling.scale(settings, counts)
    click.echo(msgspec.json.encode(processes).decode() if as_json else scaling.as_table(processes))


@cli.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def restart(settings: Settings, name: str, *, as_json: bool) -> None:
    """Start a process again, once it has finished what it holds; of a compact system, also one worker alone."""
    import msgspec

    from gasoline_bridge.cli import scaling

    check_own_rules(settings)
    processes = scaling.restart(settings, name)
    click.echo(msgspec.json.encode(processes).decode() if as_json else scaling.as_table(processes))


@cli.command()
@click.option("--hold", is_flag=True, help="Until `gasoline up`: no assistant's call starts it again.")
@click.pass_obj
def down(settings: Settings, *, hold: bool) -> None:
    """Stop the system: what is under way is finished first. The next call of an assistant starts it again."""
    from gasoline_bridge.front.session_folders import UNTIL_CALL, UNTIL_UP
    from gasoline_broker import running

    found = running.find(settings)
    pid = found.pid if found else 0
    if pid or hold:
        _note_stopped(settings, UNTIL_UP if hold else UNTIL_CALL)
    if not pid:
        click.echo(f"{NAME} is not running{', and no call starts it' if hold else ''}.")
        return
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + DOWN_S
    while (found := running.find(settings)) and found.pid == pid:
        if time.monotonic() > until:
            raise CannotStart(f"Process {pid} did not stop within {DOWN_S:g} s.")
        time.sleep(0.02)
    click.echo(f"{NAME} is stopped; `gasoline up`{' alone' if hold else ', or the next call,'} starts it again.")


def _note_stopped(settings: Settings, how_long: str) -> None:
    """Have sessions know of it; a full disk keeps no system from being stopped, but it cannot hold one."""
    private_dir(settings.runtime_dir)
    try:
        settings.stopped_file.write_text(how_long)
    except OSError as fault:
        click.echo(f"{NAME}: {settings.stopped_file}: {fault.strerror}: the next call starts it again.", err=True)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.option("--watch", is_flag=True, help="Again every second, until Ctrl+C.")
@click.pass_obj
def status(settings: Settings, *, as_json: bool, watch: bool) -> None:
    """Show the processes, what waits, how long it takes, and whether Chrome is connected."""
    from gasoline_bridge.cli import status as shown

    show = shown.as_json if as_json else shown.as_tables
    if watch:
        shown.watch(settings, show)
        return
    status = shown.read(settings)
    click.echo(show(status))
    sys.exit(0 if status.running else NOT_RUNNING)


@cli.command()
@click.argument("trace", default="", metavar="[ID]")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def trace(settings: Settings, trace: str, *, as_json: bool) -> None:
    """Show a call's way, hop by hop, with times (the beginning of its ID is enough); without ID, the last calls."""
    from gasoline_bridge.cli import trace as shown

    calls = shown.read(settings, trace)
    if as_json:
        click.echo(shown.as_json(calls))
    else:
        click.echo(shown.as_ways(calls) if trace else shown.as_lines(calls))


@cli.command()
@click.pass_obj
def doctor(settings: Settings) -> None:
    """Check the installation, and show how to fix what is missing."""
    from gasoline_bridge.cli import doctor as checks

    faults = 0
    for found in checks.run(settings):
        faults += not found.good
        mark = click.style("ok  ", fg="green") if found.good else click.style("FAIL", fg="red")
        click.echo(f"{mark} {found.what}")
        if not found.good:
            click.echo(f"     {found.remedy}")
    sys.exit(1 if faults else 0)


# Other machines


@cli.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_context
def keys(context: click.Context, *, as_json: bool) -> None:
    """Show this machine's public key, and the machines that are let in."""
    if context.invoked_subcommand is None:
        _show_keys(context.obj, as_json=as_json)


@keys.command("allow")
@click.argument("name")
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def allow_key(settings: Settings, name: str, key: str, *, as_json: bool) -> None:
    """Let in the machine that has this public KEY, and call it NAME. It is trusted as this machine's own processes."""
    from gasoline_broker.keys import Keys

    Keys(settings).allow(name, key)
    _show_keys(settings, as_json=as_json)


@keys.command("revoke")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def revoke_key(settings: Settings, name: str, *, as_json: bool) -> None:
    """Let the machine in no longer; what is linked now stays until its link or the broker ends."""
    from gasoline_broker.keys import Keys

    Keys(settings).revoke(name)
    _show_keys(settings, as_json=as_json)


def _show_keys(settings: Settings, *, as_json: bool) -> None:
    from gasoline_bridge.cli import keys as shown

    known = shown.read(settings)
    click.echo(shown.as_json(known) if as_json else shown.as_text(known))


# The clients


def _known_client(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Refuse a name that is not in the table, which is loaded when a client is named."""
    from gasoline_bridge.cli.clients import CLIENTS

    if name is not None and name not in CLIENTS:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(CLIENTS)}.")
    return name


@cli.command()
@click.argument("client", required=False, metavar="[CLIENT]", callback=_known_client)
@click.option("--project", is_flag=True, help="In the client's file for the project in the current folder.")
@click.option("--print", "only_print", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--backup", is_flag=True, help="Keep the file as it was beside it, with .bak after its name.")
@click.option("--json", "as_json", is_flag=True, help="Without CLIENT: as JSON, for a program.")
@click.pass_obj
def install(
    settings: Settings, client: str | None, *, project: bool, only_print: bool, backup: bool, as_json: bool
) -> None:
    """Have an MCP client start Gasoline: add it to the client's configuration; without CLIENT, list the clients."""
    from gasoline_bridge.cli import setup

    if client is None:
        found = setup.states(settings, os.environ, project=project)
        click.echo(setup.as_json(found) if as_json else setup.as_text(found))
        return
    to = setup.target(client, settings, os.environ, project=project)
    click.echo(setup.as_diff(to, removes=False) if only_print else setup.install(to, backup=backup))


@cli.command()
@click.argument("client", metavar="CLIENT", callback=_known_client)
@click.option("--project", is_flag=True, help="From the client's file for the project in the current folder.")
@click.option("--print", "only_print", is_flag=True, help="Show what would be removed, and write nothing.")
@click.option("--backup", is_flag=True, help="Keep the file as it was beside it, with .bak after its name.")
@click.pass_obj
def uninstall(settings: Settings, client: str, *, project: bool, only_print: bool, backup: bool) -> None:
    """Remove Gasoline from the configuration of an MCP client; all else in it stays."""
    from gasoline_bridge.cli import setup

    to = setup.target(client, settings, os.environ, project=project, removes=True)
    click.echo(setup.as_diff(to, removes=True) if only_print else setup.uninstall(to, backup=backup))


# The user's files


@cli.command()
@click.argument("folders", nargs=-1, metavar="[DIR]...")
@click.option("--remove", is_flag=True, help="Allow them no longer.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def allow(settings: Settings, folders: tuple[str, ...], *, remove: bool, as_json: bool) -> None:
    """Let assistants upload files of these folders, and open them as pages; without DIR, show the allowed ones."""
    from gasoline_bridge.cli import folders as shown

    allowed = shown.change(settings, folders, remove=remove)
    click.echo(shown.as_json(allowed) if as_json else shown.as_text(allowed))


# What was done


@cli.command()
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def audit(settings: Settings, limit: int, *, as_json: bool) -> None:
    """Show what assistants did on your pages and what was refused: client, time, action, tab and outcome."""
    from gasoline_bridge.cli import audit as shown

    found = shown.read(settings, limit)
    click.echo(shown.as_json(found) if as_json else shown.as_lines(found))


@cli.group()
def redact() -> None:
    """See what is hidden from assistants, and by which rules: the built-in ones, and yours."""


@redact.command("test")
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program; without the secrets.")
@click.pass_obj
def redact_test(settings: Settings, file: TextIO, *, as_json: bool) -> None:
    """Show what would be hidden in FILE (- for the input), and why."""
    from gasoline_bridge.cli import redact as shown

    text = file.read()
    clean, found = shown.test(settings, text)
    coloured = sys.stdout.isatty()
    click.echo(shown.test_as_json(clean, found) if as_json else shown.test_as_text(text, found, coloured=coloured))


@redact.command("rules")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def redact_rules(settings: Settings, *, as_json: bool) -> None:
    """List the rules: yours, personal data (on or off), and the built-in ones."""
    from gasoline_bridge.cli import redact as shown

    found = shown.rules(settings)
    click.echo(shown.rules_as_json(found) if as_json else shown.rules_as_text(settings, found))


@cli.group()
def screenshots() -> None:
    """Look after the pictures that were taken of your pages."""


@screenshots.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def screenshots_list(settings: Settings, limit: int, *, as_json: bool) -> None:
    """List them, the newest first: id, age, size, kind and page."""
    from gasoline_bridge.cli import screenshots as shown

    found = shown.read(settings, limit)
    click.echo(shown.as_json(found) if as_json else shown.as_lines(found, time.time()))


@screenshots.command("open")
@click.argument("picture_id", metavar="ID")
@click.option("--print", "only_print", is_flag=True, help="Print the path alone.")
@click.pass_obj
def screenshots_open(settings: Settings, picture_id: str, *, only_print: bool) -> None:
    """Show one in the program that you have for pictures."""
    from gasoline_bridge.cli import screenshots as shown

    path = shown.path_of(settings, picture_id)
    click.echo(path)
    if not only_print:
        click.launch(path)


@screenshots.command("verify")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def screenshots_verify(settings: Settings, *, as_json: bool) -> None:
    """Compare every file with its hash; the exit code is 1 if one is missing or was changed."""
    from gasoline_bridge.cli import screenshots as shown

    count = shown.read(settings, 1).count
    with click.progressbar(length=count, label="Comparing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        damaged = shown.verify(settings, bar.update)
    click.echo(shown.damage_as_json(count, damaged) if as_json else shown.damage_as_lines(count, damaged))
    if damaged:
        sys.exit(1)


@screenshots.command("prune")
@click.option("--days", type=click.FloatRange(0, min_open=True), help="Keep what is younger.")
@click.option("--mb", type=click.IntRange(1), help="Keep so many megabytes at most.")
@click.pass_obj
def screenshots_prune(settings: Settings, days: float | None, mb: int | None) -> None:
    """Delete the oldest that nothing needs: by default what is past GASOLINE_SCREENSHOTS_DAYS and _MB."""
    from gasoline_bridge.cli import screenshots as shown

    click.echo(shown.prune(settings, days or 0.0, mb or 0))


@cli.command(epilog="Exit code: 0 nothing is worse, 1 a regression, 2 inconclusive or an error.")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--urls", "file", type=FILE, help="A file that lists more, one a line; # begins a comment.")
@click.option("--jobs", type=click.IntRange(1, 8), default=1, show_default=True, help="Pages at a time.")
@click.option("--baseline", "name", default="", metavar="NAME", help="By default the address names it.")
@click.option("--baselines", "folder", type=FOLDER, help="Compare with the exported ones in here; new ones go there.")
@click.option("--approve", is_flag=True, help="What is judged as changed becomes the baseline.")
@click.option("--runs", type=click.IntRange(1, 20), default=5, show_default=True, help="Loads of each page.")
@click.option("--no-sandbox", is_flag=True, help="Run the pages without Chromium's sandbox: for root, in containers.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write JUnit XML here.")
@click.option("--sarif", type=click.Path(path_type=Path, dir_okay=False), help="Write what is worse as SARIF here.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a report for people here.")
@click.pass_obj
def check(settings: Settings, /, **options: Any) -> None:  # noqa: ANN401 - as the options above convert them
    """Compare pages with their baselines in a headless browser of its own; make the baselines that are missing."""
    from gasoline_bridge.check.run import How
    from gasoline_bridge.cli import check as checking

    asked = checking.Asked(options["urls"], options["file"], options["name"])
    if not asked.urls and asked.file is None:
        raise click.UsageError("Name a page to check, or a file of them with --urls.")
    sandbox, approve = not options["no_sandbox"], options["approve"]
    how = How(options["runs"], options["jobs"], options["folder"], sandbox=sandbox, approve=approve)
    files = checking.Files(options["junit"], options["sarif"], options["html"])
    sys.exit(checking.check(settings, asked, how, files))


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write plots of each metric here.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def report(settings: Settings, *, names: tuple[str, ...], html: Path | None, as_json: bool) -> None:
    """Show what became of each metric of your pages since their baselines were made; without NAME of all."""
    from gasoline_bridge.cli import history as shown

    found = shown.read(settings, names)
    if html:
        shown.write_html(found, html)
    click.echo(shown.as_json(found) if as_json else shown.as_lines(found))


@cli.group()
def baseline() -> None:
    """Look after the baselines of your pages."""


@baseline.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def baseline_list(settings: Settings, *, as_json: bool) -> None:
    """List them, the newest first."""
    from gasoline_bridge.cli import baselines as shown

    found = shown.read_all(settings)
    click.echo(shown.all_as_json(found) if as_json else shown.all_as_lines(found))


@baseline.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def baseline_show(settings: Settings, name: str, *, as_json: bool) -> None:
    """Show what one was made with, its loads, and what was last compared with it."""
    from gasoline_bridge.cli import baselines as shown

    found = shown.read(settings, name)
    click.echo(shown.as_json(found) if as_json else shown.as_lines(found))


@baseline.command("delete")
@click.argument("name")
@click.pass_obj
def baseline_delete(settings: Settings, name: str) -> None:
    """Delete one, and its pictures with it."""
    from gasoline_bridge.cli import baselines as shown

    click.echo(shown.delete(settings, name))


@baseline.command("approve")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--url", "pattern", default="", metavar="PATTERN", help="All of these pages; * is any part: 'http://host/*'."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program.")
@click.pass_obj
def baseline_approve(settings: Settings, *, names: tuple[str, ...], pattern: str, as_json: bool) -> None:
    """Accept what the last compare found: what it judged as changed becomes the baseline."""
    from gasoline_bridge.cli import baselines as shown

    done, refused = shown.approve(settings, names, pattern)
    if done or as_json:
        click.echo(shown.approved_as_json(done) if as_json else shown.approved_as_lines(done))
    if refused:
        exits.stop("\n".join(refused), 1)


@baseline.command("export")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.pass_obj
def baseline_export(settings: Settings, folder: Path, names: tuple[str, ...]) -> None:
    """Write them to a folder of the project, as JSON and PNG files for version control; without NAME all."""
    from gasoline_bridge.cli import baselines as shown

    click.echo(shown.export(settings, folder, names))


@baseline.command("import")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.pass_obj
def baseline_import(settings: Settings, folder: Path, names: tuple[str, ...]) -> None:
    """Take them from such a folder, in the place of those of the same names; all of them, or none."""
    from gasoline_bridge.cli import baselines as shown

    click.echo(shown.take_in(settings, folder, names))


# The extension


@cli.group()
def extension() -> None:
    """Prepare the extension for Chrome."""


@extension.command("install")
@click.pass_obj
def install_extension(settings: Settings) -> None:
    """Copy the extension to the data folder with its token, and print the folder to load."""
    from gasoline_bridge.installed import install

    click.echo(install(settings, welcome=True))
    click.echo("Load it in Chrome: chrome://extensions, Developer mode, Load unpacked, that folder.", err=True)


@extension.command("path")
@click.pass_obj
def extension_path(settings: Settings) -> None:
    """Print the folder that Chrome loads."""
    if not (settings.extension_dir / "install.json").is_file():
        raise CannotStart("The extension is not installed yet: run `gasoline extension install`.")
    click.echo(settings.extension_dir)


@extension.command("pair")
@click.argument("extension_id", metavar="ID")
@click.pass_obj
def pair_extension(settings: Settings, extension_id: str) -> None:
    """Let in a packed copy of the extension, as from a store, and print the code to paste into it."""
    from gasoline_bridge.pairing import pair

    click.echo(pair(settings, extension_id))
    click.echo(
        "Paste this line in the extension's set-up page. It lets in whoever has it: give it to nobody else.", err=True
    )


@extension.command("unpair")
@click.argument("extension_id", metavar="ID")
@click.pass_obj
def unpair_extension(settings: Settings, extension_id: str) -> None:
    """Let such a copy in no more."""
    from gasoline_bridge.pairing import unpair

    was = unpair(settings, extension_id)
    click.echo("It is let in no more, from its next connection on." if was else "It was not paired.")


# The processes


@cli.command()
@click.option("--http", "over_http", is_flag=True, help="Serve clients that have the token over HTTP, until Ctrl+C.")
@click.option("--port", type=click.IntRange(1, 65535), help="Of HTTP, on 127.0.0.1.  [default: 7892]")
@click.pass_obj
def mcp(settings: Settings, *, over_http: bool, port: int | None) -> None:
    """Serve an assistant on standard input and output, or over HTTP; starts the system if it is not running."""
    if not over_http:  # `gasoline mcp` alone is served by the entry
        raise click.UsageError("--port is of --http: give both, or neither.")
    from gasoline_bridge.cli import http

    http.serve(settings, port or http.PORT)


@cli.command()
@click.pass_obj
def broker(settings: Settings) -> None:
    """Be the broker: routes every message."""
    processes.run(settings, "broker")


@cli.command()
@click.pass_obj
def bridge(settings: Settings) -> None:
    """Be the bridge: speaks with Chrome."""
    processes.run(settings, "bridge")


@cli.command()
@click.pass_obj
def front(settings: Settings) -> None:
    """Be the front: speaks with the assistants."""
    processes.run(settings, "front")


@cli.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.pass_obj
def worker(settings: Settings, names: tuple[str, ...]) -> None:
    """Be a worker, or several as actors of one process."""
    processes.run(settings, "worker", *names)
