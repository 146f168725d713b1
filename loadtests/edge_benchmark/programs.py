"""The programs of the benchmark, started by their commands: the local stack, one more edge, the bare servers."""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from loadtests.edge_benchmark.ports import free_port
from loadtests.running_programs import ONBOARDING, is_answering, random_key, running, running_redis, wait_until

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
        redis_url, _ = stack.enter_context(running_redis(folder))
        settings = {
            "ONBOARDING_REDIS_URL": redis_url,
            "ONBOARDING_STATE_DIR": str(folder / "state"),
            "ONBOARDING_ASSIGNMENT_KEYS": random_key(),
            "ONBOARDING_RATE_LIMIT_SECRET_KEY": _PLENTY,
            "ONBOARDING_LOG_LEVEL": "warning",
            "MANAGEMENT_PORT": str(management_port),
            "ONBOARDING_RATE_LIMIT_API_KEY": _PLENTY,
        }
        port, other_port = free_port(), free_port()
        own = {**settings, "EDGE_PORT": str(port), "ONBOARDING_EDGE_DOOR": "protocol"}
        process = stack.enter_context(running([*ONBOARDING, "up"], own, folder / "stack.log"))
        demo_file = folder / "state" / "demo.json"
        wait_until(demo_file.exists, process, folder / "stack.log")
        demo = json.loads(demo_file.read_text())
        edge = json.loads((folder / "state" / "processes.json").read_text())["edge"]
        other = {**settings, "EDGE_PORT": str(other_port), "ONBOARDING_EDGE_DOOR": "asgi"}
        other_edge = stack.enter_context(running([*ONBOARDING, "edge"], other, folder / "edge.log"))
        wait_until(lambda: is_answering(other_port), other_edge, folder / "edge.log")
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
            process = stack.enter_context(running(arguments, {"ANSWERS": json.dumps(answers)}, log))
            wait_until(partial(is_answering, port), process, log)
            servers[kind] = Server(port, process.pid)
        yield servers
