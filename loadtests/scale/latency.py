"""How long a resolve takes, by where the edge has the project: in memory, in Redis, or only on its disk."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loadtests.running_programs import free_port
from loadtests.scale.edge_client import EdgeConnection, resolve_request
from loadtests.scale.made_projects import MadeProject
from loadtests.scale.programs import Edge, Ground

#: So many projects are asked for, each once, and then the last of them over and over.
SAMPLE = 1000
_WARM_PROJECTS = 20
_WARM_TIMES = 100
_COPY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Latencies:
    """The seconds that answers took, one at a time on one connection."""

    warm: Sequence[float]
    from_redis: Sequence[float]
    from_disk: Sequence[float]


def measure_latencies(ground: Ground, projects: Sequence[MadeProject], seed: int) -> Latencies:
    """Ask an edge of one worker that has only just started, and then one that finds no Redis."""
    sample = random.Random(seed).sample(projects, min(SAMPLE, len(projects)))  # noqa: S311 - no secret is made of it
    folder = ground.folder / f"snapshots-{seed}"
    # Two connections before it counts: what an edge does at its first request is not what is asked for here.
    first, *rest = sample
    settings = {"ONBOARDING_EDGE_SNAPSHOT_FOLDER": str(folder)}
    with ground.edge(settings) as edge:
        _ask(edge, [first])
        from_redis = _ask(edge, rest)
        warm = _ask(edge, sample[-_WARM_PROJECTS:] * _WARM_TIMES)
        _wait_for_copies(folder, len(sample))
    nowhere = {**settings, "ONBOARDING_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    with ground.edge(nowhere) as edge:
        _ask(edge, [first])
        from_disk = _ask(edge, rest)
    return Latencies(warm, from_redis, from_disk)


def _ask(edge: Edge, projects: Sequence[MadeProject]) -> list[float]:
    requests = [resolve_request(project) for project in projects]
    connection = EdgeConnection(edge.port)
    try:
        return [connection.ask(request).seconds for request in requests]
    finally:
        connection.close()


def _wait_for_copies(folder: Path, count: int) -> None:
    deadline = time.monotonic() + _COPY_SECONDS
    while sum(1 for _ in folder.glob("*.snapshot")) < count:
        if time.monotonic() > deadline:
            raise RuntimeError("the edge did not copy to disk what it was asked for")
        time.sleep(0.1)
