"""Measures the time of publishing many projects at once, and their size in Redis."""

import time
from collections.abc import Sequence

import psycopg
from redis import Redis
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from loadtests.benchmarks.scale.programs import Servers
from loadtests.benchmarks.scale.synthetic_projects import ProjectMaker, SyntheticProject, request_publication
from loadtests.measurement.cpu_affinity import cpu_seconds

_POLL_SECONDS = 0.01
#: Counting takes longer with more unpublished projects, so it is done less often then.
_POLL_SECONDS_EACH = 2.5e-6
_COUNT_UNPUBLISHED = "SELECT count(*) FROM publications WHERE published_revision < wanted_revision"


class Publishing:
    """Creates and publishes projects."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._maker = ProjectMaker(servers.database_url, servers.master_key)

    def start_with_empty_redis(self) -> None:
        """Run the publisher once on the empty Redis; otherwise it would assume later that Redis has lost its data."""
        with self._servers.publisher(), Redis.from_url(self._servers.redis_url) as redis:
            while not redis.keys("onboarding:snapshot-format"):
                time.sleep(_POLL_SECONDS)

    def make(self, projects: Sequence[SyntheticProject]) -> None:
        """Write the projects into the database."""
        with _bar() as bar:
            task = bar.add_task("making", total=len(projects))
            for made in self._maker.make(projects):
                bar.update(task, completed=made)

    def publish(self, projects: Sequence[SyntheticProject]) -> tuple[float, float]:
        """Publish all projects at once, and return the seconds until the last one and the processor seconds."""
        url = self._servers.database_url
        with self._servers.publisher() as publisher, psycopg.connect(url, autocommit=True) as connection, _bar() as bar:
            self._wait_for_listener(connection)
            used = cpu_seconds(publisher.pid)
            wanted_at = time.perf_counter()
            request_publication(connection, projects)
            task = bar.add_task("publishing", total=len(projects))
            while left := _count_unpublished(connection):
                bar.update(task, completed=len(projects) - left)
                time.sleep(max(_POLL_SECONDS, left * _POLL_SECONDS_EACH))
            seconds = time.perf_counter() - wanted_at
            bar.update(task, completed=len(projects))
            return seconds, cpu_seconds(publisher.pid) - used

    def redis_bytes(self) -> int:
        """Return the memory in use by the data of Redis."""
        with Redis.from_url(self._servers.redis_url) as redis:
            used: int = redis.info("memory")["used_memory"]
            return used

    def _wait_for_listener(self, connection: psycopg.Connection) -> None:
        listening = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
        while connection.execute(listening).fetchone() == (0,):
            time.sleep(_POLL_SECONDS)


def _count_unpublished(connection: psycopg.Connection) -> int:
    row = connection.execute(_COUNT_UNPUBLISHED).fetchone()
    return row[0] if row else 0


def _bar() -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
