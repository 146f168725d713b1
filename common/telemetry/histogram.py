"""How long things took, counted in buckets: plain numbers, cheap to count and read only when somebody asks."""

from bisect import bisect_left

#: For what waits for a server, a disk or a database.
WAITING_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
#: For what is answered from memory, in microseconds, unless it has to wait after all.
MEMORY_BOUNDS = (
    0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5,
)  # fmt: skip


class Histogram:
    """One series of a histogram: how many took how long, and all together. One thread counts."""

    __slots__ = ("bounds", "cells", "seconds")

    def __init__(self, bounds: tuple[float, ...] = WAITING_BOUNDS) -> None:
        self.bounds = bounds
        #: One for each bound, and the last for what took longer than all of them.
        self.cells = [0] * (len(bounds) + 1)
        self.seconds = 0.0

    def count(self, seconds: float) -> None:
        """Count one."""
        self.cells[bisect_left(self.bounds, seconds)] += 1
        self.seconds += seconds
