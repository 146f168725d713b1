"""The state of a worker's event storage, for metrics and health, and of the spool folder, for administration."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SpoolState = Literal["off", "empty", "filled", "failing"]

#: Where new events are stored: in Redis, in the spool, or in no place, and then they are rejected.
EventsState = Literal["redis", "spool", "none"]


@dataclass(frozen=True, slots=True)
class SpoolStatus:
    """`records`, `bytes`, `fill` and `oldest_seconds` are of this moment; the other counts are of the worker's life.

    `records` wait for Redis; `fill` is the used part of the room, from 0 to 1; `replayed` were taken by Redis;
    `rejected` found no room or a disk that failed; `damaged` are places that could not be read and were set aside.
    """

    state: SpoolState = "off"
    records: int = 0
    bytes: int = 0
    limit_bytes: int = 0
    fill: float = 0.0
    oldest_seconds: float | None = None
    replayed: int = 0
    rejected: int = 0
    damaged: int = 0


def sum_of(spools: Sequence[SpoolStatus]) -> SpoolStatus:
    """Return the status of all spools of a worker together: the worst state, fill and age, and the sums."""
    if not spools:
        return SpoolStatus()
    states = {spool.state for spool in spools}
    ages = [spool.oldest_seconds for spool in spools if spool.oldest_seconds is not None]
    return SpoolStatus(
        state="failing" if "failing" in states else "filled" if "filled" in states else "empty",
        records=sum(spool.records for spool in spools),
        bytes=sum(spool.bytes for spool in spools),
        limit_bytes=sum(spool.limit_bytes for spool in spools),
        fill=max(spool.fill for spool in spools),
        oldest_seconds=max(ages, default=None),
        replayed=sum(spool.replayed for spool in spools),
        rejected=sum(spool.rejected for spool in spools),
        damaged=sum(spool.damaged for spool in spools),
    )


@dataclass(frozen=True, slots=True)
class EventStatus:
    """`pending` records, and their bytes, wait in memory to be stored."""

    state: EventsState
    pending: int
    pending_bytes: int
    spool: SpoolStatus

    @property
    def is_degraded(self) -> bool:
        """Whether events do not go to Redis, or could not be kept if Redis failed now."""
        return self.state != "redis" or self.spool.state == "failing"


def spooled_bytes(folder: Path) -> int | None:
    """Return the size of all spool files, which edges delete when Redis has their events; None without a folder."""
    if not folder.is_dir():
        return None
    total = 0
    # The files and their logs.
    for file in folder.glob("*.sqlite*"):
        # An edge may delete it meanwhile.
        with suppress(FileNotFoundError):
            total += file.stat().st_size
    return total


def damaged_spool_files(folder: Path) -> int:
    """Return the number of files that were set aside because they were damaged; their logs do not count."""
    return sum(1 for file in folder.glob("damaged/*") if not file.name.endswith("-wal"))
