"""A clock that a test moves for other processes: the system's time plus an offset in a file.

`PROGRAM` is an edge whose rate limits use that clock.
"""

import os
import struct
import time
from pathlib import Path

from starlette.types import ASGIApp

from common.logging import configure_logging
from common.rate_limit.limiter import WINDOW_SECONDS
from common.settings.sources import read_settings
from edge_api.app import Edge, create_app
from edge_api.main import serve_application
from edge_api.settings import EdgeSettings

#: The environment variable that names the file.
FILE = "MOVED_CLOCK_FILE"
_OFFSET = struct.Struct("d")
#: So far in the future that no key of a test expires before it.
_FIRST_HOUR = 4_000_000_000 // WINDOW_SECONDS * WINDOW_SECONDS
#: A program for `StartedEdge`.
PROGRAM = "from tests.support.faults.moved_clock import serve; serve()"


class MovedClock:
    """The system's time plus the offset. A move takes effect at once in every process with the file."""

    def __init__(self, file: Path) -> None:
        self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)

    def __call__(self) -> float:
        """Return the Unix time."""
        content = os.pread(self._descriptor, _OFFSET.size, 0)
        return time.time() + float(_OFFSET.unpack(content)[0])

    def start(self) -> None:
        """Move to the beginning of an hour."""
        self._move_to(_FIRST_HOUR + 1)

    def move_to_end_of_hour(self) -> None:
        """Move to one second before the next hour."""
        self._move_to(self.window_end - 1)

    @property
    def window_end(self) -> int:
        """The Unix time at which the hour ends."""
        return (int(self()) // WINDOW_SECONDS + 1) * WINDOW_SECONDS

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _move_to(self, at: float) -> None:
        os.pwrite(self._descriptor, _OFFSET.pack(at - time.time()), 0)


def serve() -> None:
    """Serve as the edge does."""
    settings = read_settings(EdgeSettings)
    configure_logging(settings, "edge")
    serve_application(settings, make_application)


def make_application(settings: EdgeSettings) -> ASGIApp:
    """Return the application of one worker."""
    return create_app(Edge(settings, MovedClock(Path(os.environ[FILE]))))
