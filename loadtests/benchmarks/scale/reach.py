"""Measures the time until a published change reaches every worker of an edge, calm and under load."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from multiprocessing import get_context

import psutil
import psycopg

from loadtests.benchmarks.scale.edge_client import EdgeConnection, resolve_requests
from loadtests.benchmarks.scale.programs import Servers
from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject
from loadtests.measurement.http_load import HttpLoad, Load
from loadtests.measurement.programs import Server

WORKERS = 4
_CONNECTIONS = 16
_MAX_CONNECTIONS = 500
_POLL_REQUESTS = 1000
_FULL_SECONDS = 3.0
_POLL_SECONDS = 0.001
_PAUSES = (0.02, 0.12)
_TIMEOUT_SECONDS = 20.0
#: As the management service does it: the change and the request to publish it in one transaction.
_CHANGE = "UPDATE projects SET name = %s, updated_at = clock_timestamp() WHERE id = %s"
_REQUEST_PUBLICATION = (
    "UPDATE publications SET wanted_revision = wanted_revision + 1, updated_at = clock_timestamp()"
    " WHERE project_id = %s RETURNING wanted_revision"
)


@dataclass(frozen=True, slots=True)
class Reach:
    """Seconds from the begin of a change's commit until the last worker, and until the first one, responded with it."""

    last: Sequence[float]
    first: Sequence[float]


@dataclass(frozen=True, slots=True)
class ReachOfPublishing:
    """On an edge without other requests, and on one at half load; that load in responses a second."""

    calm: Reach
    loaded: Reach
    half_rate: float


def measure_reach(servers: Servers, projects: Sequence[SyntheticProject], publishes: int) -> ReachOfPublishing:
    """Publish one of the projects again and again, and poll each of four workers for it."""
    project = projects[0]
    settings = {
        "ONBOARDING_EDGE_WORKERS": str(WORKERS),
        "ONBOARDING_EDGE_SNAPSHOT_FOLDER": str(servers.folder / "snapshots-reach"),
    }
    with servers.publisher(), servers.edge(settings) as edge, _connection_to_each_worker(edge) as workers:
        calm = _publish_often(servers, project, workers, publishes)
        # The load has a process of its own: in this one it would wait for the polling.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            full = pool.submit(_load, edge.port, projects[:_CONNECTIONS], Load(_FULL_SECONDS, _CONNECTIONS)).result()
            lasting = publishes * (_PAUSES[1] + max(calm.last))
            half = Load(lasting, _CONNECTIONS, full / 2)
            pool.submit(_load, edge.port, projects[:_CONNECTIONS], half)
            loaded = _publish_often(servers, project, workers, publishes)
        return ReachOfPublishing(calm, loaded, full / 2)


def _load(port: int, projects: Sequence[SyntheticProject], load: Load) -> float:
    """Load the edge and return the responses a second."""
    requests = cycle(list(resolve_requests(projects, devices=100)))
    return HttpLoad(port, lambda: next(requests)).run(load).rate


def _publish_often(
    servers: Servers, project: SyntheticProject, workers: Mapping[int, EdgeConnection], publishes: int
) -> Reach:
    rng = random.Random(publishes)  # noqa: S311 - no secret is made of it
    # Written down before the changes: only the requests themselves are measured.
    requests = cycle(list(resolve_requests([project] * _POLL_REQUESTS)))
    first: list[float] = []
    last: list[float] = []
    with psycopg.connect(servers.database_url) as database:
        for number in range(publishes):
            time.sleep(rng.uniform(*_PAUSES))
            revision, committed_at = _change(database, project, number)
            times = _times_of_arrival(requests, revision, workers)
            first.append(min(times) - committed_at)
            last.append(max(times) - committed_at)
    return Reach(last, first)


def _change(database: psycopg.Connection, project: SyntheticProject, number: int) -> tuple[int, float]:
    """Change the project, and return the revision to publish and the time at which the commit began."""
    database.execute(_CHANGE, [f"Project {number}", project.project_id])
    row = database.execute(_REQUEST_PUBLICATION, [project.project_id]).fetchone()
    database.execute("NOTIFY publications")
    began_at = time.perf_counter()
    database.commit()
    if row is None:
        raise RuntimeError("there is no such project")
    return row[0], began_at


def _times_of_arrival(requests: Iterator[bytes], revision: int, workers: Mapping[int, EdgeConnection]) -> list[float]:
    arrived: dict[int, float] = {}
    deadline = time.perf_counter() + _TIMEOUT_SECONDS
    while len(arrived) < len(workers):
        if time.perf_counter() > deadline:
            raise RuntimeError(f"revision {revision} did not reach every worker in {_TIMEOUT_SECONDS:g} s")
        for worker, connection in workers.items():
            if worker not in arrived and connection.send(next(requests)).revision >= revision:
                arrived[worker] = time.perf_counter()
        time.sleep(_POLL_SECONDS)
    return list(arrived.values())


@contextmanager
def _connection_to_each_worker(edge: Server) -> Iterator[Mapping[int, EdgeConnection]]:
    """Connect until every worker has accepted a connection, and yield one to each, by process."""
    opened: list[EdgeConnection] = []
    kept: dict[int, EdgeConnection] = {}
    try:
        while len(kept) < WORKERS:
            if len(opened) > _MAX_CONNECTIONS:
                raise RuntimeError(f"only {len(kept)} of {WORKERS} workers accept connections")
            connection = EdgeConnection(edge.port)
            opened.append(connection)
            worker = _worker_of(edge, connection)
            if worker is not None:
                kept.setdefault(worker, connection)
        yield kept
    finally:
        for connection in opened:
            connection.close()


def _worker_of(edge: Server, connection: EdgeConnection) -> int | None:
    """Return the worker that accepted the connection, None before that."""
    for worker in psutil.Process(edge.process).children(recursive=True):
        if any(other.raddr and other.raddr.port == connection.own_port for other in worker.net_connections("tcp")):
            return worker.pid
    return None
