"""The modules that decide, by group, and the tests that hold each of them; only the table."""

from typing import NamedTuple


class Group(NamedTuple):
    """What is mutated together: modules of the packages, and the test files that are run on their mutants."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


def _of(folder: str, names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.py" for name in names.split())


def _tests(names: str) -> tuple[str, ...]:
    return tuple(f"tests/unit/{name}" for name in names.split())


PYTHON = {
    "diff": Group(_of("gasoline_workers/diff", "loads sentences summary"), _tests("diff")),
    "hub": Group(
        _of("gasoline_broker/hub", "fairness labels"), _tests("test_fairness.py test_labels.py test_admission.py")
    ),
    "delivery": Group(
        _of("gasoline_broker/hub", "admission delivery routing"),
        _tests(  # not the laws, and few of the labels' tests: they take nine times as long as all of these
            "test_admission.py test_routing.py test_routing_bounds.py test_registration.py test_liveness.py"
            " test_reports.py"
            " test_routing_labels.py::test_page_data_is_refused_to_each_kind_of_asker"
            " test_routing_labels.py::test_page_data_is_refused_to_each_kind_of_service_by_name"
            " test_routing_labels.py::test_what_the_bridge_asks_by_itself_is_page_data"
            " test_routing_labels.py::test_a_failure_in_a_pages_words_goes_by_redaction_and_stays_a_failure"
            " test_routing_labels.py::test_a_failure_in_a_pages_words_does_not_go_back_to_the_redaction_before_it"
        ),
    ),
    "redaction": Group(
        _of("gasoline_workers/redaction", "cookies names rules text values"),
        _tests(  # all but the limits on time
            "redaction/test_laws.py redaction/test_names.py redaction/test_odd_places.py redaction/test_precision.py"
            " redaction/test_rules.py redaction/test_values.py"
            " redaction/test_limits.py::test_what_lies_too_deep_is_hidden"
            " redaction/test_limits.py::test_a_string_over_the_limit_is_hidden_and_its_neighbours_are_not"
            " redaction/test_limits.py::test_what_costs_more_than_the_work_limit_is_hidden"
            " redaction/test_limits.py::test_a_string_in_a_dozen_of_encodings_costs_no_more_than_its_levels_in_turn"
            " redaction/test_limits.py::test_decoded_strings_are_levels_too_each_as_long_as_it_is_read"
            " redaction/test_limits.py::test_a_string_that_still_changes_after_its_last_reading_is_hidden"
            " redaction/test_limits.py::test_a_body_that_still_changes_after_its_last_reading_is_hidden"
            " redaction/test_limits.py::test_a_fault_hides_the_value_it_happened_in"
            " redaction/test_limits.py::test_a_value_of_an_unknown_type_is_hidden"
        ),
    ),
    "journal": Group(
        _of("gasoline_workers/journal", "pairs queries reading scopes unanswered"),
        _tests(  # not the laws, nor the tests of other modules of the journal
            "journal/test_effects.py journal/test_pairs.py journal/test_queries.py journal/test_reads.py"
            " journal/test_scopes.py journal/test_unanswered.py"
            " journal/test_file.py::test_what_a_ring_has_lost_is_reported_to_a_reader_from_before_it"
            " journal/test_file.py::test_what_was_not_captured_is_summed_for_the_mode_the_window_and_the_tab"
            " journal/test_file.py::test_what_is_no_count_is_not_summed"
        ),
    ),
    "regression": Group(
        _of(
            "gasoline_workers/regression",
            "accessibility approval memory rank_statistics second_look security timings verdict",
        ),
        _tests(
            "regression/test_approval.py regression/test_parts.py regression/test_rank_statistics.py"
            " regression/test_second_look.py regression/test_timings.py regression/test_verdict.py"
        ),
    ),
    "front": Group(
        (*_of("gasoline_bridge/chrome", "guard proof"), *_of("gasoline_bridge/front", "paging")),
        _tests("test_guard.py test_proof.py test_paging.py"),
    ),
}
