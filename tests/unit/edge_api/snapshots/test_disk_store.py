"""The database of copies: sound copies only, never an older one, bounded, shared by workers."""

import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from common.ids import IdPrefix, new_id
from common.wire.snapshot import encode_snapshot
from edge_api.snapshots.disk_store import DATABASE_NAME, DISK_ERRORS, CopyWrite, DiskStore
from tests.support.data.disk_snapshots import change_body, copied_revisions
from tests.support.data.snapshots import a_snapshot

PROJECT = new_id(IdPrefix.PROJECT)
MEBIBYTE = 1024 * 1024
LARGE = b"x" * 100_000

#: Writes ever newer revisions of a large snapshot and prints them, until it is killed.
ENDLESS_WRITER = """
import sys
from pathlib import Path
from edge_api.snapshots.disk_store import CopyWrite, DiskStore
store = DiskStore(Path(sys.argv[1]), 100_000_000)
for revision in range(int(sys.argv[3]), sys.maxsize):
    store.write({sys.argv[2]: CopyWrite(revision, b"%d " % revision * 50_000)})
    print(revision, flush=True)
"""

#: Opens the store, writes revisions of 20 projects, and prints an error.
BUSY_WRITER = """
import sys
from pathlib import Path
from edge_api.snapshots.disk_store import CopyWrite, DiskStore, DISK_ERRORS
store = DiskStore(Path(sys.argv[1]), 100_000_000)
try:
    store.open()
    for revision in range(1, 51):
        store.write({f"proj_{number}": CopyWrite(revision, b"%d" % revision * 1_000) for number in range(20)})
        store.record_sync(float(revision))
except DISK_ERRORS as error:
    print(repr(error))
"""


def a_store(path: Path, limit_bytes: int = 64 * MEBIBYTE) -> DiskStore:
    """Return an open store, as another worker would open it."""
    store = DiskStore(path / "copies", limit_bytes)
    store.open()
    return store


def write(store: DiskStore, revision: int, body: bytes, project_id: str = PROJECT) -> None:
    """Write one copy."""
    store.write({project_id: CopyWrite(revision, body)})


def test_copy_is_read_by_every_worker(tmp_path: Path) -> None:
    write(a_store(tmp_path), 1, b"one")
    other = a_store(tmp_path)
    assert other.read(PROJECT) == b"one"
    assert other.revisions([PROJECT, "proj_other"]) == {PROJECT: 1}


def test_older_revision_does_not_replace_a_newer_one(tmp_path: Path) -> None:
    write(a_store(tmp_path), 5, b"five")
    write(a_store(tmp_path), 4, b"four")
    assert a_store(tmp_path).read(PROJECT) == b"five"


def test_same_revision_in_another_format_replaces_the_copy(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"old format")
    write(store, 5, b"new format")
    assert store.read(PROJECT) == b"new format"


def test_tombstone_removes_the_copy_and_keeps_older_ones_out(tmp_path: Path) -> None:
    store, other = a_store(tmp_path), a_store(tmp_path)
    write(store, 1, b"one")
    other.write({PROJECT: CopyWrite(2, None, is_tombstone=True)})
    write(store, 1, b"one")
    assert (store.read(PROJECT), store.revisions([PROJECT])) == (None, {PROJECT: 2})


def test_write_without_body_removes_an_older_copy_only(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"five")
    store.write({PROJECT: CopyWrite(5, None)})
    assert store.read(PROJECT) == b"five"
    store.write({PROJECT: CopyWrite(6, None)})
    assert store.revisions([PROJECT]) == {}


def test_files_are_readable_by_the_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir(mode=0o755)
    store = a_store(tmp_path)
    write(store, 1, b"one")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "copies").iterdir()}
    assert modes == {DATABASE_NAME + suffix: 0o600 for suffix in ("", "-wal", "-shm")}
    assert stat.S_IMODE((tmp_path / "copies").stat().st_mode) == 0o700


def test_files_of_former_releases_are_removed_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    for name in ("lock", "draft", "last-contact", f"{PROJECT}.snapshot", "notes.txt"):
        (tmp_path / "copies" / name).write_bytes(b"?")
    a_store(tmp_path).close()
    assert sorted(file.name for file in (tmp_path / "copies").iterdir()) == ["notes.txt", DATABASE_NAME]


def test_store_with_a_sound_copy_can_be_served(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    assert not store.open()
    snapshot = a_snapshot()
    write(store, 1, b"a body that cannot be decoded")
    assert not store.open()
    write(store, 1, encode_snapshot(snapshot), snapshot.project_id)
    assert store.open()
    change_body(tmp_path / "copies", snapshot.project_id, encode_snapshot(snapshot) + b"?")
    assert not store.open()


@pytest.mark.parametrize("changed", [b"oNe", b"", b"on", b"one "])
def test_damaged_body_is_not_read_and_is_replaced_by_any_revision(tmp_path: Path, changed: bytes) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"one")
    change_body(tmp_path / "copies", PROJECT, changed)
    assert (store.read(PROJECT), store.damaged) == (None, 1)
    assert store.revisions([PROJECT]) == {PROJECT: 0}
    write(store, 4, b"four")
    assert store.read(PROJECT) == b"four"


def test_body_of_another_project_or_revision_is_damaged(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 5, b"body")
    with sqlite3.connect(tmp_path / "copies" / DATABASE_NAME) as connection:
        connection.execute("UPDATE copies SET revision = 6")
    assert store.read(PROJECT) is None


def test_verification_finds_damaged_copies(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    for number in range(5):
        write(store, 7, b"body", f"proj_{number}")
    change_body(tmp_path / "copies", "proj_3", b"?")
    assert store.revisions_after("", 3, verify=True) == {"proj_0": 7, "proj_1": 7, "proj_2": 7}
    assert store.revisions_after("proj_2", 3, verify=False) == {"proj_3": 7, "proj_4": 7}
    assert store.revisions_after("proj_2", 3, verify=True) == {"proj_3": 0, "proj_4": 7}
    assert store.revisions_after("proj_4", 3, verify=True) == {}


def test_least_recently_used_copies_are_evicted_when_the_store_is_full(tmp_path: Path) -> None:
    store, other = a_store(tmp_path, 4 * MEBIBYTE), a_store(tmp_path, 4 * MEBIBYTE)
    ids = [f"proj_{number:03}" for number in range(60)]
    for number, project_id in enumerate(ids[:36]):
        write((store, other)[number % 2], 1, LARGE, project_id)
    store.touch(ids[:2])
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
    assert len(stores[0].revisions_after("", 1000, verify=True)) > 5
    assert stores[0].damaged == 0


def test_snapshot_larger_than_the_store_leaves_no_older_copy(tmp_path: Path) -> None:
    store = a_store(tmp_path, MEBIBYTE)
    write(store, 1, b"one")
    write(store, 2, b"x" * MEBIBYTE)
    assert store.revisions([PROJECT]) == {}


def test_processes_create_and_write_the_database_at_the_same_time(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", BUSY_WRITER, str(tmp_path / "copies")]
    writers = [
        subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own program
        for _ in range(4)
    ]
    assert [(writer.communicate(timeout=60)[0], writer.returncode) for writer in writers] == [("", 0)] * 4
    store = a_store(tmp_path)
    assert store.revisions_after("", 100, verify=True) == {f"proj_{number}": 50 for number in range(20)}
    assert (store.damaged, store.synced_at()) == (0, 50.0)


def test_newest_sync_of_all_workers_counts(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    assert store.synced_at() is None
    store.record_sync(1_000.5)
    a_store(tmp_path).record_sync(900.0)
    assert store.synced_at() == 1_000.5


def test_copies_of_absent_projects_are_removed_after_their_time(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    for project_id in ("proj_a", "proj_b"):
        write(store, 1, b"one", project_id)
    assert store.remove_absent([], ["proj_a", "proj_b"], seconds=3600) == []
    assert store.remove_absent(["proj_b"], [], seconds=0) == []
    assert store.remove_absent([], ["proj_a", "proj_b"], seconds=0) == ["proj_a", "proj_b"]
    assert store.revisions_after("", 10, verify=False) == {}


@pytest.mark.parametrize("content", [b"\xff" * 10_000, b"SQLite format 3\0" + b"\0" * 5_000, b""])
def test_damaged_database_is_created_again(tmp_path: Path, content: bytes) -> None:
    former = a_store(tmp_path)
    write(former, 1, b"one")
    former.close()
    (tmp_path / "copies" / DATABASE_NAME).write_bytes(content)
    store = a_store(tmp_path)
    assert store.revisions([PROJECT]) == {}
    write(store, 1, b"one")
    assert a_store(tmp_path).read(PROJECT) == b"one"


def test_database_damaged_in_use_is_created_again_by_all_workers(tmp_path: Path) -> None:
    stores = [a_store(tmp_path) for _ in range(2)]
    for number in range(20):
        write(stores[0], 1, LARGE, f"proj_{number}")
    for suffix in ("", "-wal"):
        file = tmp_path / "copies" / (DATABASE_NAME + suffix)
        file.write_bytes(b"\xff" * file.stat().st_size)
    with pytest.raises(sqlite3.DatabaseError):
        stores[0].revisions_after("", 100, verify=True)
    for revision, store in enumerate(stores, 3):
        write(store, revision, b"%d" % revision)
        assert store.read(PROJECT) == b"%d" % revision
    assert [store.generation for store in stores] == [2, 2]


def test_database_of_another_schema_is_created_again(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    with sqlite3.connect(tmp_path / "copies" / DATABASE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    write(a_store(tmp_path), 1, b"one")
    assert copied_revisions(tmp_path / "copies") == {PROJECT: 1}


def test_deleted_folder_is_created_again(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    write(store, 1, b"one")
    (tmp_path / "copies").rename(tmp_path / "moved")
    write(store, 2, b"two")
    assert store.read(PROJECT) == b"two"
    assert copied_revisions(tmp_path / "moved") == {PROJECT: 1}


def test_folder_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "copies").write_bytes(b"a file is in the way")
    with pytest.raises(DISK_ERRORS):
        DiskStore(tmp_path / "copies", MEBIBYTE).open()


def test_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    (tmp_path / "victim").write_bytes(b"")
    (tmp_path / "copies" / DATABASE_NAME).symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic links"):
        DiskStore(tmp_path / "copies", MEBIBYTE).open()
    assert (tmp_path / "victim").read_bytes() == b""


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
        copy = store.read(PROJECT)
        assert copy is not None
        revision = int(copy.split()[0])
        assert copy == b"%d " % revision * 50_000
        assert revision >= written[-1] > confirmed
        confirmed = revision
    write(store, confirmed + 1, b"the locks of the killed worker are gone")
    assert (store.revisions([PROJECT]), store.damaged) == ({PROJECT: confirmed + 1}, 0)
