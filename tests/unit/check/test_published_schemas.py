"""What is written for other programs meets their published schemas: SARIF 2.1.0, GitHub's and GitLab's CI files."""

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from gasoline_bridge.check.sarif import sarif
from unit.check.outcomes import compared, failed, made

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"
SARIF_SCHEMA = ROOT / "node_modules" / "@microsoft" / "jest-sarif" / "lib" / "schemas" / "sarif-2.1.0-rtm.5.json"
GITLAB_SCHEMA = "check_jsonschema/builtin_schemas/vendor/gitlab-ci.json"
LIMIT_S = 60


def faults(document: object, schema: dict[str, Any]) -> list[str]:
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    return [f"{one.json_path}: {one.message}" for one in validator(schema).iter_errors(document)]


@pytest.mark.requirement("regression-021")
def test_sarif_meets_its_schema_whatever_came_of_the_pages() -> None:
    schema = json.loads(SARIF_SCHEMA.read_text())
    pages = [[compared(), made(), failed()], [made()], []]
    wrong = sarif([compared()]) | {"version": "2.0.0"}

    assert [[]] * 3 == [faults(json.loads(json.dumps(sarif(one))), schema) for one in pages]
    assert ["$.version: '2.0.0' is not one of ['2.1.0']"] == faults(wrong, schema)


def lint(workflow: Path) -> list[str]:
    """Run actionlint on a workflow, and give the kinds of what it finds."""
    actionlint = str(Path(sys.executable).with_name("actionlint"))
    command = [actionlint, "-shellcheck=", "-pyflakes=", "-format", "{{json .}}", str(workflow)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    assert "" == done.stderr
    return [one["kind"] for one in json.loads(done.stdout)]


@pytest.mark.requirement("regression-031")
def test_actionlint_finds_nothing_in_the_example_for_github(tmp_path: Path) -> None:
    text = (EXAMPLES / "github.yml").read_text()
    spoiled = tmp_path / "pages.yml"
    spoiled.write_text(text.replace("vars.GASOLINE_WHEEL", "variables.GASOLINE_WHEEL"))

    assert [] == lint(EXAMPLES / "github.yml")
    assert ["expression"] == lint(spoiled)


@pytest.mark.requirement("regression-031")
def test_the_example_for_gitlab_meets_the_schema() -> None:
    path = metadata.distribution("check-jsonschema").locate_file(GITLAB_SCHEMA)
    schema = json.loads(Path(str(path)).read_text())
    example = YAML(typ="safe", pure=True).load((EXAMPLES / "gitlab-ci.yml").read_text())

    assert [] == faults(example, schema)
    assert [] != faults({"pages-check": example["pages-check"] | {"artifacts": {"when": "sometimes"}}}, schema)
