"""How the spool of a worker stands, for metrics and for health."""

from dataclasses import dataclass
from typing import Literal

SpoolState = Literal["off", "empty", "filled", "failing"]


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
