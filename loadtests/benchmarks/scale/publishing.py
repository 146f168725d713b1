"""How long the publisher takes for many projects at once, by both of its ways, and what they then take in Redis."""

import time
from collections.abc import Sequence

import psycopg
from redis import Redis
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from loadtests.benchmarks.scale.programs import Ground
from loadtests.benchmarks.scale.synthetic_projects import ProjectMaker, SyntheticProject, want_publication
from loadtests.measurement.cpu_affinity import cpu_seconds

_POLL_SECONDS = 0.01
#: To count what waits takes the longer the more there is, and should not weigh on what is measured.
_POLL_SECONDS_EACH = 2.5e-6
_WAITING = "SELECT count(*) FROM publications WHERE published_revision < wanted_revision"


class Publishing:
    """Makes projects and has them published."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._maker = ProjectMaker(ground.database_url, ground.master_key)

    def settle(self) -> None:
        """Have the publisher note that Redis misses nothing: else it would publish everything, whatever is wanted."""
        with self._ground.publisher(), Redis.from_url(self._ground.redis_url) as redis:
            while not redis.keys("onboarding:snapshot-format"):
                time.sleep(_POLL_SECONDS)

    def make(self, projects: Sequence[SyntheticProject]) -> None:
        """Put the projects into the database."""
        with _bar() as bar:
            task = bar.add_task("making", total=len(projects))
            for made in self._maker.make(projects):
                bar.update(task, completed=made)

    def publish(self, projects: Sequence[SyntheticProject]) -> tuple[float, float]:
        """Want all of them published at one moment; gives the seconds until all are, and those of the processor."""
        url = self._ground.database_url
        with self._ground.publisher() as publisher, psycopg.connect(url, autocommit=True) as connection, _bar() as bar:
            self._wait_for_listener(connection)
            used = cpu_seconds(publisher.pid)
            wanted_at = time.perf_counter()
            want_publication(connection, projects)
            task = bar.add_task("publishing", total=len(projects))
            while left := _number(connection):
                bar.update(task, completed=len(projects) - left)
                time.sleep(max(_POLL_SECONDS, left * _POLL_SECONDS_EACH))
            seconds = time.perf_counter() - wanted_at
            bar.update(task, completed=len(projects))
            return seconds, cpu_seconds(publisher.pid) - used

    def redis_bytes(self) -> int:
        """Give the memory that Redis uses for what it holds."""
        with Redis.from_url(self._ground.redis_url) as redis:
            used: int = redis.info("memory")["used_memory"]
            return used

    def _wait_for_listener(self, connection: psycopg.Connection) -> None:
        listening = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
        while connection.execute(listening).fetchone() == (0,):
            time.sleep(_POLL_SECONDS)


def _number(connection: psycopg.Connection) -> int:
    row = connection.execute(_WAITING).fetchone()
    return row[0] if row else 0


def _bar() -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
