"""Readers that resolve continuously, each over a connection to one worker, and check every response."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException

from common.wire.snapshot import Snapshot
from tests.support.background import in_background
from tests.support.data.snapshots import a_default_flow, a_snapshot, next_revision, sdk_headers
from tests.support.servers.edge_process import StartedEdge

_PAUSE_SECONDS = 0.002
_MAX_ERRORS = 20
_DEVICE = b'{"deviceId": "phone"}'
_PATH = "/api/onboarding/resolve"


def a_numbered_snapshot(revision: int = 1, **fields: object) -> Snapshot:
    """Return a project whose response names its revision, so that header and body can be compared."""
    return a_snapshot(revision=revision, default=a_default_flow(f"flow_{revision}"), **fields)


def numbered_revision(snapshot: Snapshot, revision: int) -> Snapshot:
    """Return the project at another revision."""
    return next_revision(snapshot, revision=revision, default=a_default_flow(f"flow_{revision}"))


@dataclass(slots=True)
class ReaderLog:
    """The responses of a reader.

    `unreached` counts requests without a response: clients of a restarted edge retry.
    """

    right: int = 0
    unreached: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)
    #: The newest revision of each project on the connection that is in use.
    latest: dict[str, int] = field(default_factory=dict)

    def add_wrong(self, message: str) -> None:
        """Add a wrong response."""
        if len(self.wrong) < _MAX_ERRORS:
            self.wrong.append(message)


class RevisionReaders:
    """The responses of all readers, while they read."""

    def __init__(self, snapshots: Sequence[Snapshot], readers: int) -> None:
        self._snapshots = snapshots
        self._logs = [ReaderLog() for _ in range(readers)]

    @property
    def right(self) -> int:
        """The number of correct responses."""
        return sum(log.right for log in self._logs)

    @property
    def unreached(self) -> int:
        """The number of requests without a response."""
        return sum(log.unreached for log in self._logs)

    @property
    def wrong(self) -> list[str]:
        """The first wrong responses: errors, older than one before, header and body of two revisions."""
        return [message for log in self._logs for message in log.wrong]

    @property
    def slowest(self) -> float:
        """The seconds of the slowest response."""
        return max(log.slowest for log in self._logs)

    def all_serve(self, revision: int) -> bool:
        """Return whether the last response of every project has that revision at every reader."""
        wanted = {snapshot.project_id: revision for snapshot in self._snapshots}
        return all(log.latest == wanted for log in self._logs)

    def read(self, reader: int, connection: HTTPConnection, stop: threading.Event) -> None:
        """Read over a connection until the stop."""
        number = 0
        with contextlib.closing(connection):
            while not stop.wait(_PAUSE_SECONDS):
                number += 1
                _resolve(connection, self._snapshots[number % len(self._snapshots)], self._logs[reader])


@contextmanager
def revision_readers(
    edge: StartedEdge, snapshots: Sequence[Snapshot], *, of_each_worker: int = 2
) -> Iterator[RevisionReaders]:
    """Read the projects from every worker until the block ends."""
    connections = edge.connections(of_each_worker)
    readers = RevisionReaders(snapshots, len(connections))
    works = [partial(readers.read, number, connection) for number, connection in enumerate(connections)]
    with in_background(threading.Event(), *works):
        yield readers


def _resolve(connection: HTTPConnection, snapshot: Snapshot, log: ReaderLog) -> None:
    if connection.sock is None:
        # A new connection may be to another worker.
        log.latest = {}
    started = time.monotonic()
    try:
        connection.request("POST", _PATH, _DEVICE, {**sdk_headers(snapshot), "Content-Type": "application/json"})
        response = connection.getresponse()
        body = response.read()
    except (OSError, HTTPException):
        log.unreached += 1
        connection.close()
        return
    log.slowest = max(log.slowest, time.monotonic() - started)
    if response.status != 200:
        log.add_wrong(f"{response.status} {body[:200]!r}")
        return
    revision = int(response.headers["X-Config-Version"])
    before = log.latest.get(snapshot.project_id, 0)
    if json.loads(body)["flowId"] != f"flow_{revision}":
        log.add_wrong(f"the header has {revision}, the body {body[:200]!r}")
    elif revision < before:
        log.add_wrong(f"{revision} after {before}")
    else:
        log.right += 1
        log.latest[snapshot.project_id] = revision
