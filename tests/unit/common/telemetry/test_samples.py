"""What is read off is held to what was declared."""

import pytest

from common.telemetry.declaration import counter, gauge, histogram
from common.telemetry.histogram import Histogram
from common.telemetry.samples import Sample, SampleSet, take_report

THINGS = counter("onboarding_things_total", "Things.", "edge", labels=("kind",))
LEVEL = gauge("onboarding_level", "Level.", "edge")
SECONDS = histogram("onboarding_seconds", "Seconds.", "edge", bounds=(0.1, 1.0))


def test_a_value_has_all_labels_of_its_metric() -> None:
    readings = SampleSet()
    with pytest.raises(ValueError, match="has the labels kind"):
        readings.add(THINGS, 1)
    with pytest.raises(ValueError, match="has the labels none"):
        readings.add(LEVEL, 1, "one too many")


def test_what_is_not_known_is_left_out() -> None:
    readings = SampleSet()
    readings.add(LEVEL, None)
    assert readings.all == []


def test_durations_of_several_places_are_one_histogram() -> None:
    one, other = Histogram((0.1, 1.0)), Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5):
        one.count(seconds)
    other.count(7.0)
    readings = SampleSet()
    readings.add_durations(SECONDS, [one, other])
    (reading,) = readings.all
    assert reading.cells == (2, 1, 1)
    assert reading.value == pytest.approx(7.65)


def test_durations_are_counted_by_the_bounds_of_their_metric() -> None:
    readings = SampleSet()
    with pytest.raises(ValueError, match="other bounds"):
        readings.add_durations(SECONDS, [Histogram((0.2,))])
    with pytest.raises(ValueError, match="is a histogram"):
        readings.add(SECONDS, 1)


def test_a_report_is_of_all_collectors() -> None:
    report = take_report([lambda readings: readings.add(LEVEL, 3), lambda readings: readings.add(THINGS, 1, "odd")])
    assert report.readings == [Sample(LEVEL.name, (), 3.0), Sample(THINGS.name, ("odd",), 1.0)]
