"""The files that requests pass are those that docs/architecture.md lists, in the same order."""

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.raw_connection import RawConnection, raw_connection, raw_request
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.snapshots import sdk_headers

ROOT = Path(__file__).parents[3]
RECEIVE = "LimitedHttpProtocol.data_received"
COMMIT = "GroupCommit.run"
SEND = "StreamConnection.send"
#: Files that the list of an event omits: those that admit the request, and its response, encoded before the wait.
ELSEWHERE = {
    "edge_api/http/protocol.py",
    "edge_api/snapshots/cache.py",
    "common/rate_limit/limiter.py",
    "edge_api/api/response.py",
    "edge_api/http/responses.py",
}


class PathTrace:
    """Records the files whose functions are called below some functions, in the threads that start meanwhile."""

    def __init__(self, *roots: str, until: str | None = None) -> None:
        self.files: list[str] = []
        self.is_recording = False
        self._roots = roots
        self._until = until
        self._depth = 0

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Trace the threads that start within the block."""
        threading.setprofile(self._record)
        try:
            yield
        finally:
            threading.setprofile(None)

    def _record(self, frame: FrameType, event: str, _argument: object) -> None:
        if not self.is_recording or event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_qualname in self._roots:
            self._depth += 1 if event == "call" else -1
        if event == "call" and self._depth > 0:
            file = code.co_filename.removeprefix(f"{ROOT}/")
            if file.startswith(("edge_api/", "common/")) and file not in self.files:
                self.files.append(file)
        elif event == "return" and code.co_qualname == self._until:
            self.is_recording = False


def listed_files(heading: str) -> list[str]:
    """Return the files of the numbered list below a heading of the document."""
    document = (ROOT / "docs/architecture.md").read_text()
    section = document.split(f"### {heading}\n", 1)[1].split("\n###", 1)[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)


@contextmanager
def traced_edge(redis_url: str, trace: PathTrace) -> Iterator[RawConnection]:
    """Return a connection to an edge whose thread is traced."""
    with ExitStack() as stack:
        with trace.installed():
            client = stack.enter_context(running_edge(edge_settings(redis_url, edge_http="fast")))
        yield stack.enter_context(raw_connection(client))


def send_traced(connection: RawConnection, trace: PathTrace, request: bytes) -> None:
    """Trace a request that finds everything in memory, because it was sent twice before."""
    for is_recording in (False, False, True):
        trace.is_recording = is_recording
        connection.send(request)
        assert connection.response().status in (200, 201)
    trace.is_recording = False


def test_resolve_passes_the_listed_files(redis_url: str, snapshot: Snapshot) -> None:
    trace = PathTrace(RECEIVE)
    body = b'{"deviceId": "device-1", "platform": "ios"}'
    with traced_edge(redis_url, trace) as connection:
        send_traced(connection, trace, raw_request("POST", "/api/onboarding/resolve", sdk_headers(snapshot), body))
    assert trace.files == listed_files("The path of a resolve")
    assert len(trace.files) <= 10


def test_event_passes_the_listed_files(redis_url: str, snapshot: Snapshot) -> None:
    trace = PathTrace(RECEIVE, COMMIT, until=SEND)
    body = b'{"eventType": "flow_started", "deviceId": "device-1", "eventId": "event-1"}'
    with traced_edge(redis_url, trace) as connection:
        send_traced(connection, trace, raw_request("POST", "/api/analytics/event", sdk_headers(snapshot), body))
    listed = listed_files("The path of an event")
    assert [file for file in trace.files if file not in ELSEWHERE] == listed
    assert len(listed) <= 9
