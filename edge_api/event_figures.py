"""How events stand in a worker, for metrics and for health: read off at one moment, kept by nobody."""

from dataclasses import dataclass
from typing import Literal

SpoolState = Literal["off", "empty", "filled", "failing"]

#: Where events are stored now: in Redis, in the spool, or nowhere, so that they are refused.
EventsState = Literal["redis", "spool", "nowhere"]


@dataclass(frozen=True, slots=True)
class SpoolFigures:
    """`records`, `bytes` and the age of the oldest are of now; the other counts are since the worker started.

    `records` that wait for Redis; `replayed` that Redis has taken; `refused` that found no room, or a disk that
    failed. `damaged` are places that could not be read and are set aside, `torn` unfinished ends that were cut off.
    """

    state: SpoolState = "off"
    records: int = 0
    bytes: int = 0
    limit_bytes: int = 0
    oldest_seconds: float | None = None
    replayed: int = 0
    refused: int = 0
    damaged: int = 0
    torn: int = 0


@dataclass(frozen=True, slots=True)
class EventFigures:
    """`pending` records wait in memory to be made durable."""

    state: EventsState
    pending: int
    pending_bytes: int
    spool: SpoolFigures

    @property
    def is_degraded(self) -> bool:
        """Whether events are not where they should be, or would not be kept if Redis went away now."""
        return self.state != "redis" or self.spool.state == "failing"
