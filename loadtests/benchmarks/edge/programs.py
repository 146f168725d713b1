"""The programs of the benchmark, started by their commands: the local stack, more edges on it, bare servers."""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loadtests.benchmarks.edge.languages import add_project_with_languages, is_served
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

#: More edges, by name, with the settings in which they differ from that of the stack.
_VARIANTS: Mapping[str, Mapping[str, str]] = {
    "asgi": {"ONBOARDING_EDGE_HTTP": "asgi"},
    "addresses": {"ONBOARDING_TRUSTED_PROXIES": "127.0.0.1"},
    "first requests": {"ONBOARDING_TRUSTED_PROXIES": "127.0.0.1", "ONBOARDING_RATE_LIMIT_PER_SECRET_KEY": "1000"},
}
#: Counted like any other limit, but never reached.
_HIGH_LIMIT = "1000000000"


@dataclass(frozen=True, slots=True)
class Stack:
    """The edge, more edges with other settings by name, and the demo project with its key."""

    edge: Server
    variants: Mapping[str, Server]
    project_id: str
    secret_key: str = field(repr=False)
    #: The id and the key of a project with ten languages.
    languages: tuple[str, str] = field(repr=False)


@contextmanager
def running_stack(settings: Mapping[str, str] | None = None, *, with_variants: bool = False) -> Iterator[Stack]:
    """Run Redis and the whole local stack with these settings, and more edges with `with_variants`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="edge-benchmark-")))
        port = free_port()
        redis_url, _ = stack.enter_context(running_redis(folder))
        settings = {
            **(settings or {}),
            "ONBOARDING_REDIS_URL": redis_url,
            "ONBOARDING_STATE_DIR": str(folder / "state"),
            "ONBOARDING_ASSIGNMENT_KEYS": random_key(),
            "ONBOARDING_RATE_LIMIT_PER_SECRET_KEY": _HIGH_LIMIT,
            "ONBOARDING_RATE_LIMIT_PER_API_KEY": _HIGH_LIMIT,
            "ONBOARDING_LOG_LEVEL": "warning",
            "MANAGEMENT_PORT": str(free_port()),
        }
        log = folder / "stack.log"
        process = stack.enter_context(running([*ONBOARDING, "up"], {**settings, "EDGE_PORT": str(port)}, log))
        demo_file = folder / "state" / "demo.json"
        wait_until(demo_file.exists, process, log)
        demo = json.loads(demo_file.read_text())
        edge = Server(port, json.loads((folder / "state" / "processes.json").read_text())["edge"])
        variants = {
            name: stack.enter_context(_running_edge({**settings, **own}, folder / f"{name}.log"))
            for name, own in (_VARIANTS.items() if with_variants else ())
        }
        languages = add_project_with_languages(demo["management_url"], demo["api_key"])
        headers = {"X-Project-Id": languages[0], "X-Secret-Key": languages[1], "Content-Type": "application/json"}
        wait_until(lambda: is_served(port, headers, '{"deviceId": "first"}'), process, log)
        yield Stack(edge, variants, demo["project_id"], demo["secret_key"], languages)


@contextmanager
def running_bare_servers(responses: Mapping[str, tuple[int, int]]) -> Iterator[dict[str, Server]]:
    """Run a bare server for each response, given by its status and its length."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="edge-benchmark-")))
        log = folder / "bare.log"
        started = {}
        for name, (status, length) in responses.items():
            port = free_port()
            arguments = [
                *(sys.executable, "-m", "uvicorn", "loadtests.benchmarks.edge.bare_server:bare", "--factory"),
                *("--port", str(port), "--loop", "uvloop", "--http", "httptools", "--lifespan", "off"),
                *("--no-access-log", "--log-level", "warning", "--no-server-header"),
            ]
            settings = {"STATUS": str(status), "LENGTH": str(length)}
            started[name] = port, stack.enter_context(running(arguments, settings, log))
        for port, process in started.values():
            wait_until(lambda port=port: is_responding(port), process, log)  # type: ignore[misc]  # bound now
        yield {name: Server(port, process.pid) for name, (port, process) in started.items()}


@contextmanager
def _running_edge(settings: Mapping[str, str], log: Path) -> Iterator[Server]:
    port = free_port()
    with running([*ONBOARDING, "edge"], {**settings, "EDGE_PORT": str(port)}, log) as process:
        wait_until(lambda: is_responding(port), process, log)
        yield Server(port, process.pid)
