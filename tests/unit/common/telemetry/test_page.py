"""The text that Prometheus reads."""

from prometheus_client.parser import text_string_to_metric_families

from common.telemetry.declaration import Metric, counter, gauge, histogram
from common.telemetry.page import page
from common.telemetry.samples import Sample

THINGS = counter("onboarding_things_total", "Things.", "edge", labels=("kind",))
LEVEL = gauge("onboarding_level", "Level.", "edge")
SECONDS = histogram("onboarding_seconds", "Seconds.", "edge", bounds=(0.1, 2.5))
CATALOGUE: dict[str, Metric] = {metric.name: metric for metric in (THINGS, LEVEL, SECONDS)}


def _samples(text: str) -> dict[tuple[str, str], float]:
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_it_has_every_reading_and_a_histogram_with_buckets_that_add_up() -> None:
    readings = [
        Sample(THINGS.name, ("odd",), 3),
        Sample(LEVEL.name, (), 0.5),
        Sample(SECONDS.name, (), 9.5, (4, 2, 1)),
    ]
    body, media_type = page(CATALOGUE, readings, "")
    assert media_type.startswith("text/plain")
    assert _samples(body.decode()) == {
        ("onboarding_things_total", "odd"): 3,
        ("onboarding_level", ""): 0.5,
        ("onboarding_seconds_bucket", "0.1"): 4,
        ("onboarding_seconds_bucket", "2.5"): 6,
        ("onboarding_seconds_bucket", "+Inf"): 7,
        ("onboarding_seconds_count", ""): 7,
        ("onboarding_seconds_sum", ""): 9.5,
    }


def test_whoever_accepts_openmetrics_gets_it() -> None:
    body, media_type = page(CATALOGUE, [Sample(LEVEL.name, (), 1)], "application/openmetrics-text; version=1.0.0")
    assert media_type.startswith("application/openmetrics-text")
    assert body.endswith(b"# EOF\n")


def test_a_label_may_hold_anything() -> None:
    body, _ = page(CATALOGUE, [Sample(THINGS.name, ('"\n\\',), 1)], "")
    assert _samples(body.decode()) == {("onboarding_things_total", '"\n\\'): 1}
