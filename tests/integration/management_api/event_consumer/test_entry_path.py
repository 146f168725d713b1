"""The files that an event entry passes are those that docs/architecture.md lists, in the same order."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import redis

from common.wire.redis_keys import event_streams
from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from tests.integration.management_api.event_consumer.running_consumer import running, stored, waiting
from tests.integration.management_api.event_consumer.stream_records import an_event, send
from tests.support.polling import eventually

ROOT = Path(__file__).parents[4]
#: Connections, digests and the record format, which every part of the product shares, are not in the list.
FOLDERS = ("management_api/event_consumer/", "management_api/rollups/")
#: Any worker, also of a stream without an entry, reports metrics and asks whether its consumer group is new.
BESIDE_ENTRIES = {"management_api/event_consumer/metrics.py", "management_api/event_consumer/known_streams.py"}
FIRST = "management_api/event_consumer/stream.py"
MAX_FILES = 9


class FileTrace:
    """Records files of the product whose functions stream workers call while they move an entry."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.is_recording = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Trace the threads that start within the block."""
        threading.setprofile(self._record)
        try:
            yield
        finally:
            threading.setprofile(None)

    def _record(self, frame: FrameType, event: str, _argument: object) -> None:
        if not threading.current_thread().name.endswith("(_run_worker)"):
            sys.setprofile(None)
        elif self.is_recording and event == "call":
            file = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
            # A worker may wait for entries, or be between two waits, when the recording begins.
            is_first = bool(self.files) or file == FIRST
            if is_first and file.startswith(FOLDERS) and file not in (*self.files, *BESIDE_ENTRIES):
                self.files.append(file)


def test_entry_passes_the_listed_files_in_order(
    settings: ConsumerSettings, database: Database, project_id: str, redis_client: redis.Redis
) -> None:
    trace = FileTrace()
    with trace.installed(), running(settings):
        send(redis_client, [an_event(project_id)])
        eventually(lambda: waiting(redis_client) == 0)
        eventually(lambda: stored(database, "event_streams") == len(event_streams()))
        trace.is_recording = True
        send(redis_client, [an_event(project_id, device_id="new")])
        eventually(lambda: waiting(redis_client) == 0)
        trace.is_recording = False
    document = (ROOT / "docs/architecture.md").read_text()
    section = document.split("### The path of an event entry\n", 1)[1].split("\n##", 1)[0]
    listed = re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)
    assert trace.files == listed
    assert len(listed) <= MAX_FILES
