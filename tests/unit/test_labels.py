"""Which service may receive page data. This table is the policy's second copy, on purpose: a change is made in both."""

import pytest

from gasoline_broker.actor.wire import Label
from gasoline_broker.hub import labels

POLICY = {  # service: does it accept RAW, the label of its output for CLEAN, and for RAW
    "bridge": (False, Label.RAW, Label.RAW),
    "redaction": (True, Label.CLEAN, Label.CLEAN),
    "front": (False, Label.CLEAN, Label.RAW),
    "cli": (False, Label.CLEAN, Label.RAW),
    "diff": (False, Label.CLEAN, Label.RAW),
    "audit": (False, Label.CLEAN, Label.RAW),
    "screenshots": (False, Label.CLEAN, Label.RAW),
    "regression": (False, Label.CLEAN, Label.RAW),
    "journal": (False, Label.CLEAN, Label.RAW),
    "broker": (False, Label.CLEAN, Label.RAW),
    "": (False, Label.CLEAN, Label.RAW),
    "Redaction": (False, Label.CLEAN, Label.RAW),
}


@pytest.mark.parametrize("service", POLICY)
def test_a_service_accepts_and_answers_what_the_policy_allows(service: str) -> None:
    accepts_raw, from_clean, from_raw = POLICY[service]

    assert accepts_raw == (Label.RAW in labels.row(service).accepts)
    assert Label.CLEAN in labels.row(service).accepts
    assert from_clean == labels.output_label(service, Label.CLEAN)
    assert from_raw == labels.output_label(service, Label.RAW)


def test_the_table_has_no_row_that_the_policy_does_not_know() -> None:
    assert set() == labels.FLOWS.keys() - POLICY.keys()


def test_redaction_alone_cleans() -> None:
    assert ["redaction"] == [service for service in POLICY if labels.cleans(service)]
