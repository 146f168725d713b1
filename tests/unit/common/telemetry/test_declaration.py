"""What may be declared as a metric."""

import pytest

from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.declaration import counter, gauge, histogram


def test_a_counter_is_named_as_one_and_nothing_else_is() -> None:
    with pytest.raises(ValueError, match="no name for a counter"):
        counter("onboarding_things", "Things.", "edge")
    with pytest.raises(ValueError, match="no name for a gauge"):
        gauge("onboarding_things_total", "Things.", "edge")


@pytest.mark.parametrize("bounds", [(), (2.0, 1.0), (1.0, 1.0)])
def test_a_histogram_has_bounds_in_their_order(bounds: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="bounds"):
        histogram("onboarding_seconds", "Seconds.", "edge", bounds=bounds)


@pytest.mark.parametrize("label", ["le", "Project", "project id"])
def test_a_label_is_a_plain_word_that_prometheus_does_not_use_itself(label: str) -> None:
    with pytest.raises(ValueError, match="labels"):
        gauge("onboarding_things", "Things.", "edge", labels=(label,))


def test_somebody_shows_it() -> None:
    with pytest.raises(ValueError, match="no process"):
        gauge("onboarding_things", "Things.")


def test_no_label_of_the_catalogue_has_values_that_strangers_choose() -> None:
    bounded = {
        "process", "version", "python", "decision", "scope", "state", "route", "status", "method", "source", "outcome",
        "place", "stream", "server",
    }  # fmt: skip
    assert {label for metric in CATALOGUE.values() for label in metric.labels} <= bounded


def test_each_meaning_is_a_sentence_that_a_table_can_hold() -> None:
    assert [m.name for m in CATALOGUE.values() if not m.meaning.endswith(".") or "|" in m.meaning] == []
