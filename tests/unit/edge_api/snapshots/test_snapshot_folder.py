"""The folder of copies: whole files, the newest only, bounded, shared, closed to others."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from common.ids import IdPrefix, new_id
from common.wire.snapshot import SnapshotFormatError
from edge_api.snapshots.snapshot_folder import SnapshotFolder

PROJECT = new_id(IdPrefix.PROJECT)
LARGE = b"x" * 10_000

#: Writes ever newer revisions of a large snapshot, and says which it has written, until it is killed.
ENDLESS_WRITER = """
import sys
from pathlib import Path
from edge_api.snapshots.snapshot_folder import SnapshotFolder
folder = SnapshotFolder(Path(sys.argv[1]), 100_000_000)
for revision in range(int(sys.argv[3]), sys.maxsize):
    folder.put(sys.argv[2], revision, b"%d " % revision * 50_000)
    print(revision, flush=True)
"""


def a_folder(path: Path, limit_bytes: int = 1_000_000) -> SnapshotFolder:
    """Give a folder that is ready for use, as another worker would open it."""
    folder = SnapshotFolder(path / "copies", limit_bytes)
    folder.clear_up()
    return folder


def file_of(path: Path, project_id: str = PROJECT) -> Path:
    """Give where a project's copy is."""
    return path / "copies" / f"{project_id}.snapshot"


def names_in(path: Path) -> list[str]:
    """List all that is in the folder."""
    return sorted(file.name for file in (path / "copies").iterdir())


def test_what_is_put_is_read_by_every_worker(tmp_path: Path) -> None:
    a_folder(tmp_path).put(PROJECT, 1, b"one")
    other = a_folder(tmp_path)
    assert other.read(PROJECT) == b"one"
    assert (other.project_ids(), other.revisions([PROJECT])) == ([PROJECT], {PROJECT: 1})
    assert not other.is_empty()


def test_an_older_revision_never_replaces_a_newer_one(tmp_path: Path) -> None:
    a_folder(tmp_path).put(PROJECT, 5, b"five")
    a_folder(tmp_path).put(PROJECT, 4, b"four")
    assert a_folder(tmp_path).read(PROJECT) == b"five"


def test_the_same_revision_in_another_format_replaces_the_one_that_is_there(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    folder.put(PROJECT, 5, b"old format")
    folder.put(PROJECT, 5, b"new format")
    assert folder.read(PROJECT) == b"new format"


def test_a_removed_copy_is_gone_for_every_worker(tmp_path: Path) -> None:
    folder, other = a_folder(tmp_path), a_folder(tmp_path)
    folder.put(PROJECT, 1, b"one")
    other.remove(PROJECT)
    other.remove(PROJECT)
    assert folder.read(PROJECT) is None
    assert folder.is_empty()
    assert not file_of(tmp_path).exists()


def test_nobody_else_may_look(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir(mode=0o755)
    folder = a_folder(tmp_path)
    folder.put(PROJECT, 1, b"one")
    folder.note_contact(1000.0)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "copies").iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "copies").stat().st_mode) == 0o700


@pytest.mark.parametrize("project_id", ["", "../escape", "/etc/passwd", "proj_../x", "proj_\0", "proj_a/x", "lock"])
def test_no_name_but_a_project_id_reaches_the_disk(tmp_path: Path, project_id: str) -> None:
    folder = a_folder(tmp_path)
    with pytest.raises(FileNotFoundError):
        folder.put(project_id, 1, b"")
    with pytest.raises(FileNotFoundError):
        folder.read(project_id)


def test_a_damaged_copy_is_not_read_and_is_removed_when_it_is_looked_over(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    folder.put(PROJECT, 1, LARGE)
    file_of(tmp_path).write_bytes(file_of(tmp_path).read_bytes()[:-1])
    with pytest.raises(SnapshotFormatError):
        folder.read(PROJECT)
    assert folder.revisions([PROJECT]) == {}
    assert not file_of(tmp_path).exists()


def test_a_damaged_copy_gives_way_to_any_revision(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    file_of(tmp_path).write_bytes(b"\xff" * 1000)
    folder.put(PROJECT, 1, b"one")
    assert folder.read(PROJECT) == b"one"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    file_of(tmp_path).symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        folder.read(PROJECT)
    folder.put(PROJECT, 1, b"one")
    assert (victim.read_bytes(), folder.read(PROJECT)) == (b"precious", b"one")


def test_what_is_left_over_or_foreign_goes_and_what_cannot_be_ours_stays(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    folder.put(PROJECT, 1, b"one")
    for name in ("draft", "proj_nonsense.snapshot", "somebody's notes.txt"):
        (tmp_path / "copies" / name).write_bytes(b"?")
    folder.clear_up()
    assert names_in(tmp_path) == ["lock", f"{PROJECT}.snapshot", "somebody's notes.txt"]


def test_the_least_recently_used_go_when_the_folder_is_full(tmp_path: Path) -> None:
    folder, other = a_folder(tmp_path, 50_000), a_folder(tmp_path, 50_000)
    ids = [new_id(IdPrefix.PROJECT) for _ in range(5)]
    for age, project_id in enumerate(ids[:4]):
        (folder, other)[age % 2].put(project_id, 1, LARGE)
        os.utime(file_of(tmp_path, project_id), (age, age))
    folder.read(ids[0])
    other.put(ids[1], 2, LARGE)
    other.put(ids[4], 1, LARGE)
    assert set(folder.project_ids()) == {ids[0], ids[2], ids[3], ids[4]}


@pytest.mark.parametrize("workers", [1, 4])
def test_the_folder_never_holds_more_than_its_limit(tmp_path: Path, workers: int) -> None:
    folders = [a_folder(tmp_path, 100_000) for _ in range(workers)]
    for number in range(60):
        folders[number % workers].put(new_id(IdPrefix.PROJECT), 1, b"x" * (number * 150))
        held = sum(file.stat().st_size for file in (tmp_path / "copies").glob("*.snapshot"))
        assert held <= 100_000


def test_a_snapshot_larger_than_the_folder_leaves_no_older_one(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, 5_000)
    folder.put(PROJECT, 1, b"one")
    folder.put(PROJECT, 2, LARGE)
    assert folder.read(PROJECT) is None


def test_the_newest_contact_counts(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    assert folder.last_contact() is None
    folder.note_contact(1_000.5)
    a_folder(tmp_path).note_contact(900.0)
    assert folder.last_contact() == 1_000.5


def test_a_folder_that_was_taken_away_is_made_again(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (tmp_path / "copies").rename(tmp_path / "away")
    with pytest.raises(OSError, match="No such file"):
        folder.put(PROJECT, 1, b"one")
    folder.put(PROJECT, 1, b"one")
    assert folder.read(PROJECT) == b"one"


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "copies").write_bytes(b"a file is in the way")
    with pytest.raises(OSError, match="File exists"):
        a_folder(tmp_path)


def test_kill_9_while_writing_leaves_whole_files_and_never_goes_back(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, 100_000_000)
    confirmed = 0
    for _ in range(6):
        arguments = [sys.executable, "-c", ENDLESS_WRITER, str(tmp_path / "copies"), PROJECT, str(confirmed + 1)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as writer:  # noqa: S603 - our own program
            assert writer.stdout is not None
            first = int(writer.stdout.readline())
            writer.kill()
            written = [first, *(int(line) for line in writer.stdout.read().split())]
        found = folder.read(PROJECT)
        assert found is not None
        revision = int(found.split()[0])
        assert found == b"%d " % revision * 50_000
        assert revision >= written[-1] > confirmed
        confirmed = revision
    folder.put(PROJECT, confirmed + 1, b"the lock fell with its holder")
    folder.clear_up()
    assert names_in(tmp_path) == ["lock", f"{PROJECT}.snapshot"]
