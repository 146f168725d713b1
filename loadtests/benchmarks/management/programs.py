"""The programs of the benchmark, started by their commands and used over sockets."""

import os
import secrets
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from loadtests.measurement.programs import (
    ONBOARDING,
    Server,
    free_port,
    is_responding,
    migrate,
    random_key,
    running,
    running_postgresql,
    wait_until,
)

ISSUER = "https://benchmark.example"
AUDIENCE = "benchmark"


@dataclass(frozen=True, slots=True)
class Programs:
    """The running servers, and the secret that signs tokens."""

    database_url: str
    management: Server
    bare: Server
    token_secret: str


@contextmanager
def running_programs(workers: int, threads: int) -> Iterator[Programs]:
    """Start PostgreSQL, unless BENCHMARK_DATABASE_URL names a database that may be filled, and both services."""
    token_secret = secrets.token_hex(32)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="management-benchmark-")))
        database_url = os.environ.get("BENCHMARK_DATABASE_URL")
        if database_url:
            migrate(database_url)
        else:
            database_url = stack.enter_context(running_postgresql(folder))
        management = stack.enter_context(_management(database_url, token_secret, workers, threads, folder))
        bare = stack.enter_context(_bare(database_url, workers, threads, folder))
        yield Programs(database_url, management, bare, token_secret)


@contextmanager
def _management(database_url: str, token_secret: str, workers: int, threads: int, folder: Path) -> Iterator[Server]:
    port = free_port()
    settings = {
        "ONBOARDING_DATABASE_URL": database_url,
        "MANAGEMENT_PORT": str(port),
        "ONBOARDING_MANAGEMENT_WORKERS": str(workers),
        "ONBOARDING_MANAGEMENT_THREADS": str(threads),
        "ONBOARDING_DATABASE_POOL_SIZE": str(threads),
        "ONBOARDING_MASTER_KEY": random_key(),
        "ONBOARDING_ASSIGNMENT_KEYS": random_key(),
        "ONBOARDING_IDENTITY_ISSUER": ISSUER,
        "ONBOARDING_IDENTITY_AUDIENCE": AUDIENCE,
        "ONBOARDING_IDENTITY_DISCOVERY": "false",
        "ONBOARDING_IDENTITY_SHARED_SECRET": token_secret,
        # Requests are counted, as in service, but never reach a limit; the same holds for projects and flows.
        "ONBOARDING_RATE_LIMIT_PER_API_KEY": "1000000000",
        "ONBOARDING_RATE_LIMIT_PER_JWT": "1000000000",
        "ONBOARDING_MAX_PROJECTS_PER_USER": "100000000",
        "ONBOARDING_MAX_FLOWS_PER_PROJECT": "100000000",
    }
    with _running([*ONBOARDING, "management"], settings, port, folder / "management.log") as server:
        yield server


@contextmanager
def _bare(database_url: str, workers: int, threads: int, folder: Path) -> Iterator[Server]:
    port = free_port()
    arguments = [
        *(sys.executable, "-m", "gunicorn", "--worker-class", "gthread"),
        *("--workers", str(workers), "--threads", str(threads), "--keep-alive", "30"),
        *("--bind", f"127.0.0.1:{port}", "--no-control-socket"),
        "loadtests.benchmarks.management.baseline_service:application()",
    ]
    settings = {"BARE_DATABASE_URL": database_url, "BARE_POOL_SIZE": str(threads)}
    with _running(arguments, settings, port, folder / "bare.log") as server:
        yield server


@contextmanager
def _running(arguments: Sequence[str], settings: Mapping[str, str], port: int, log: Path) -> Iterator[Server]:
    with running(arguments, settings, log) as process:
        wait_until(lambda: is_responding(port), process, log)
        yield Server(port, process.pid)
