"""The head of a request that was parsed, kept for a client that says the same again.

From the same bytes at the same place, between two requests, the parser would come to the same result. So a request
that begins with a known head, and is as long as that head says, needs no parsing; only its body is new.
"""

from typing import Self

import msgspec

from edge_api.answers.request_head import RequestHeaders
from edge_api.doors.door_parts import Shortcut

_HEAD_END = b"\r\n\r\n"


class KnownHead(msgspec.Struct, frozen=True, gc=False):
    """The bytes of a head, and what the parser found in them. Its repr is empty, because it holds a secret key."""

    head: bytes
    read: RequestHeaders
    head_size: int
    #: How long a whole request with this head is.
    size: int
    shortcut: Shortcut
    method: bytes

    def __repr__(self) -> str:
        return "KnownHead()"

    @classmethod
    def of(
        cls, chunk: bytes | None, body: bytes, shortcut: Shortcut, method: bytes, read: RequestHeaders
    ) -> Self | None:
        """Keep the head of a request; None unless the chunk is that request and no more, and states its length.

        `chunk` is what has arrived since the request before was complete.
        """
        head_size = 0 if chunk is None else len(chunk) - len(body)
        if chunk is None or chunk.find(_HEAD_END) != head_size - len(_HEAD_END):
            return None
        if read.content_length != (str(len(body)) if body else None):
            return None
        return cls(chunk[:head_size], read, head_size, len(chunk), shortcut, method)
