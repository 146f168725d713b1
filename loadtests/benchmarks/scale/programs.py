"""The programs of the benchmark: PostgreSQL and Redis for the run, publisher and edge for a part of it."""

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loadtests.measurement.programs import (
    ONBOARDING,
    Program,
    Server,
    environment,
    free_port,
    is_responding,
    random_key,
    running,
    running_postgresql,
    running_redis,
    wait_until,
)

_HIGH_LIMIT = "1000000000"


@dataclass(frozen=True, slots=True)
class Servers:
    """The folder of a run, PostgreSQL and Redis."""

    folder: Path
    database_url: str = field(repr=False)
    redis_url: str
    redis: Program
    master_key: str = field(repr=False)

    @contextmanager
    def publisher(self) -> Iterator[Program]:
        """Run the publisher."""
        with running([*ONBOARDING, "publisher"], self._publisher_settings, self.folder / "publisher.log") as process:
            yield process

    def rebuild_snapshots(self) -> None:
        """Publish everything again by the command of the operators."""
        command = [*ONBOARDING, "snapshots", "rebuild"]
        subprocess.run(command, env=environment(self._publisher_settings), check=True)

    @contextmanager
    def edge(self, settings: Mapping[str, str]) -> Iterator[Server]:
        """Run the edge with these settings and the required ones."""
        port = free_port()
        needed = {
            "ONBOARDING_REDIS_URL": self.redis_url,
            "ONBOARDING_ASSIGNMENT_KEYS": random_key(),
            "ONBOARDING_RATE_LIMIT_PER_SECRET_KEY": _HIGH_LIMIT,
            "ONBOARDING_LOG_LEVEL": "warning",
            "EDGE_PORT": str(port),
        }
        log = self.folder / "edge.log"
        with running([*ONBOARDING, "edge"], {**needed, **settings}, log) as process:
            wait_until(lambda: is_responding(port), process, log)
            yield Server(port, process.pid)

    @property
    def _publisher_settings(self) -> dict[str, str]:
        return {
            "ONBOARDING_DATABASE_URL": self.database_url,
            "ONBOARDING_REDIS_URL": self.redis_url,
            "ONBOARDING_MASTER_KEY": self.master_key,
            "ONBOARDING_LOG_LEVEL": "warning",
        }


@contextmanager
def running_servers() -> Iterator[Servers]:
    """Start PostgreSQL with the schema, and Redis, in a temporary folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scale-")))
        database_url = stack.enter_context(running_postgresql(folder))
        redis_url, redis = stack.enter_context(running_redis(folder))
        yield Servers(folder, database_url, redis_url, redis, random_key())
