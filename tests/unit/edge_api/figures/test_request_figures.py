"""What a worker counts of its requests."""

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.samples import Sample, SampleSet
from edge_api.figures.request_figures import RequestFigures

PATHS = ("/api/config", "/api/v1/config", "/health/live")


def _read(figures: RequestFigures) -> dict[tuple[str, tuple[str, ...]], Sample]:
    readings = SampleSet()
    figures.collect(readings)
    return {(one.metric, one.labels): one for one in readings.all}


def test_requests_are_counted_by_route_and_status_whatever_the_version_in_the_path() -> None:
    figures = RequestFigures(PATHS)
    for path, status in (("/api/config", 200), ("/api/v1/config", 200), ("/api/config", 429), ("/health/live", 200)):
        figures.of(path).count(status, 0.00002)
    counted = {key[1]: one.value for key, one in _read(figures).items() if key[0] == catalogue.REQUESTS.name}
    assert counted == {("/api/config", "200"): 2, ("/api/config", "429"): 1, ("/health/live", "200"): 1}


def test_a_route_has_one_histogram_of_all_its_answers() -> None:
    figures = RequestFigures(PATHS)
    for status, seconds in ((200, 0.00001), (200, 0.00003), (503, 60.0)):
        figures.of("/api/config").count(status, seconds)
    durations = _read(figures)[catalogue.REQUEST_SECONDS.name, ("/api/config",)]
    assert (durations.cells[0], durations.cells[2], durations.cells[-1], sum(durations.cells)) == (1, 1, 1, 3)
    assert durations.value > 60


def test_paths_that_strangers_make_up_share_one_series() -> None:
    figures = RequestFigures(PATHS)
    for number in range(100):
        figures.of(f"/{number}").count(404, 0.0)
    assert {labels for metric, labels in _read(figures) if metric == catalogue.REQUESTS.name} == {("other", "404")}


def test_what_is_no_request_is_counted_apart() -> None:
    figures = RequestFigures(PATHS)
    figures.count_unreadable(400)
    assert _read(figures)[catalogue.UNREADABLE_REQUESTS.name, ("400",)].value == 1
