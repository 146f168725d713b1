"""Times of resolves, by where the edge finds the project: in memory, in Redis, or only on its disk."""

import random
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from loadtests.benchmarks.scale.edge_client import EdgeConnection, resolve_requests
from loadtests.benchmarks.scale.programs import Servers
from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject
from loadtests.measurement.programs import Server, free_port

#: The number of projects that are resolved once each; the last one is then resolved repeatedly.
SAMPLE = 1000
_WARM_PROJECTS = 20
_WARM_TIMES = 100
_COPY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Latencies:
    """The times of responses in seconds, one request at a time on one connection."""

    warm: Sequence[float]
    from_redis: Sequence[float]
    from_disk: Sequence[float]


def measure_latencies(servers: Servers, projects: Sequence[SyntheticProject], seed: int) -> Latencies:
    """Measure an edge of one worker that has just started, and then one without Redis."""
    sample = random.Random(seed).sample(projects, min(SAMPLE, len(projects)))  # noqa: S311 - no secret is made of it
    folder = servers.folder / f"snapshots-{seed}"
    # The first request of an edge does more than the others, so it is not measured.
    first, *rest = sample
    settings = {"ONBOARDING_EDGE_SNAPSHOT_FOLDER": str(folder)}
    with servers.edge(settings) as edge:
        _send(edge, [first])
        from_redis = _send(edge, rest)
        warm = _send(edge, sample[-_WARM_PROJECTS:] * _WARM_TIMES)
        _wait_for_copies(folder, len(sample))
    without_redis = {**settings, "ONBOARDING_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    with servers.edge(without_redis) as edge:
        _send(edge, [first])
        from_disk = _send(edge, rest)
    return Latencies(warm, from_redis, from_disk)


def _send(edge: Server, projects: Sequence[SyntheticProject]) -> list[float]:
    requests = list(resolve_requests(projects))
    connection = EdgeConnection(edge.port)
    try:
        return [connection.send(request).seconds for request in requests]
    finally:
        connection.close()


def _wait_for_copies(folder: Path, count: int) -> None:
    deadline = time.monotonic() + _COPY_SECONDS
    database = f"file:{folder / 'snapshots.sqlite3'}?mode=ro"
    with closing(sqlite3.connect(database, uri=True, timeout=_COPY_SECONDS)) as connection:
        while connection.execute("SELECT count(*) FROM copies WHERE body IS NOT NULL").fetchone()[0] < count:
            if time.monotonic() > deadline:
                raise RuntimeError("the edge did not copy the projects to its disk")
            time.sleep(0.1)
