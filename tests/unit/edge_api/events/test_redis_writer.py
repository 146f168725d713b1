"""Replies of Redis to writes: stored, refused, or redirected to another server."""

import time

import hiredis
import pytest

from common.redis.url import Node
from common.wire.redis_keys import event_streams
from edge_api.events.group_commit import PendingWrite
from edge_api.events.redis_writer import is_redirect, pack_writes, redirect_target, set_errors

STREAM = event_streams()[2]
MOVED = hiredis.ReplyError("MOVED 3999 10.0.0.7:6380")


def test_records_of_one_write_share_its_error() -> None:
    full = hiredis.ReplyError("OOM command not allowed")
    aborted = hiredis.ReplyError("EXECABORT Transaction discarded")
    replies = [b"1-0", "OK", "QUEUED", "QUEUED", [b"2-0", b"3-0"], "OK", "QUEUED", full, aborted]
    writes = [PendingWrite("proj_1", STREAM, (b"",), 0) for _ in range(3)]
    set_errors(writes, replies, [1, 4, 4])
    assert [write.error for write in writes] == [None, None, full]


def test_error_inside_a_transaction_fails_its_write() -> None:
    full = hiredis.ReplyError("OOM command not allowed")
    writes = [PendingWrite("proj_1", STREAM, (b"",), 0) for _ in range(2)]
    set_errors(writes, ["OK", "QUEUED", [full], b"2-0"], [3, 1])
    assert [write.error for write in writes] == [full, None]


def test_records_of_the_spool_have_the_time_that_they_were_there() -> None:
    five_seconds_ago = int(time.time() * 1000) - 5000
    writes = [
        PendingWrite("proj_1", STREAM, (b"a", b"b"), 2, spooled_at_ms=five_seconds_ago),
        PendingWrite("proj_1", STREAM, (b"c",), 1),
    ]
    commands, replies_each = pack_writes(writes, is_asking=False)
    reader = hiredis.Reader()
    reader.feed(b"".join(commands))
    _, first, second, _, direct = [reader.gets() for _ in range(5)]
    ages = [int(fields[-1]) for fields in (first, second)]
    assert {fields[1] for fields in (first, second, direct)} == {STREAM.encode()}
    assert [fields[3:-1] for fields in (first, second)] == [[b"r", b"a", b"age"], [b"r", b"b", b"age"]]
    assert all(age_ms >= 5000 for age_ms in ages)
    assert direct[3:] == [b"r", b"c"]
    assert replies_each == [4, 1]


def test_only_errors_of_servers_that_stored_nothing_are_redirects() -> None:
    demoted = hiredis.ReplyError("READONLY You can't write against a read only replica.")
    others = [None, hiredis.ReplyError("NOREPLICAS Not enough good replicas to write."), ConnectionError("MOVED")]
    assert [is_redirect(error) for error in (MOVED, demoted, *others)] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("error", "target"),
    [
        ("MOVED 3999 10.0.0.7:6380", (("10.0.0.7", 6380), False)),
        ("ASK 3999 ::1:6380", (("::1", 6380), True)),
        ("MOVED 3999 :6380", (None, False)),
        ("READONLY You can't write against a read only replica.", (None, False)),
    ],
)
def test_redirect_may_name_the_next_server(error: str, target: tuple[Node | None, bool]) -> None:
    assert redirect_target(hiredis.ReplyError(error)) == target
