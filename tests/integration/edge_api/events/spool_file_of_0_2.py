"""A spool file as release 0.2.0 left it."""

import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from common.wire.stream_records import EventRecord, encode_record

_TABLE = """
    CREATE TABLE writes (
        id INTEGER PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL, spooled_at_ms INTEGER NOT NULL,
        records INTEGER NOT NULL
    )
"""


def write_spool_file_of_0_2(folder: Path, event_ids: Mapping[str, list[str]]) -> None:
    """Write a file with one request for each project, which has events with these ids, each of another device."""
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "01795000000000000000-0123456789abcdef.sqlite")) as connection, connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(_TABLE)
        for row_id, (project_id, ids) in enumerate(event_ids.items(), 1):
            records = [EventRecord(project_id, one, "flow_started", f"device of {one}", 1, 1) for one in ids]
            payload = msgspec.msgpack.encode((project_id, [encode_record(record) for record in records]))
            row = (row_id, payload, zlib.crc32(payload), 1_795_000_000_000, len(ids))
            connection.execute("INSERT INTO writes VALUES (?, ?, ?, ?, ?)", row)
