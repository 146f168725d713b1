"""The samples of several workers: a folder in which each worker replaces a file once a second.

A scrape reads the files only, so a hanging worker does not delay it. Each worker locks a file for its
lifetime; when the lock is free, the owner of the folder keeps the worker's counters and removes its files.
"""

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec
import structlog

from common.telemetry.catalogue import process as catalogue
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.metrics import Process
from common.telemetry.process_metrics import collect_build_info
from common.telemetry.samples import Sample, SampleSet, merge, without_gauges

_LOG = structlog.stdlib.get_logger(__name__)

_PREFIX = "onboarding-metrics-"
_LOCK, _REPORT, _DRAFT = ".lock", ".report", ".draft"
_OWNER = "owner.lock"
#: In memory, where the system has this folder: the files are written every second.
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - the folders in it have random names and are private
#: An owner locks a new folder within an instant; without a lock after this time it was killed.
_DRAFT_SECONDS = 60.0
#: Gauges that are older are left out.
FRESH_SECONDS = 10.0


class _Report(msgspec.Struct, frozen=True, array_like=True):
    """The samples of one worker; the monotonic clock is the same in all processes of a machine."""

    collected_at: float
    samples: list[Sample]


class WorkerMetricsWriter:
    """Writes the samples of the current process."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: int | None = None

    def write(self, samples: SampleSet, *, age_seconds: float = 0.0) -> None:
        """Replace the worker's samples. A missing folder means that its owner exited, and is ignored."""
        report = _Report(time.monotonic() - age_seconds, samples.samples)
        try:
            if self._lock is None:
                self._lock = _create_locked(self._file.with_suffix(_LOCK))
            draft = self._file.with_suffix(_DRAFT)
            draft.write_bytes(msgspec.msgpack.encode(report))
            draft.replace(self._file.with_suffix(_REPORT))
        except OSError as error:
            _LOG.debug("metrics_not_written", reason=type(error).__name__)

    def close(self) -> None:
        """Release the lock: the counters of the last samples are kept."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class MultiprocessStore:
    """The folder in the process that owns it, and removes it at the end of a `with` block."""

    def __init__(self, process: Process, workers: int, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock
        self._owner = os.getpid()
        self._process: Process = process
        self._workers = workers
        #: Guards the two below: each scrape has a thread.
        self._reaping = threading.Lock()
        self._exited_totals: list[Sample] = []
        self._exited = 0

    @classmethod
    def open(cls, process: Process, workers: int, parent: Path | None = None) -> Self:
        """Create a folder, and remove those of owners that were killed. Raises OSError."""
        parent = parent or _default_parent()
        _remove_ownerless(parent)
        draft = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=parent))
        lock = _create_locked(draft / _OWNER)
        # The folder gets its name after the lock: other owners remove folders without one.
        return cls(process, workers, draft.rename(parent / draft.name.removeprefix(".")), lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # A worker that was forked within the block leaves it too.
        if os.getpid() == self._owner:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)

    def read(self) -> list[Sample]:
        """Return the samples of all workers merged, with the counters of those that have exited."""
        with self._reaping:
            return self._read()

    def _read(self) -> list[Sample]:
        self._reap_exited()
        now = time.monotonic()
        reports = [report for file in self.path.glob(f"*{_REPORT}") if (report := _read_report(file)) is not None]
        fresh = [report for report in reports if now - report.collected_at <= FRESH_SECONDS]
        stale = [report for report in reports if now - report.collected_at > FRESH_SECONDS]
        own = SampleSet()
        collect_build_info(self._process, own)
        own.add(catalogue.WORKERS_WANTED, self._workers, self._process)
        own.add(catalogue.WORKERS_REPORTING, len(fresh), self._process)
        own.add(catalogue.WORKERS_ENDED, self._exited, self._process)
        if reports:
            own.add(catalogue.METRICS_AGE, now - min(report.collected_at for report in reports), self._process)
        samples = [*own.samples, *self._exited_totals]
        for report in fresh:
            samples.extend(report.samples)
        for report in stale:
            samples.extend(without_gauges(CATALOGUE, report.samples))
        return merge(CATALOGUE, samples)

    def _reap_exited(self) -> None:
        """Add up the counters of workers whose locks are free, and remove their files."""
        for lock in self.path.glob(f"*{_LOCK}"):
            if lock.name == _OWNER or not _is_free(lock):
                continue
            report = _read_report(lock.with_suffix(_REPORT))
            if report is not None:
                totals = without_gauges(CATALOGUE, report.samples)
                self._exited_totals = merge(CATALOGUE, [*self._exited_totals, *totals])
            self._exited += 1
            for suffix in (_REPORT, _DRAFT, _LOCK):
                lock.with_suffix(suffix).unlink(missing_ok=True)


def _read_report(file: Path) -> _Report | None:
    """Return None for a file that is gone, or that a worker of another release has written."""
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=_Report)
    except (OSError, msgspec.DecodeError):
        return None


def _create_locked(file: Path) -> int:
    """Create a file that is locked until the process exits or the descriptor is closed. Raises OSError."""
    # The file gets its name after the lock, so that no other process finds it free before.
    draft = file.with_suffix(_DRAFT)
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    draft.rename(file)
    return descriptor


def _is_free(lock: Path) -> bool:
    """Return whether the process that held the lock has exited. A file that cannot be opened counts as locked."""
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _default_parent() -> Path:
    has_memory = _MEMORY_FOLDER.is_dir() and os.access(_MEMORY_FOLDER, os.W_OK | os.X_OK)
    return _MEMORY_FOLDER if has_memory else Path(tempfile.gettempdir())


def _remove_ownerless(parent: Path) -> None:
    """Remove the folders of owners that were killed, those without their final name included."""
    for folder in (*parent.glob(f"{_PREFIX}*"), *parent.glob(f".{_PREFIX}*")):
        with suppress(OSError):
            status = folder.lstat()
            is_own = status.st_uid == os.getuid() and stat.S_ISDIR(status.st_mode)
            if is_own and (_is_free(folder / _OWNER) or _is_abandoned_draft(folder, status)):
                shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned_draft(folder: Path, status: os.stat_result) -> bool:
    """Return whether the owner was killed before it locked the folder, which takes an instant."""
    is_unlocked_draft = folder.name.startswith(".") and not (folder / _OWNER).exists()
    return is_unlocked_draft and time.time() - status.st_mtime > _DRAFT_SECONDS
