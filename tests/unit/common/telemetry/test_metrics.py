"""Declarations of metrics."""

import pytest

from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.metrics import counter, gauge, histogram


def test_only_names_of_counters_end_in_total() -> None:
    with pytest.raises(ValueError, match="not a name for a counter"):
        counter("onboarding_things", "Things.", "edge")
    with pytest.raises(ValueError, match="not a name for a gauge"):
        gauge("onboarding_things_total", "Things.", "edge")


@pytest.mark.parametrize("bounds", [(), (2.0, 1.0), (1.0, 1.0)])
def test_histogram_without_ascending_bounds_is_rejected(bounds: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="bounds"):
        histogram("onboarding_seconds", "Seconds.", "edge", bounds=bounds)


@pytest.mark.parametrize("label", ["le", "Project", "project id"])
def test_label_with_a_reserved_or_malformed_name_is_rejected(label: str) -> None:
    with pytest.raises(ValueError, match="labels"):
        gauge("onboarding_things", "Things.", "edge", labels=(label,))


def test_metric_without_a_process_is_rejected() -> None:
    with pytest.raises(ValueError, match="no process"):
        gauge("onboarding_things", "Things.")


def test_catalogue_has_no_labels_whose_values_clients_choose() -> None:
    bounded = {
        "process", "version", "python", "decision", "scope", "state", "route", "status", "method", "source", "outcome",
        "place", "stream", "server", "chore", "task", "quota",
    }  # fmt: skip
    assert {label for metric in CATALOGUE.values() for label in metric.labels} <= bounded


def test_help_is_a_sentence_that_fits_into_a_table() -> None:
    assert [m.name for m in CATALOGUE.values() if not m.help.endswith(".") or "|" in m.help] == []
