"""Mutates the modules that decide, runs their tests on each mutant, and prints how many were killed; never in CI."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click

from mutation.groups import PYTHON, Group

ROOT = Path(__file__).parents[2]
WORK = ROOT / ".setup" / "mutate"
PACKAGES = ("broker/gasoline_broker", "workers/gasoline_workers", "bridge/gasoline_bridge")
BESIDE = ("tests", "demo", "pyproject.toml", "Procfile")
KILLED = (1, 3, -24, 24, 36, 152, 255)
"""Mutmut's codes of a failed test, and of a mutant that took more than fifteen times as long as the code itself."""

GOAL = 90  # percent


@click.command()
@click.argument("groups", nargs=-1, type=click.Choice([*PYTHON]))
@click.option(
    "--left", is_flag=True, help="Only the mutants that survived the last run, with the tests as they are now."
)
@click.option("--processes", default=2, show_default=True, help="How many mutants are tested at a time.")
def main(groups: tuple[str, ...], processes: int, *, left: bool) -> None:
    """Test the mutants of GROUPS, of all if none is named."""
    figures = {name: _tested(name, PYTHON[name], processes, left=left) for name in groups or PYTHON}
    click.echo(f"{'group':<12}{'mutants':>9}{'killed':>9}{'share':>9}")
    for name, (mutants, killed) in figures.items():
        click.echo(f"{name:<12}{mutants:>9}{killed:>9}{killed / mutants:>9.1%}")
    if any(100 * killed < GOAL * mutants for mutants, killed in figures.values()):
        sys.exit(f"A group is below {GOAL} %.")


def _tested(name: str, group: Group, processes: int, *, left: bool) -> tuple[int, int]:
    tree = WORK / name
    again = _survivors(tree) if left else []
    if not left:
        shutil.rmtree(tree, ignore_errors=True)
    _lay_out(tree, group)
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(processes)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    if again:
        subprocess.run([*command, *again], cwd=tree, env=environment, check=True)
    subprocess.run(command, cwd=tree, env=environment, check=True)  # all that has no result yet
    click.echo("".join(f"\n{mutant}" for mutant in _survivors(tree)))
    mutants = len(_codes(tree))
    return mutants, mutants - len(_survivors(tree))


def _lay_out(tree: Path, group: Group) -> None:
    """Copy what git knows as mutmut wants it: the packages beside the tests, and no build output."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *PACKAGES, *BESIDE],  # noqa: S607 - git is found as by make
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for line in listed.stdout.splitlines():
        folder = next((package for package in PACKAGES if line.startswith(f"{package}/")), "")
        target = tree / (Path(line).relative_to(Path(folder).parent) if folder else line)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / line, target)
    settings = {
        "source_paths": [Path(package).name for package in PACKAGES],
        "only_mutate": group.modules,
        "pytest_add_cli_args_test_selection": group.tests,
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-p", "mutation.quick"],
        "also_copy": [name for name in BESIDE if name not in ("tests", "pyproject.toml")],
    }
    lines = (f"{key} =\n" + "".join(f"    {value}\n" for value in values) for key, values in settings.items())
    (tree / "setup.cfg").write_text("[mutmut]\n" + "".join(lines))


def _survivors(tree: Path) -> list[str]:
    return sorted(mutant for mutant, code in _codes(tree).items() if code not in KILLED)


def _codes(tree: Path) -> dict[str, int | None]:
    """Return what became of each mutant, by its name."""
    codes: dict[str, int | None] = {}
    for path in (tree / "mutants").rglob("*.meta"):
        codes |= json.loads(path.read_text())["exit_code_by_key"]
    return codes


if __name__ == "__main__":
    main()
