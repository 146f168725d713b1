"""The commands that append records to the event streams, packed for the wire, and what their replies say."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import cast

import hiredis
from redis.exceptions import RedisError

from common.redis.url import Node
from common.wire.redis_keys import EVENT_FIELD, event_stream_of, event_streams
from edge_api.events.pending_write import PendingWrite

# What hiredis says of the types of this function is not so.
_pack = cast("Callable[[tuple[str | bytes, ...]], bytes]", hiredis.pack_command)
_MULTI = _pack(("MULTI",))
_EXEC = _pack(("EXEC",))
_ASKING = _pack(("ASKING",))
#: By stream: how a command that appends a record begins, up to the length of the record. Only the record is new each
#: time, and to pack all of it anew takes three times as long.
_BEGINNINGS = {
    stream: _pack(("XADD", stream, "*", EVENT_FIELD, b"")).removesuffix(b"0\r\n\r\n") for stream in event_streams()
}


def pack_submissions(submissions: Sequence[PendingWrite], *, is_asking: bool) -> tuple[list[bytes], list[int]]:
    """Pack the records, and say how many replies each submission gets.

    Several records of one request go into a transaction: all of them or none. `is_asking` is for a node of a Cluster to
    which the slot is just being moved: it wants each command announced.
    """
    commands: list[bytes] = []
    replies_each: list[int] = []
    project_id, beginning = None, b""
    for submission in submissions:
        # Most of what comes together is of one project.
        if submission.project_id != project_id:
            project_id = submission.project_id
            beginning = _BEGINNINGS[event_stream_of(project_id)]
        if is_asking:
            commands.append(_ASKING)
        bodies = submission.bodies
        if len(bodies) == 1:
            (body,) = bodies
            commands.append(b"%b%d\r\n%b\r\n" % (beginning, len(body), body))
            replies_each.append(1 + is_asking)
        else:
            commands.append(_MULTI)
            commands.extend([b"%b%d\r\n%b\r\n" % (beginning, len(body), body) for body in bodies])
            commands.append(_EXEC)
            replies_each.append(len(bodies) + 2 + is_asking)
    return commands, replies_each


def pack_wait(replicas: int, milliseconds: int) -> bytes:
    """Pack the question how many replicas have all that was written before, after waiting for so many."""
    return _pack(("WAIT", str(replicas), str(milliseconds)))


def read_fates(replies: Sequence[object], replies_each: Sequence[int]) -> list[Exception | None]:
    """Say of each submission whether Redis has it (None) or what it refused it with."""
    if len(replies) == len(replies_each):
        return [reply if isinstance(reply, Exception) else None for reply in replies]
    answers = iter(replies)
    return [_fate(islice(answers, count)) for count in replies_each]


class ReplicasMissingError(RedisError):
    """Redis has the records, and too few replicas do: a failover could lose them."""


def is_of_no_master(fate: Exception | None) -> bool:
    """Tell whether a server does not take what a master takes that others can reach."""
    if fate is None:
        return False
    return isinstance(fate, ReplicasMissingError) or str(fate).startswith(("NOREPLICAS", "CLUSTERDOWN", "MASTERDOWN"))


def is_sent_on(fate: Exception | None) -> bool:
    """Tell whether a server refused a submission because another one has the stream; it has done nothing with it."""
    return fate is not None and str(fate).startswith(("MOVED ", "ASK ", "READONLY"))


def sent_on_to(refusal: Exception) -> tuple[Node | None, bool]:
    """Say which server a refusal names, if any, and whether the stream is only just being moved there."""
    kind, *words = str(refusal).split(" ")
    if kind not in ("MOVED", "ASK"):
        return None, False
    host, _, port = words[1].rpartition(":")
    return ((host, int(port)) if host else None), kind == "ASK"


def _fate(replies: Iterable[object]) -> Exception | None:
    """Read the replies of one submission: it is durable when Redis refused none of its commands."""
    refusal: Exception | None = None
    for reply in replies:
        for one in reply if isinstance(reply, list) else (reply,):
            if isinstance(one, Exception) and refusal is None:
                refusal = one
    return refusal
