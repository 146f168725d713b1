"""The programs of the benchmark: Redis with a project, and an edge for each way to store."""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loadtests.benchmarks.edge.cases import CLIENTS, event_case
from loadtests.measurement.client_headers import client_headers
from loadtests.measurement.programs import (
    ONBOARDING,
    Server,
    free_port,
    is_responding,
    random_key,
    running,
    running_redis,
    wait_until,
)

#: Counted like any other limit, but never reached.
_HIGH_LIMIT = "1000000000"
_VARIANT = (sys.executable, "-P", "-m", "loadtests.benchmarks.events.edge_variants")
#: The command of each edge, by name. The variants are no settings of the product.
_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "at-once": (*_VARIANT, "at-once"),
    "durable": (*ONBOARDING, "edge"),
    "each": (*_VARIANT, "each"),
}


@dataclass(frozen=True, slots=True)
class Edges:
    """All edges by name, the Redis that they write to, the requests that they get, and the folder of Redis."""

    servers: Mapping[str, Server]
    redis: Server
    requests: Sequence[bytes] = field(repr=False)
    #: The folder of the file of Redis.
    folder: Path


@contextmanager
def running_edges(below: Path | None = None) -> Iterator[Edges]:
    """Run all edges on one Redis; the stack that makes the project ends first, so that nothing reads the streams.

    `below` is the folder for all files, that of the system for temporary files if None.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ingestion-benchmark-", dir=below)))
        url, redis = stack.enter_context(running_redis(folder))
        settings = {
            "ONBOARDING_REDIS_URL": url,
            "ONBOARDING_ASSIGNMENT_KEYS": random_key(),
            "ONBOARDING_RATE_LIMIT_PER_SECRET_KEY": _HIGH_LIMIT,
            "ONBOARDING_LOG_LEVEL": "warning",
        }
        demo = _demo_project(folder, settings)
        servers: dict[str, Server] = {}
        for name, command in _COMMANDS.items():
            port, log = free_port(), folder / f"{name}.log"
            own = {**settings, "EDGE_PORT": str(port), "ONBOARDING_EDGE_SPOOL_FOLDER": str(folder / "spool")}
            process = stack.enter_context(running(command, own, log))
            wait_until(lambda port=port: is_responding(port), process, log)  # type: ignore[misc]  # bound now
            servers[name] = Server(port, process.pid)
        requests = event_case(demo["project_id"], demo["secret_key"]).requests(client_headers(CLIENTS))
        yield Edges(servers, Server(int(url.rsplit(":", 1)[1].split("/")[0]), redis.pid), requests, folder)


def _demo_project(folder: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Run a local stack until it has published its demo project."""
    state, log = folder / "state", folder / "stack.log"
    ports = {"EDGE_PORT": str(free_port()), "MANAGEMENT_PORT": str(free_port())}
    with running((*ONBOARDING, "up"), {**settings, **ports, "ONBOARDING_STATE_DIR": str(state)}, log) as process:
        wait_until((state / "demo.json").exists, process, log)
    return dict(json.loads((state / "demo.json").read_text()))
