"""What Redis says of a submission: stored, refused, or to be had elsewhere."""

import hiredis
import pytest

from common.redis.url import Node
from edge_api.events.stream_commands import is_sent_on, read_fates, sent_on_to

MOVED = hiredis.ReplyError("MOVED 3999 10.0.0.7:6380")


def test_several_records_of_one_request_share_their_fate() -> None:
    full = hiredis.ReplyError("OOM command not allowed")
    aborted = hiredis.ReplyError("EXECABORT Transaction discarded")
    replies = [b"1-0", "OK", "QUEUED", "QUEUED", [b"2-0", b"3-0"], "OK", "QUEUED", full, aborted]
    assert read_fates(replies, [1, 4, 4]) == [None, None, full]


def test_what_nobody_has_taken_is_sent_on_and_nothing_else() -> None:
    demoted = hiredis.ReplyError("READONLY You can't write against a read only replica.")
    others = [None, hiredis.ReplyError("NOREPLICAS Not enough good replicas to write."), ConnectionError("MOVED")]
    assert [is_sent_on(fate) for fate in (MOVED, demoted, *others)] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("refusal", "place"),
    [
        ("MOVED 3999 10.0.0.7:6380", (("10.0.0.7", 6380), False)),
        ("ASK 3999 ::1:6380", (("::1", 6380), True)),
        ("MOVED 3999 :6380", (None, False)),
        ("READONLY You can't write against a read only replica.", (None, False)),
    ],
)
def test_a_refusal_may_name_the_server_to_go_to(refusal: str, place: tuple[Node | None, bool]) -> None:
    assert sent_on_to(hiredis.ReplyError(refusal)) == place
