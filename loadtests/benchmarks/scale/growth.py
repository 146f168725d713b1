"""What a project costs as there are ten times as many, and as each has ten times as many flows."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loadtests.benchmarks.scale.latency import Latencies, measure_latencies
from loadtests.benchmarks.scale.programs import Ground
from loadtests.benchmarks.scale.publishing import Publishing
from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject

FLOWS = 5
#: Where projects with more flows have their numbers, out of the way of the others.
_APART = 10_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """One size: so many projects in all, so many flows in each, and what one of them costs."""

    projects: int
    flows: int
    publish_seconds: float
    processor_seconds: float
    redis_bytes: float
    latencies: Latencies

    def milliseconds(self) -> dict[str, float]:
        """Give the times for the figure."""
        return {
            "publish": self.publish_seconds * 1000,
            "from_disk": statistics.median(self.latencies.from_disk) * 1000,
            "from_redis": statistics.median(self.latencies.from_redis) * 1000,
            "warm": statistics.median(self.latencies.warm) * 1000,
        }


def grow_projects(ground: Ground, publishing: Publishing, totals: Sequence[int]) -> Iterator[Step]:
    """Add projects up to each of these totals."""
    there = 0
    for total in totals:
        added = [SyntheticProject(number, FLOWS) for number in range(there, total)]
        everybody = [SyntheticProject(number, FLOWS) for number in range(total)]
        yield _step(ground, publishing, added, everybody)
        there = total


def grow_flows(ground: Ground, publishing: Publishing, projects: int, flows_of_each: Sequence[int]) -> Iterator[Step]:
    """Add so many projects with each of these numbers of flows."""
    for flows in flows_of_each:
        added = [SyntheticProject(_APART + flows * projects + number, flows) for number in range(projects)]
        yield _step(ground, publishing, added, added)


def _step(
    ground: Ground, publishing: Publishing, added: Sequence[SyntheticProject], everybody: Sequence[SyntheticProject]
) -> Step:
    publishing.make(added)
    before = publishing.redis_bytes()
    seconds, processor_seconds = publishing.publish(added)
    each = len(added)
    return Step(
        projects=len(everybody),
        flows=added[0].flows,
        publish_seconds=seconds / each,
        processor_seconds=processor_seconds / each,
        redis_bytes=(publishing.redis_bytes() - before) / each,
        latencies=measure_latencies(ground, everybody, seed=added[0].number),
    )
