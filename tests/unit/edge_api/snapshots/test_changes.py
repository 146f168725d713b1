"""What a stretch of the change stream says."""

from edge_api.snapshots.change_stream import Changes


def entry(project_id: str, revision: int, *, deleted: bool = False) -> dict[bytes, bytes]:
    """Give an entry as Redis does."""
    return {b"project": project_id.encode(), b"revision": b"%d" % revision, b"deleted": b"%d" % deleted}


def test_the_newest_revision_of_a_project_counts() -> None:
    changes = Changes()
    for revision in (3, 5, 4):
        changes.note(entry("p", revision))
    assert (changes.revisions, changes.deleted) == ({"p": 5}, {})


def test_a_deletion_is_told_apart() -> None:
    changes = Changes()
    changes.note(entry("p", 1))
    changes.note(entry("p", 2, deleted=True))
    assert changes.deleted == {"p": 2}


def test_entries_that_cannot_be_read_are_counted() -> None:
    changes = Changes()
    changes.note({})
    changes.note({b"project": b"p", b"revision": b"x"})
    changes.note({b"project": b"\xff", b"revision": b"1"})
    assert (changes.unreadable, changes.revisions) == (3, {})
