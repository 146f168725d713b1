"""The database of copies: sound copies only, never an older one, bounded, shared by workers."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from common.ids import IdPrefix, new_id
from common.wire.snapshot import encode_snapshot
from edge_api.snapshots.disk_database import DISK_ERRORS
from edge_api.snapshots.disk_store import DATABASE_NAME, Copy, DiskStore
from edge_api.snapshots.redis_source import StreamPoint
from tests.support.data.disk_snapshots import change_body, copied_revisions
from tests.support.data.snapshots import a_snapshot
from tests.support.full_disk import files_up_to

PROJECT = new_id(IdPrefix.PROJECT)
MEBIBYTE = 1024 * 1024
LARGE = b"x" * 100_000

#: As the release before has created it.
FORMER_SCHEMA = """
CREATE TABLE copies (
    project_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    used_at REAL NOT NULL,
    absent_since REAL,
    checksum BLOB NOT NULL,
    body BLOB
);
CREATE INDEX copies_by_use ON copies (used_at) WHERE body IS NOT NULL;
CREATE TABLE sync (id INTEGER PRIMARY KEY CHECK (id = 1), synced_at REAL NOT NULL);
INSERT INTO copies VALUES ('proj_a', 7, 0, NULL, x'', x'01');
INSERT INTO sync VALUES (1, 1000.5);
PRAGMA user_version = 1;
"""

#: Writes ever newer revisions of a large snapshot and prints them, until it is killed.
ENDLESS_WRITER = """
import sys
from collections.abc import Iterator
from pathlib import Path
from edge_api.snapshots.disk_store import Copy, DiskStore
store = DiskStore(Path(sys.argv[1]), 100_000_000)
store.record_uses([sys.argv[2]])
for revision in range(int(sys.argv[3]), sys.maxsize):
    store.write({sys.argv[2]: Copy(revision, b"%d " % revision * 50_000)})
    print(revision, flush=True)
"""

#: Opens the store, writes revisions of 20 projects, and prints an error.
BUSY_WRITER = """
import sys
from collections.abc import Iterator
from pathlib import Path
from edge_api.snapshots.disk_database import DISK_ERRORS
from edge_api.snapshots.disk_store import Copy, DiskStore
store = DiskStore(Path(sys.argv[1]), 100_000_000)
try:
    store.open()
    for revision in range(1, 51):
        store.record_uses(f"proj_{number}" for number in range(20))
        store.write({f"proj_{number}": Copy(revision, b"%d" % revision * 1_000) for number in range(20)})
except DISK_ERRORS as error:
    print(repr(error))
"""


#: Python 3.13 warns of databases that are not closed.
_STORES: list[DiskStore] = []


@pytest.fixture(autouse=True)
def _close_stores() -> Iterator[None]:
    yield
    while _STORES:
        _STORES.pop().close()


def a_store(path: Path, limit_bytes: int = 64 * MEBIBYTE) -> DiskStore:
    """Return an open store, as another worker would open it."""
    store = DiskStore(path / "copies", limit_bytes)
    store.open()
    _STORES.append(store)
    return store


def write(store: DiskStore, revision: int, body: bytes, project_id: str = PROJECT) -> None:
    store.record_uses([project_id])
    store.write({project_id: Copy(revision, body)})


def body_of(store: DiskStore, project_id: str = PROJECT) -> bytes | None:
    copy = store.read(project_id)
    return None if copy is None else copy.body


def test_copy_is_read_by_every_worker(tmp_path: Path) -> None:
    write(a_store(tmp_path), 1, b"one")
    other = a_store(tmp_path)
    assert other.read(PROJECT) == (1, b"one")
    assert other.revisions([PROJECT, "proj_other"]) == {PROJECT: 1}


def test_older_revision_does_not_replace_a_newer_one(tmp_path: Path) -> None:
    write(a_store(tmp_path), 5, b"five")
    write(a_store(tmp_path), 4, b"four")
    assert body_of(a_store(tmp_path)) == b"five"


def test_same_revision_in_another_format_replaces_the_copy(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"old format")
    write(store, 5, b"new format")
    assert body_of(store) == b"new format"


def test_tombstone_removes_the_copy_and_keeps_older_ones_out(tmp_path: Path) -> None:
    store, other = a_store(tmp_path), a_store(tmp_path)
    write(store, 1, b"one")
    other.write({PROJECT: Copy(2, None)})
    write(store, 1, b"one")
    assert store.read(PROJECT) == (2, None)


def test_files_are_readable_by_the_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir(mode=0o755)
    store = a_store(tmp_path)
    write(store, 1, b"one")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "copies").iterdir()}
    assert modes == {DATABASE_NAME + suffix: 0o600 for suffix in ("", "-wal", "-shm")}
    assert stat.S_IMODE((tmp_path / "copies").stat().st_mode) == 0o700


def test_store_with_a_sound_copy_can_be_served(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    assert not store.has_sound_copy()
    snapshot = a_snapshot()
    write(store, 1, b"a body that cannot be decoded")
    assert not store.has_sound_copy()
    write(store, 1, encode_snapshot(snapshot), snapshot.project_id)
    assert store.has_sound_copy()
    change_body(tmp_path / "copies", snapshot.project_id, encode_snapshot(snapshot) + b"?")
    assert not store.has_sound_copy()


@pytest.mark.parametrize("changed", [b"oNe", b"", b"on", b"one "])
def test_damaged_body_is_not_read_and_is_replaced_by_any_revision(tmp_path: Path, changed: bytes) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"one")
    change_body(tmp_path / "copies", PROJECT, changed)
    assert (store.read(PROJECT), store.damaged) == (None, 1)
    assert store.revisions([PROJECT]) == {PROJECT: 0}
    write(store, 4, b"four")
    assert body_of(store) == b"four"


def test_body_of_another_project_or_revision_is_damaged(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"body")
    with closing(sqlite3.connect(tmp_path / "copies" / DATABASE_NAME)) as connection, connection:
        connection.execute("UPDATE copies SET revision = 6")
    assert store.read(PROJECT) is None


def test_least_recently_used_copies_are_evicted_when_the_store_is_full(tmp_path: Path) -> None:
    store, other = a_store(tmp_path, 4 * MEBIBYTE), a_store(tmp_path, 4 * MEBIBYTE)
    ids = [f"proj_{number:03}" for number in range(60)]
    for number, project_id in enumerate(ids[:36]):
        write((store, other)[number % 2], 1, LARGE, project_id)
    store.record_uses(ids[:2])
    for project_id in ids[36:44]:
        write(other, 1, LARGE, project_id)
    left = store.revisions(ids)
    assert set(ids[:2]) | set(ids[36:44]) <= left.keys()
    assert ids[2] not in left


@pytest.mark.parametrize("workers", [1, 3])
def test_database_never_exceeds_its_limit(tmp_path: Path, workers: int) -> None:
    stores = [a_store(tmp_path, 2 * MEBIBYTE) for _ in range(workers)]
    for number in range(120):
        write(stores[number % workers], 1, b"x" * (number * 1_500), f"proj_{number}")
        assert (tmp_path / "copies" / DATABASE_NAME).stat().st_size <= 2 * MEBIBYTE
    copied = [project_id for project_id, revision in stores[0].revisions_after("", 1000).items() if revision]
    stores[0].verify(copied)
    assert len(copied) > 5
    assert stores[0].damaged == 0


def test_snapshot_larger_than_the_store_leaves_no_older_copy(tmp_path: Path) -> None:
    store = a_store(tmp_path, MEBIBYTE)
    write(store, 1, b"one")
    write(store, 2, b"x" * MEBIBYTE)
    assert store.revisions([PROJECT]) == {}


@pytest.mark.slow
def test_processes_create_and_write_the_database_at_the_same_time(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", BUSY_WRITER, str(tmp_path / "copies")]
    writers = [
        subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own program
        for _ in range(4)
    ]
    assert [(writer.communicate(timeout=60)[0], writer.returncode) for writer in writers] == [("", 0)] * 4
    store = a_store(tmp_path)
    copied = store.revisions_after("", 100)
    assert copied == {f"proj_{number}": 50 for number in range(20)}
    store.verify(copied)
    assert store.damaged == 0


@pytest.mark.parametrize("content", [b"\xff" * 10_000, b"SQLite format 3\0" + b"\0" * 5_000, b""])
def test_damaged_database_is_created_again(tmp_path: Path, content: bytes) -> None:
    former = a_store(tmp_path)
    write(former, 1, b"one")
    former.close()
    (tmp_path / "copies" / DATABASE_NAME).write_bytes(content)
    store = a_store(tmp_path)
    assert store.revisions([PROJECT]) == {}
    write(store, 1, b"one")
    assert body_of(a_store(tmp_path)) == b"one"


def test_database_damaged_in_use_is_created_again_by_all_workers(tmp_path: Path) -> None:
    stores = [a_store(tmp_path) for _ in range(2)]
    for number in range(20):
        write(stores[0], 1, LARGE, f"proj_{number}")
    for suffix in ("", "-wal"):
        file = tmp_path / "copies" / (DATABASE_NAME + suffix)
        file.write_bytes(b"\xff" * file.stat().st_size)
    with pytest.raises(sqlite3.DatabaseError):
        stores[0].verify(stores[0].revisions_after("", 100))
    for revision, store in enumerate(stores, 3):
        write(store, revision, b"%d" % revision)
        assert body_of(store) == b"%d" % revision
    assert [store.open() for store in stores] == [2, 2]


def test_database_of_another_schema_is_created_again(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    with closing(sqlite3.connect(tmp_path / "copies" / DATABASE_NAME)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    write(a_store(tmp_path), 1, b"one")
    assert copied_revisions(tmp_path / "copies") == {PROJECT: 1}


def test_deleted_folder_is_created_again(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 1, b"one")
    (tmp_path / "copies").rename(tmp_path / "moved")
    write(store, 2, b"two")
    assert body_of(store) == b"two"
    assert copied_revisions(tmp_path / "moved") == {PROJECT: 1}


def test_folder_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "copies").write_bytes(b"a file is in the way")
    with pytest.raises(DISK_ERRORS):
        DiskStore(tmp_path / "copies", MEBIBYTE).open()


def test_link_in_the_place_of_the_database_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    (tmp_path / "victim").write_bytes(b"")
    (tmp_path / "copies" / DATABASE_NAME).symlink_to(tmp_path / "victim")
    write(a_store(tmp_path), 1, b"one")
    assert (tmp_path / "victim").read_bytes() == b""
    assert copied_revisions(tmp_path / "copies") == {PROJECT: 1}


def test_pipe_in_the_place_of_the_database_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    os.mkfifo(tmp_path / "copies" / DATABASE_NAME)
    write(a_store(tmp_path), 1, b"one")
    assert copied_revisions(tmp_path / "copies") == {PROJECT: 1}


def test_project_is_wanted_from_its_first_use_until_it_has_a_copy(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    store.record_uses(["proj_a", "proj_b", "proj_c"])
    store.write({"proj_b": Copy(1, b"one")})
    assert store.wanted_after("", 10) == ["proj_a", "proj_c"]
    assert store.wanted_after("proj_a", 10) == ["proj_c"]
    store.delete(["proj_a", "proj_b"], only_wanted=True)
    assert store.revisions_after("", 10) == {"proj_b": 1, "proj_c": 0}


def test_copy_of_a_project_that_is_not_used_is_not_written(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    store.write({PROJECT: Copy(1, b"one")})
    assert store.revisions([PROJECT]) == {}


def test_point_is_stored_together_with_the_copies(tmp_path: Path) -> None:
    store, point = a_store(tmp_path), StreamPoint(b"epoch", (5, 1))
    assert (store.point(), store.synced_at()) == (None, None)
    store.record_uses([PROJECT])
    store.write({PROJECT: Copy(1, b"one")}, point, 1_000.5)
    assert (a_store(tmp_path).point(), a_store(tmp_path).synced_at()) == (point, 1_000.5)


def test_failed_write_leaves_the_point_and_removes_older_copies(tmp_path: Path) -> None:
    store, point = a_store(tmp_path), StreamPoint(b"epoch", (5, 1))
    store.record_uses([PROJECT, "proj_b"])
    store.write({PROJECT: Copy(1, b"one"), "proj_b": Copy(1, b"one")}, point, 1_000.5)
    newer = {"proj_b": Copy(2, b"two"), PROJECT: Copy(2, LARGE)}
    with files_up_to(80_000), pytest.raises(DISK_ERRORS):
        store.write(newer, StreamPoint(b"epoch", (6, 0)), 2_000.0)
    assert (store.point(), store.synced_at()) == (point, 1_000.5)
    assert store.wanted_after("", 10) == sorted([PROJECT, "proj_b"])


def test_database_of_the_release_before_is_used_further(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    with closing(sqlite3.connect(tmp_path / "copies" / DATABASE_NAME)) as connection, connection:
        connection.executescript(FORMER_SCHEMA)
    store = a_store(tmp_path)
    assert store.revisions_after("", 10) == {"proj_a": 7}
    assert (store.point(), store.synced_at()) == (None, 1_000.5)


@pytest.mark.slow
def test_kill_9_while_writing_leaves_a_usable_database_that_never_goes_back(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    confirmed = 0
    for _ in range(6):
        arguments = [sys.executable, "-c", ENDLESS_WRITER, str(tmp_path / "copies"), PROJECT, str(confirmed + 1)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as writer:  # noqa: S603 - our own program
            assert writer.stdout is not None
            first = int(writer.stdout.readline())
            writer.kill()
            written = [first, *(int(line) for line in writer.stdout.read().split())]
        copy = body_of(store)
        assert copy is not None
        revision = int(copy.split()[0])
        assert copy == b"%d " % revision * 50_000
        assert revision >= written[-1] > confirmed
        confirmed = revision
    write(store, confirmed + 1, b"the locks of the killed worker are gone")
    assert (store.revisions([PROJECT]), store.damaged) == ({PROJECT: confirmed + 1}, 0)
