"""What several workers have read becomes one set of readings."""

from common.telemetry.declaration import Metric, counter, gauge, histogram
from common.telemetry.merging import merge, only_growing
from common.telemetry.samples import Sample

THINGS = counter("onboarding_things_total", "Things.", "edge", labels=("kind",))
TOGETHER = gauge("onboarding_together", "All.", "edge")
WORST = gauge("onboarding_worst", "Worst.", "edge", over_workers="max")
LEAST = gauge("onboarding_least", "Least.", "edge", over_workers="min")
SECONDS = histogram("onboarding_seconds", "Seconds.", "edge", bounds=(0.1,))
CATALOGUE: dict[str, Metric] = {metric.name: metric for metric in (THINGS, TOGETHER, WORST, LEAST, SECONDS)}


def test_counters_and_histograms_are_added_up_series_by_series() -> None:
    merged = merge(
        CATALOGUE,
        [
            Sample(THINGS.name, ("odd",), 1),
            Sample(THINGS.name, ("even",), 10),
            Sample(SECONDS.name, (), 0.5, (1, 2)),
            Sample(THINGS.name, ("odd",), 2),
            Sample(SECONDS.name, (), 0.25, (3, 4)),
        ],
    )
    assert merged == [
        Sample(THINGS.name, ("odd",), 3),
        Sample(THINGS.name, ("even",), 10),
        Sample(SECONDS.name, (), 0.75, (4, 6)),
    ]


def test_a_gauge_is_merged_as_it_was_declared() -> None:
    merged = merge(
        CATALOGUE, [Sample(name, (), value) for value in (3, 5) for name in CATALOGUE if name != THINGS.name]
    )
    values = {reading.metric: reading.value for reading in merged}
    assert values == {TOGETHER.name: 8, WORST.name: 5, LEAST.name: 3}


def test_what_a_worker_of_another_release_shows_differently_is_left_out() -> None:
    strange = [
        Sample("onboarding_unheard_of", (), 1),
        Sample(THINGS.name, (), 1),
        Sample(SECONDS.name, (), 1, (1, 2, 3)),
        Sample(WORST.name, (), 1, (1,)),
    ]
    assert merge(CATALOGUE, strange) == []


def test_only_what_grows_outlives_its_worker() -> None:
    readings = [Sample(THINGS.name, ("odd",), 1), Sample(WORST.name, (), 1), Sample(SECONDS.name, (), 1, (1, 0))]
    assert [one.metric for one in only_growing(CATALOGUE, readings)] == [THINGS.name, SECONDS.name]
