"""Readers who resolve without pause, each over a connection to one worker, and check every answer they get."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException

from common.wire.snapshot import Snapshot
from tests.snapshots import a_default_flow, a_snapshot, next_revision, sdk_headers
from tests.started_edge import StartedEdge

_PAUSE_SECONDS = 0.002
_MOST_COMPLAINTS = 20
_DEVICE = b'{"deviceId": "phone"}'
_PATH = "/api/onboarding/resolve"


def a_numbered_snapshot(revision: int = 1, **fields: object) -> Snapshot:
    """Give a project whose answer says of which revision it is, so that header and body can be compared."""
    return a_snapshot(revision=revision, default=a_default_flow(f"flow_{revision}"), **fields)


def numbered_revision(snapshot: Snapshot, revision: int) -> Snapshot:
    """Give that project at another revision."""
    return next_revision(snapshot, revision=revision, default=a_default_flow(f"flow_{revision}"))


@dataclass(slots=True)
class Notes:
    """What one reader has seen.

    `unreached` counts requests that no answer came to: where an edge is restarted, its clients try again.
    """

    right: int = 0
    unreached: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)
    #: The newest revision of each project on the connection that is in use.
    latest: dict[str, int] = field(default_factory=dict)

    def complain(self, complaint: str) -> None:
        """Note a wrong answer."""
        if len(self.wrong) < _MOST_COMPLAINTS:
            self.wrong.append(complaint)


class RevisionReaders:
    """What all readers have seen, while they read."""

    def __init__(self, connections: Sequence[HTTPConnection], snapshots: Sequence[Snapshot]) -> None:
        self._snapshots = snapshots
        self._over = threading.Event()
        self._notes = [Notes() for _ in connections]
        self._threads = [
            threading.Thread(target=self._read, args=(connection, notes), name="reader")
            for connection, notes in zip(connections, self._notes, strict=True)
        ]

    @property
    def right(self) -> int:
        """How many answers were right."""
        return sum(notes.right for notes in self._notes)

    @property
    def unreached(self) -> int:
        """How many requests got no answer."""
        return sum(notes.unreached for notes in self._notes)

    @property
    def wrong(self) -> list[str]:
        """The first answers that were not right: errors, older than one before, head and body of two revisions."""
        return [complaint for notes in self._notes for complaint in notes.wrong]

    @property
    def slowest(self) -> float:
        """The seconds that the slowest answer took."""
        return max(notes.slowest for notes in self._notes)

    def all_serve(self, revision: int) -> bool:
        """Tell whether every reader was last given that revision of every project."""
        wanted = {snapshot.project_id: revision for snapshot in self._snapshots}
        return all(notes.latest == wanted for notes in self._notes)

    def begin(self) -> None:
        """Start to read."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Stop to read."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _read(self, connection: HTTPConnection, notes: Notes) -> None:
        number = 0
        with contextlib.closing(connection):
            while not self._over.wait(_PAUSE_SECONDS):
                number += 1
                _ask(connection, self._snapshots[number % len(self._snapshots)], notes)


@contextmanager
def revision_readers(
    edge: StartedEdge, snapshots: Sequence[Snapshot], *, of_each_worker: int = 2
) -> Iterator[RevisionReaders]:
    """Read those projects from every worker for the length of the block."""
    readers = RevisionReaders(edge.connections(of_each_worker), snapshots)
    readers.begin()
    try:
        yield readers
    finally:
        readers.end()


def _ask(connection: HTTPConnection, snapshot: Snapshot, notes: Notes) -> None:
    if connection.sock is None:
        # Another connection may be another worker's.
        notes.latest = {}
    begun = time.monotonic()
    try:
        connection.request("POST", _PATH, _DEVICE, {**sdk_headers(snapshot), "Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, HTTPException):
        notes.unreached += 1
        connection.close()
        return
    notes.slowest = max(notes.slowest, time.monotonic() - begun)
    if answer.status != 200:
        notes.complain(f"{answer.status} {body[:200]!r}")
        return
    revision = int(answer.headers["X-Config-Version"])
    before = notes.latest.get(snapshot.project_id, 0)
    if json.loads(body)["flowId"] != f"flow_{revision}":
        notes.complain(f"the head says {revision}, the body {body[:200]!r}")
    elif revision < before:
        notes.complain(f"{revision} after {before}")
    else:
        notes.right += 1
        notes.latest[snapshot.project_id] = revision
