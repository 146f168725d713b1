"""Responses are counted by route and status."""

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.samples import Sample, SampleSet
from edge_api.api.routes import CONFIG, route_of
from edge_api.http.request_metrics import RequestMetrics


def _collected(metrics: RequestMetrics) -> dict[tuple[str, tuple[str, ...]], Sample]:
    samples = SampleSet()
    metrics.collect(samples)
    return {(sample.metric, sample.labels): sample for sample in samples.samples}


def test_responses_are_counted_by_route_and_status_for_all_versions() -> None:
    metrics = RequestMetrics()
    for path, status in (("/api/config", 200), ("/api/v1/config", 200), ("/api/config", 429), ("/health/live", 200)):
        metrics.of(route_of(path)).count(status, 0.00002)
    counted = {key[1]: sample.value for key, sample in _collected(metrics).items() if key[0] == catalogue.REQUESTS.name}
    assert counted == {("/api/config", "200"): 2, ("/api/config", "429"): 1, ("/health/live", "200"): 1}


def test_route_has_one_histogram_for_all_statuses() -> None:
    metrics = RequestMetrics()
    for status, seconds in ((200, 0.00001), (200, 0.00003), (503, 60.0)):
        metrics.of(CONFIG).count(status, seconds)
    sample = _collected(metrics)[catalogue.REQUEST_SECONDS.name, ("/api/config",)]
    counts = sample.bucket_counts
    assert (counts[0], counts[2], counts[-1], sum(counts)) == (1, 1, 1, 3)
    assert sample.value > 60


def test_unknown_paths_share_one_series() -> None:
    metrics = RequestMetrics()
    for number in range(100):
        metrics.of(route_of(f"/{number}")).count(404, 0.0)
    assert {labels for metric, labels in _collected(metrics) if metric == catalogue.REQUESTS.name} == {("other", "404")}


def test_unreadable_requests_are_counted_apart() -> None:
    metrics = RequestMetrics()
    metrics.count_unreadable(400)
    assert _collected(metrics)[catalogue.UNREADABLE_REQUESTS.name, ("400",)].value == 1
