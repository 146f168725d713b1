"""Measures the cost of a project as the number of projects grows, and as the number of flows grows."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loadtests.benchmarks.scale.latency import Latencies, measure_latencies
from loadtests.benchmarks.scale.programs import Servers
from loadtests.benchmarks.scale.publishing import Publishing
from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject

FLOWS = 5
#: The numbers of projects with more flows start here, so that they never meet the others.
_FIRST_LARGE_PROJECT = 10_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """One size: the number of projects, the flows of each, and the cost of one project."""

    projects: int
    flows: int
    publish_seconds: float
    processor_seconds: float
    redis_bytes: float
    latencies: Latencies

    def milliseconds(self) -> dict[str, float]:
        """Return the times for the chart."""
        return {
            "publishing a project": self.publish_seconds * 1000,
            "resolve, from disk": statistics.median(self.latencies.from_disk) * 1000,
            "resolve, from Redis": statistics.median(self.latencies.from_redis) * 1000,
            "resolve, in memory": statistics.median(self.latencies.warm) * 1000,
        }


def times_by_step(steps: Sequence[Step]) -> dict[str, list[float]]:
    """Return the milliseconds of each operation, in the order of the steps."""
    return {name: [step.milliseconds()[name] for step in steps] for name in steps[0].milliseconds()}


def grow_projects(servers: Servers, publishing: Publishing, totals: Sequence[int]) -> Iterator[Step]:
    """Add projects up to each of these totals."""
    existing = 0
    for total in totals:
        added = [SyntheticProject(number, FLOWS) for number in range(existing, total)]
        all_projects = [SyntheticProject(number, FLOWS) for number in range(total)]
        yield _step(servers, publishing, added, all_projects)
        existing = total


def grow_flows(servers: Servers, publishing: Publishing, projects: int, flows_of_each: Sequence[int]) -> Iterator[Step]:
    """Add this number of projects for each of these numbers of flows."""
    for flows in flows_of_each:
        added = [
            SyntheticProject(_FIRST_LARGE_PROJECT + flows * projects + number, flows) for number in range(projects)
        ]
        yield _step(servers, publishing, added, added)


def _step(
    servers: Servers,
    publishing: Publishing,
    added: Sequence[SyntheticProject],
    all_projects: Sequence[SyntheticProject],
) -> Step:
    publishing.make(added)
    before = publishing.redis_bytes()
    seconds, processor_seconds = publishing.publish(added)
    count = len(added)
    return Step(
        projects=len(all_projects),
        flows=added[0].flows,
        publish_seconds=seconds / count,
        processor_seconds=processor_seconds / count,
        redis_bytes=(publishing.redis_bytes() - before) / count,
        latencies=measure_latencies(servers, all_projects, seed=added[0].number),
    )
