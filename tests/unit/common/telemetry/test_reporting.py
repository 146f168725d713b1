"""Background collection of metrics."""

from pathlib import Path

import pytest

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.multiprocess_store import MultiprocessStore, WorkerMetricsWriter
from common.telemetry.reporting import PollingCollector, ReportingThread
from common.telemetry.samples import SampleSet
from tests.support.polling import eventually


class _Outages:
    def __init__(self) -> None:
        self.count = 0

    def collect(self, samples: SampleSet) -> None:
        samples.add(catalogue.OUTAGES, self.count)


def _outages(store: MultiprocessStore) -> float | None:
    return next((sample.value for sample in store.read() if sample.metric == catalogue.OUTAGES.name), None)


def test_reporting_writes_current_samples_and_the_last_ones_at_the_end(tmp_path: Path) -> None:
    outages = _Outages()
    with MultiprocessStore.open("publisher", 1, tmp_path) as store:
        thread = ReportingThread(WorkerMetricsWriter(store.path), [outages.collect], interval_seconds=0.01)
        thread.start()
        outages.count = 1
        eventually(lambda: _outages(store) == 1)
        outages.count = 2
        thread.close()
        assert _outages(store) == 2


def test_reporting_survives_a_defect_of_a_collector(tmp_path: Path) -> None:
    rounds = iter([1, 0, 3])

    def collect(samples: SampleSet) -> None:
        samples.add(catalogue.OUTAGES, 1 / next(rounds))

    with MultiprocessStore.open("publisher", 1, tmp_path) as store:
        thread = ReportingThread(WorkerMetricsWriter(store.path), [collect], interval_seconds=0.01)
        thread.start()
        eventually(lambda: _outages(store) == pytest.approx(1 / 3))
        thread.close()


def test_polled_samples_are_kept_while_fresh_and_dropped_in_an_outage() -> None:
    backlog: list[float | None] = [5.0]

    def poll(samples: SampleSet) -> None:
        if backlog[0] is None:
            raise ConnectionError
        samples.add(catalogue.BACKLOG, backlog[0])

    def collected() -> list[float]:
        samples = SampleSet()
        collector.collect(samples)
        return [sample.value for sample in samples.samples]

    collector = PollingCollector(poll, (ConnectionError,), interval_seconds=0.02)
    with collector:
        eventually(lambda: collected() == [5.0])
        backlog[0] = None
        eventually(lambda: not collected())
        backlog[0] = 6.0
        eventually(lambda: collected() == [6.0])
