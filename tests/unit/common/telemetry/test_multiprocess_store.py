"""The figures of several workers, in a folder."""

import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from common.telemetry.catalogue import edge as catalogue
from common.telemetry.catalogue import process as every_process
from common.telemetry.declaration import Metric
from common.telemetry.multiprocess_store import FRESH_SECONDS, MultiprocessStore, WorkerMetricsWriter
from common.telemetry.samples import Report, SampleSet


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[MultiprocessStore]:
    with MultiprocessStore.open("edge", 2, tmp_path) as opened:
        yield opened


def _report(evicted: int, held: int, *, age: float = 0.0) -> Report:
    readings = SampleSet()
    readings.add(catalogue.SNAPSHOTS_EVICTED, evicted)
    readings.add(catalogue.SNAPSHOTS_HELD, held)
    return Report(time.monotonic() - age, readings.all)


def _value(folder: MultiprocessStore, metric: Metric) -> float | None:
    values = {reading.metric: reading.value for reading in folder.readings()}
    return values.get(metric.name)


def test_the_figures_of_all_workers_are_shown_together(folder: MultiprocessStore) -> None:
    for evicted in (1, 2):
        WorkerMetricsWriter(folder.path).post(_report(evicted, held=10))
    assert _value(folder, catalogue.SNAPSHOTS_EVICTED) == 3
    assert _value(folder, catalogue.SNAPSHOTS_HELD) == 20
    assert _value(folder, every_process.WORKERS_REPORTING) == 2


def test_a_new_report_takes_the_place_of_the_one_before(folder: MultiprocessStore) -> None:
    desk = WorkerMetricsWriter(folder.path)
    for evicted in (1, 5):
        desk.post(_report(evicted, held=1))
    assert _value(folder, catalogue.SNAPSHOTS_EVICTED) == 5


def test_what_a_worker_had_counted_stays_when_it_ends_and_what_it_held_goes(folder: MultiprocessStore) -> None:
    gone, other = WorkerMetricsWriter(folder.path), WorkerMetricsWriter(folder.path)
    gone.post(_report(4, held=10))
    other.post(_report(1, held=10))
    # As the system does for a process that was killed.
    gone.close()
    for _ in range(2):
        assert _value(folder, catalogue.SNAPSHOTS_EVICTED) == 5
    assert _value(folder, catalogue.SNAPSHOTS_HELD) == 10
    assert _value(folder, every_process.WORKERS_ENDED) == 1
    WorkerMetricsWriter(folder.path).post(_report(2, held=3))
    assert _value(folder, catalogue.SNAPSHOTS_EVICTED) == 7


def test_a_worker_that_hangs_is_missed_and_its_counters_stay(folder: MultiprocessStore) -> None:
    hanging = WorkerMetricsWriter(folder.path)
    hanging.post(_report(4, held=10, age=FRESH_SECONDS + 1))
    assert _value(folder, catalogue.SNAPSHOTS_EVICTED) == 4
    assert _value(folder, catalogue.SNAPSHOTS_HELD) is None
    assert _value(folder, every_process.WORKERS_REPORTING) == 0
    assert (_value(folder, every_process.METRICS_AGE) or 0) > FRESH_SECONDS


def test_what_cannot_be_read_is_left_out(folder: MultiprocessStore) -> None:
    WorkerMetricsWriter(folder.path).post(_report(1, held=1))
    (folder.path / "junk.report").write_bytes(b"\xc1junk")
    assert _value(folder, catalogue.SNAPSHOTS_EVICTED) == 1


def test_it_is_gone_with_its_owner_and_nobody_minds(tmp_path: Path) -> None:
    with MultiprocessStore.open("edge", 1, tmp_path) as folder:
        desk = WorkerMetricsWriter(folder.path)
        desk.post(_report(1, held=1))
    desk.post(_report(2, held=1))
    assert list(tmp_path.iterdir()) == []


def test_what_owners_left_behind_that_were_killed_is_removed_and_what_is_in_use_is_not(tmp_path: Path) -> None:
    left = tmp_path / "onboarding-figures-left"
    left.mkdir()
    (left / "owner.lock").touch()
    (left / "1.report").touch()
    foreign = tmp_path / "onboarding-figures-without-a-lock"
    foreign.mkdir()
    with MultiprocessStore.open("edge", 1, tmp_path) as one, MultiprocessStore.open("management", 1, tmp_path) as other:
        assert sorted(tmp_path.iterdir()) == sorted([foreign, one.path, other.path])


def test_folder_of_an_owner_killed_while_making_it_is_removed(tmp_path: Path) -> None:
    abandoned, locked, new = (tmp_path / f".onboarding-figures-{name}" for name in ("abandoned", "locked", "new"))
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


def test_only_its_owner_can_look_into_it(folder: MultiprocessStore) -> None:
    assert folder.path.stat().st_mode & 0o077 == 0
