"""The programs of the benchmark, started by their commands and used over sockets."""

import base64
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

_ONBOARDING = (sys.executable, "-P", "-m", "cli.main")
_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
ISSUER = "https://benchmark.example"
AUDIENCE = "benchmark"


@dataclass(frozen=True, slots=True)
class Server:
    """A running server under test."""

    port: int
    process: int


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
        if not database_url:
            database_url = stack.enter_context(_postgresql(folder))
        database = {"ONBOARDING_DATABASE_URL": database_url}
        subprocess.run([*_ONBOARDING, "migrate"], env=_environment(database), check=True)
        management = stack.enter_context(_management(database, token_secret, workers, threads, folder))
        bare = stack.enter_context(_bare(database_url, workers, threads, folder))
        yield Programs(database_url, management, bare, token_secret)


@contextmanager
def _postgresql(folder: Path) -> Iterator[str]:
    state = {"ONBOARDING_STATE_DIR": str(folder / "state")}
    with _running([*_ONBOARDING, "postgresql"], state, folder / "postgresql.log", subprocess.PIPE) as process:
        if process.stdout is None:
            raise RuntimeError("PostgreSQL was started without a pipe")
        for line in process.stdout:
            if line.startswith("postgresql://"):
                yield line.strip()
                return
        raise RuntimeError("PostgreSQL did not start")


@contextmanager
def _management(
    database: dict[str, str], token_secret: str, workers: int, threads: int, folder: Path
) -> Iterator[Server]:
    port = _free_port()
    settings = {
        **database,
        "MANAGEMENT_PORT": str(port),
        "ONBOARDING_MANAGEMENT_WORKERS": str(workers),
        "ONBOARDING_MANAGEMENT_THREADS": str(threads),
        "ONBOARDING_DATABASE_POOL_SIZE": str(threads),
        "ONBOARDING_MASTER_KEY": base64.b64encode(secrets.token_bytes(32)).decode(),
        "ONBOARDING_ASSIGNMENT_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
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
    with _running([*_ONBOARDING, "management"], settings, folder / "management.log") as process:
        _await(f"http://127.0.0.1:{port}/health/ready", process)
        yield Server(port, process.pid)


@contextmanager
def _bare(database_url: str, workers: int, threads: int, folder: Path) -> Iterator[Server]:
    port = _free_port()
    arguments = [
        *(sys.executable, "-m", "gunicorn", "--worker-class", "gthread"),
        *("--workers", str(workers), "--threads", str(threads), "--keep-alive", "30"),
        *("--bind", f"127.0.0.1:{port}", "--no-control-socket"),
        "loadtests.benchmarks.management.baseline_service:application()",
    ]
    settings = {"BARE_DATABASE_URL": database_url, "BARE_POOL_SIZE": str(threads)}
    with _running(arguments, settings, folder / "bare.log") as process:
        _await(f"http://127.0.0.1:{port}/health", process)
        yield Server(port, process.pid)


@contextmanager
def _running(
    arguments: list[str], settings: dict[str, str], log_file: Path, stdout: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a program with its log in a file."""
    with log_file.open("ab") as log:
        process = subprocess.Popen(arguments, env=_environment(settings), stdout=stdout or log, stderr=log, text=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _environment(settings: dict[str, str]) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("ONBOARDING_")}
    return {**own, "PYTHONPATH": os.getcwd(), **settings}  # noqa: PTH109 - as the shell has it


def _await(url: str, process: subprocess.Popen[str]) -> None:
    """Wait until the service responds with any status."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - http on the loopback
                return
        except URLError as error:
            if getattr(error, "code", None) == 404:  # noqa: PLR2004 - the bare service has no health
                return
        time.sleep(0.05)
    raise RuntimeError(f"no response from {' '.join(map(str, process.args))}")  # type: ignore[arg-type] # a list here


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
