"""Samples are checked against the declarations, and merged by them."""

import pytest

from common.telemetry.metrics import Metric, counter, gauge, histogram
from common.telemetry.samples import Histogram, Sample, SampleSet, collect_samples, merge, without_gauges

THINGS = counter("onboarding_things_total", "Things.", "edge", labels=("kind",))
LEVEL = gauge("onboarding_level", "Level.", "edge")
HIGHEST = gauge("onboarding_highest", "Highest.", "edge", multiprocess_mode="max")
LOWEST = gauge("onboarding_lowest", "Lowest.", "edge", multiprocess_mode="min")
SECONDS = histogram("onboarding_seconds", "Seconds.", "edge", bounds=(0.1, 1.0))
CATALOGUE: dict[str, Metric] = {metric.name: metric for metric in (THINGS, LEVEL, HIGHEST, LOWEST, SECONDS)}


def test_sample_with_other_labels_than_its_metric_is_rejected() -> None:
    samples = SampleSet()
    with pytest.raises(ValueError, match="has the labels kind"):
        samples.add(THINGS, 1)
    with pytest.raises(ValueError, match="has the labels none"):
        samples.add(LEVEL, 1, "superfluous")


def test_unknown_value_is_left_out() -> None:
    samples = SampleSet()
    samples.add(LEVEL, None)
    assert samples.samples == []


def test_several_histograms_become_one_series() -> None:
    first, second = Histogram((0.1, 1.0)), Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5):
        first.observe(seconds)
    second.observe(7.0)
    samples = SampleSet()
    samples.add_histograms(SECONDS, [first, second])
    (sample,) = samples.samples
    assert sample.bucket_counts == (2, 1, 1)
    assert sample.value == pytest.approx(7.65)


def test_histogram_with_other_bounds_than_its_metric_is_rejected() -> None:
    samples = SampleSet()
    with pytest.raises(ValueError, match="other bounds"):
        samples.add_histograms(SECONDS, [Histogram((0.2,))])
    with pytest.raises(ValueError, match="other bounds"):
        samples.add_bucket_counts(SECONDS, [1], 0.0)
    with pytest.raises(ValueError, match="is a histogram"):
        samples.add(SECONDS, 1)


def test_collected_samples_have_the_samples_of_all_collectors() -> None:
    collected = collect_samples([lambda samples: samples.add(LEVEL, 3), lambda samples: samples.add(THINGS, 1, "odd")])
    assert collected.samples == [Sample(LEVEL.name, (), 3.0), Sample(THINGS.name, ("odd",), 1.0)]


def test_counters_and_histograms_are_added_up_by_series() -> None:
    merged = merge(
        CATALOGUE,
        [
            Sample(THINGS.name, ("odd",), 1),
            Sample(THINGS.name, ("even",), 10),
            Sample(SECONDS.name, (), 0.5, (1, 2, 0)),
            Sample(THINGS.name, ("odd",), 2),
            Sample(SECONDS.name, (), 0.25, (3, 4, 1)),
        ],
    )
    assert merged == [
        Sample(THINGS.name, ("odd",), 3),
        Sample(THINGS.name, ("even",), 10),
        Sample(SECONDS.name, (), 0.75, (4, 6, 1)),
    ]


def test_gauges_are_merged_by_their_mode() -> None:
    gauges = (LEVEL.name, HIGHEST.name, LOWEST.name)
    merged = merge(CATALOGUE, [Sample(name, (), value) for value in (3, 5) for name in gauges])
    assert {sample.metric: sample.value for sample in merged} == {LEVEL.name: 8, HIGHEST.name: 5, LOWEST.name: 3}


def test_samples_of_another_release_that_do_not_fit_are_left_out() -> None:
    foreign = [
        Sample("onboarding_unknown", (), 1),
        Sample(THINGS.name, (), 1),
        Sample(SECONDS.name, (), 1, (1, 2)),
        Sample(HIGHEST.name, (), 1, (1,)),
    ]
    assert merge(CATALOGUE, foreign) == []


def test_samples_without_gauges_are_counters_and_histograms() -> None:
    samples = [Sample(THINGS.name, ("odd",), 1), Sample(HIGHEST.name, (), 1), Sample(SECONDS.name, (), 1, (1, 0, 0))]
    assert [sample.metric for sample in without_gauges(CATALOGUE, samples)] == [THINGS.name, SECONDS.name]
