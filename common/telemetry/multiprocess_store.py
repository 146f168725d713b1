"""The board of a process that has workers: a folder in which each leaves a file, replaced once a second.

Nobody asks a worker anything, so that one that hangs keeps no scrape waiting. Each holds the lock of a file as long as
it lives; what it had counted by its end is added up and kept by the process that owns the folder.
"""

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec
import structlog

from common.telemetry.catalogue import process as catalogue
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.declaration import Process
from common.telemetry.merging import merge, only_growing
from common.telemetry.process_metrics import build_info
from common.telemetry.samples import Report, Sample, SampleSet

_LOG = structlog.stdlib.get_logger(__name__)

_PREFIX = "onboarding-figures-"
_LOCK, _REPORT, _DRAFT = ".lock", ".report", ".draft"
_OWNER = "owner.lock"
#: Memory, where there is such a folder: it is written every second.
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - what is made in it has a random name and is for its owner alone # nosec B108 # as said
#: A folder older than this is locked by its owner, or the owner is gone.
_DRAFT_SECONDS = 60.0
#: What a worker has not renewed for so long is not true of now.
FRESH_SECONDS = 10.0


class WorkerMetricsWriter:
    """A worker's place in the folder."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: int | None = None

    def post(self, report: Report) -> None:
        """Put a report up; where the folder is gone, so is whoever would have shown it."""
        try:
            if self._lock is None:
                self._lock = _locked(self._file.with_suffix(_LOCK))
            draft = self._file.with_suffix(_DRAFT)
            draft.write_bytes(msgspec.msgpack.encode(report))
            draft.replace(self._file.with_suffix(_REPORT))
        except OSError as error:
            _LOG.debug("figures_not_left", reason=type(error).__name__)

    def close(self) -> None:
        """Leave; the last report is counted."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class MultiprocessStore:
    """The folder as its owner has it, who shows what is in it, and removes it at the end of a `with` block."""

    def __init__(self, process: Process, workers: int, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock
        self._owner = os.getpid()
        self._process: Process = process
        self._workers = workers
        self._of_the_ended: list[Sample] = []
        self._ended = 0

    @classmethod
    def open(cls, process: Process, workers: int, parent: Path | None = None) -> Self:
        """Make a folder, and remove those of owners that were killed. Raises OSError."""
        parent = parent or _default_parent()
        _remove_ownerless(parent)
        draft = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=parent))
        lock = _locked(draft / _OWNER)
        # Only now is it found by others, who take it for ownerless unless the lock is held.
        return cls(process, workers, draft.rename(parent / draft.name.removeprefix(".")), lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # A worker that was forked within the block leaves it too.
        if os.getpid() == self._owner:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)

    def readings(self) -> list[Sample]:
        """Give what all workers have put up, and what ended ones have counted."""
        self._count_in_the_ended()
        now = time.monotonic()
        reports = [report for file in self.path.glob(f"*{_REPORT}") if (report := _report_in(file)) is not None]
        fresh = [report for report in reports if now - report.taken_at <= FRESH_SECONDS]
        stale = [report for report in reports if now - report.taken_at > FRESH_SECONDS]
        own = SampleSet()
        build_info(self._process, own)
        own.add(catalogue.WORKERS_WANTED, self._workers, self._process)
        own.add(catalogue.WORKERS_REPORTING, len(fresh), self._process)
        own.add(catalogue.WORKERS_ENDED, self._ended, self._process)
        if reports:
            own.add(catalogue.METRICS_AGE, now - min(one.taken_at for one in reports), self._process)
        shown = [*own.all, *self._of_the_ended]
        for report in fresh:
            shown.extend(report.readings)
        for report in stale:
            shown.extend(only_growing(CATALOGUE, report.readings))
        return merge(CATALOGUE, shown)

    def _count_in_the_ended(self) -> None:
        """Keep what workers had counted whose locks have fallen, and remove their files."""
        for lock in self.path.glob(f"*{_LOCK}"):
            if lock.name == _OWNER or not _is_free(lock):
                continue
            report = _report_in(lock.with_suffix(_REPORT))
            if report is not None:
                self._of_the_ended = merge(CATALOGUE, [*self._of_the_ended, *only_growing(CATALOGUE, report.readings)])
            self._ended += 1
            for suffix in (_REPORT, _DRAFT, _LOCK):
                lock.with_suffix(suffix).unlink(missing_ok=True)


def _report_in(file: Path) -> Report | None:
    """Read a file, which may be gone by now, or a worker's of another release."""
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=Report)
    except (OSError, msgspec.DecodeError):
        return None


def _locked(file: Path) -> int:
    """Make a file that is locked until the process ends or the descriptor is closed. Raises OSError."""
    # It gets its name when it is locked: nobody finds it free before.
    draft = file.with_suffix(_DRAFT)
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    draft.rename(file)
    return descriptor


def _is_free(lock: Path) -> bool:
    """Tell whether whoever held the lock is gone. One that cannot be looked at counts as held."""
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
            is_ours = status.st_uid == os.getuid() and stat.S_ISDIR(status.st_mode)
            if is_ours and (_is_free(folder / _OWNER) or _is_abandoned_draft(folder, status)):
                shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned_draft(folder: Path, status: os.stat_result) -> bool:
    """Return whether the owner was killed before it locked the folder, which takes an instant."""
    is_unlocked_draft = folder.name.startswith(".") and not (folder / _OWNER).exists()
    return is_unlocked_draft and time.time() - status.st_mtime > _DRAFT_SECONDS
