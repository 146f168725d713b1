"""Whether a worker keeps to its memory while more projects are asked for than fit."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from loadtests.management_benchmark.http_load import HttpLoad, Load
from loadtests.scale.edge_client import resolve_request
from loadtests.scale.made_projects import MadeProject
from loadtests.scale.programs import Edge, Ground

#: The bound that is set: far less than 100,000 projects take.
MEMORY_MB = 64
_CONNECTIONS = 8
_SLICE_SECONDS = 1.0
_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """What asking in one order did: how many answers, in how many seconds, and the most memory the worker ever had."""

    order: str
    answers: int
    seconds: float
    peak_bytes: int

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds


@dataclass(frozen=True, slots=True)
class Bound:
    """The memory of a worker that has been asked for one project, and then for all of them, in two orders."""

    bytes_before: int
    asked: Sequence[Asked]


def measure_bound(ground: Ground, projects: Sequence[MadeProject]) -> Bound:
    """Ask one worker as often as there are projects: each once in random order, then some far more than others."""
    chance = random.Random(1)  # noqa: S311 - no secret is made of it
    shuffled = chance.sample(projects, len(projects))
    # By Zipf's law: the project of rank n is asked for a n-th as often as the first.
    weights = list(accumulate(1 / rank for rank in range(1, len(projects) + 1)))
    drawn = chance.choices(shuffled, cum_weights=weights, k=len(projects))
    settings = {
        "ONBOARDING_EDGE_SNAPSHOT_MEMORY_MB": str(MEMORY_MB),
        "ONBOARDING_EDGE_SNAPSHOT_FOLDER": str(ground.folder / "snapshots-bound"),
    }
    with ground.edge(settings) as edge:
        HttpLoad(edge.port, lambda: resolve_request(shuffled[0])).run(Load(_SLICE_SECONDS, _CONNECTIONS))
        before = _peak_bytes(edge)
        return Bound(before, [_ask(edge, "random", shuffled), _ask(edge, "Zipf", drawn)])


def _ask(edge: Edge, order: str, projects: Sequence[MadeProject]) -> Asked:
    requests = _requests(projects)
    load = HttpLoad(edge.port, lambda: next(requests))
    answers, seconds = 0, 0.0
    while answers < len(projects):
        measured = load.run(Load(_SLICE_SECONDS, _CONNECTIONS))
        answers += len(measured.times)
        seconds += measured.seconds
    return Asked(order, answers, seconds, _peak_bytes(edge))


def _requests(projects: Sequence[MadeProject]) -> Iterator[bytes]:
    """Go round and round: the last slice asks for more than there are."""
    while True:
        for project in projects:
            yield resolve_request(project)


def _peak_bytes(edge: Edge) -> int:
    """Give the most resident memory that the process has ever had."""
    status = Path(f"/proc/{edge.process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * _KIBIBYTE
