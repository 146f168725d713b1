"""How long a worker may take for what it does not do at once."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkerBounds:
    """Seconds. Who takes longer is killed."""

    #: Until the first sign of life; in a restart by turns, until it serves.
    start_seconds: float
    #: Between two signs of life, which are given twice a second.
    silence_seconds: float
    #: To answer what is under way and to store what waits, once it is told to end.
    end_seconds: float
