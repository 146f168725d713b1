"""The samples of several workers, in a folder."""

import fcntl
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.catalogue import process as process_catalogue
from common.telemetry.metrics import Metric
from common.telemetry.multiprocess_store import FRESH_SECONDS, MultiprocessStore, WorkerMetricsWriter
from common.telemetry.samples import SampleSet


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MultiprocessStore]:
    with MultiprocessStore.open("edge", 2, tmp_path) as opened:
        yield opened


def _samples(*, evicted: int, cached: int) -> SampleSet:
    samples = SampleSet()
    samples.add(catalogue.SNAPSHOTS_EVICTED, evicted)
    samples.add(catalogue.SNAPSHOTS_CACHED, cached)
    return samples


def _value(store: MultiprocessStore, metric: Metric) -> float | None:
    values = {sample.metric: sample.value for sample in store.read()}
    return values.get(metric.name)


def test_samples_of_all_workers_are_merged(store: MultiprocessStore) -> None:
    for evicted in (1, 2):
        WorkerMetricsWriter(store.path).write(_samples(evicted=evicted, cached=10))
    assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 3
    assert _value(store, catalogue.SNAPSHOTS_CACHED) == 20
    assert _value(store, process_catalogue.WORKERS_REPORTING) == 2


def test_new_samples_replace_the_former_ones_of_a_worker(store: MultiprocessStore) -> None:
    writer = WorkerMetricsWriter(store.path)
    for evicted in (1, 5):
        writer.write(_samples(evicted=evicted, cached=1))
    assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 5


def test_worker_exit_keeps_counters_and_drops_gauges(store: MultiprocessStore) -> None:
    exited, other = WorkerMetricsWriter(store.path), WorkerMetricsWriter(store.path)
    exited.write(_samples(evicted=4, cached=10))
    other.write(_samples(evicted=1, cached=10))
    # The system does the same for a process that was killed.
    exited.close()
    for _ in range(2):
        assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 5
    assert _value(store, catalogue.SNAPSHOTS_CACHED) == 10
    assert _value(store, process_catalogue.WORKERS_ENDED) == 1
    WorkerMetricsWriter(store.path).write(_samples(evicted=2, cached=3))
    assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 7


def test_exited_worker_is_counted_once_by_concurrent_scrapes(store: MultiprocessStore) -> None:
    for _ in range(20):
        writer = WorkerMetricsWriter(store.path)
        writer.write(_samples(evicted=1, cached=1))
        writer.close()
    with ThreadPoolExecutor(8) as scrapes:
        for _ in scrapes.map(lambda _: store.read(), range(8)):
            pass
    assert _value(store, process_catalogue.WORKERS_ENDED) == 20
    assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 20


def test_hanging_worker_is_not_reporting_and_keeps_its_counters(store: MultiprocessStore) -> None:
    hanging = WorkerMetricsWriter(store.path)
    hanging.write(_samples(evicted=4, cached=10), age_seconds=FRESH_SECONDS + 1)
    assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 4
    assert _value(store, catalogue.SNAPSHOTS_CACHED) is None
    assert _value(store, process_catalogue.WORKERS_REPORTING) == 0
    assert (_value(store, process_catalogue.METRICS_AGE) or 0) > FRESH_SECONDS


def test_malformed_file_is_ignored(store: MultiprocessStore) -> None:
    WorkerMetricsWriter(store.path).write(_samples(evicted=1, cached=1))
    (store.path / "junk.report").write_bytes(b"\xc1junk")
    assert _value(store, catalogue.SNAPSHOTS_EVICTED) == 1


def test_folder_is_removed_by_its_owner_and_late_writes_are_ignored(tmp_path: Path) -> None:
    with MultiprocessStore.open("edge", 1, tmp_path) as folder:
        writer = WorkerMetricsWriter(folder.path)
        writer.write(_samples(evicted=1, cached=1))
    writer.write(_samples(evicted=2, cached=1))
    assert list(tmp_path.iterdir()) == []


def test_folders_of_killed_owners_are_removed_and_folders_in_use_stay(tmp_path: Path) -> None:
    left = tmp_path / "onboarding-metrics-left"
    left.mkdir()
    (left / "owner.lock").touch()
    (left / "1.report").touch()
    foreign = tmp_path / "onboarding-metrics-without-a-lock"
    foreign.mkdir()
    with (
        MultiprocessStore.open("edge", 1, tmp_path) as first,
        MultiprocessStore.open("management", 1, tmp_path) as second,
    ):
        assert sorted(tmp_path.iterdir()) == sorted([foreign, first.path, second.path])


def test_folder_of_an_owner_killed_while_making_it_is_removed(tmp_path: Path) -> None:
    abandoned, locked, new = (tmp_path / f".onboarding-metrics-{name}" for name in ("abandoned", "locked", "new"))
    for draft in (abandoned, locked, new):
        draft.mkdir()
    (abandoned / "owner.draft").touch()
    with (locked / "owner.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for draft in (abandoned, locked):
            an_hour_ago = time.time() - 3600
            os.utime(draft, (an_hour_ago, an_hour_ago))
        with MultiprocessStore.open("edge", 1, tmp_path):
            assert not abandoned.exists()
            # These may belong to processes that are starting.
            assert locked.exists()
            assert new.exists()


def test_folder_is_private(store: MultiprocessStore) -> None:
    assert store.path.stat().st_mode & 0o077 == 0
