"""What a part's module answers: its findings and its summary."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from gasoline_workers.audit.messages import Finding


class Found(NamedTuple):
    """The findings of one part, its summary in numbers, and what else belongs into the reply (fields of Judged)."""

    findings: list[Finding]
    summary: dict[str, Any]
    more: Mapping[str, Any] = MappingProxyType({})
