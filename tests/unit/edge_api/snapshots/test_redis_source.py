"""Parsing of the change stream, and gaps in it."""

from edge_api.snapshots.redis_source import START, Changes, StreamEnds, StreamPoint


def entry(project_id: str, revision: int, *, deleted: bool = False) -> dict[bytes, bytes]:
    return {b"project": project_id.encode(), b"revision": b"%d" % revision, b"deleted": b"%d" % deleted}


def test_changes_keep_the_newest_revision_of_a_project() -> None:
    changes = Changes()
    for revision in (3, 5, 4):
        changes.add(entry("p", revision))
    assert (changes.revisions, changes.deleted) == ({"p": 5}, {})


def test_changes_separate_deletions() -> None:
    changes = Changes()
    changes.add(entry("p", 1))
    changes.add(entry("p", 2, deleted=True))
    assert changes.deleted == {"p": 2}


def test_malformed_entries_are_counted() -> None:
    changes = Changes()
    changes.add({})
    changes.add({b"project": b"p", b"revision": b"x"})
    changes.add({b"project": b"\xff", b"revision": b"1"})
    assert (changes.malformed, changes.revisions) == (3, {})


def test_gap_is_found_by_epoch_and_ends_of_the_stream() -> None:
    ends = StreamEnds(b"epoch", (5, 0), (9, 0))
    assert ends.end == StreamPoint(b"epoch", (9, 0))
    for position in ((5, 0), (7, 3), (9, 0)):
        assert not ends.has_gap_after(StreamPoint(b"epoch", position))
    # Trimmed; beyond the end; of other data; of unknown data.
    for point in (
        StreamPoint(b"epoch", (4, 9)),
        StreamPoint(b"epoch", (9, 1)),
        StreamPoint(b"other", (7, 0)),
        StreamPoint(None, (7, 0)),
    ):
        assert ends.has_gap_after(point)


def test_empty_stream_has_no_gap_at_its_start() -> None:
    assert not StreamEnds(None, START, START).has_gap_after(StreamPoint(None, START))
