"""Measures the memory of a worker while more projects are resolved than fit into its bound."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, cycle
from pathlib import Path

from loadtests.benchmarks.scale.edge_client import resolve_requests
from loadtests.benchmarks.scale.programs import Servers
from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject
from loadtests.measurement.http_load import HttpLoad, Load
from loadtests.measurement.programs import Server

#: Far less than 100,000 projects take.
MEMORY_MB = 64
_CONNECTIONS = 8
_SLICE_SECONDS = 1.0
_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Resolved:
    """The responses to resolves in one order, their time, and the peak memory of the worker until then."""

    order: str
    responses: int
    seconds: float
    peak_bytes: int

    @property
    def rate(self) -> float:
        """Responses a second."""
        return self.responses / self.seconds


@dataclass(frozen=True, slots=True)
class Bound:
    """The peak memory of a worker after resolves of one project, and after those of all projects in two orders."""

    bytes_before: int
    orders: Sequence[Resolved]


def measure_bound(servers: Servers, projects: Sequence[SyntheticProject]) -> Bound:
    """Send one worker as many resolves as there are projects: each once, in random order, then by Zipf's law."""
    rng = random.Random(1)  # noqa: S311 - no secret is made of it
    shuffled = rng.sample(projects, len(projects))
    # By Zipf's law the project of rank n is resolved a n-th as often as the first.
    weights = list(accumulate(1 / rank for rank in range(1, len(projects) + 1)))
    drawn = rng.choices(shuffled, cum_weights=weights, k=len(projects))
    settings = {
        "ONBOARDING_EDGE_SNAPSHOT_MEMORY_MB": str(MEMORY_MB),
        "ONBOARDING_EDGE_SNAPSHOT_FOLDER": str(servers.folder / "snapshots-bound"),
    }
    with servers.edge(settings) as edge:
        _send(edge, "warm-up", shuffled[:1])
        before = _peak_bytes(edge)
        return Bound(before, [_send(edge, "random", shuffled), _send(edge, "Zipf", drawn)])


def _send(edge: Server, order: str, projects: Sequence[SyntheticProject]) -> Resolved:
    # The last slice sends more requests than there are projects.
    requests = resolve_requests(cycle(projects))
    load = HttpLoad(edge.port, lambda: next(requests))
    responses, seconds = 0, 0.0
    while responses < len(projects):
        measured = load.run(Load(_SLICE_SECONDS, _CONNECTIONS))
        responses += len(measured.times)
        seconds += measured.seconds
    return Resolved(order, responses, seconds, _peak_bytes(edge))


def _peak_bytes(edge: Server) -> int:
    """Return the peak of the resident memory of the process."""
    status = Path(f"/proc/{edge.process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * _KIBIBYTE
