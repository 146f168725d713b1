"""One request on its way to its answer, and the headers that every answer carries, errors too."""

import random
import re
from binascii import hexlify

import msgspec

from common.rate_limit.keys import RateLimitKey
from common.rate_limit.limiter import LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER, RateLimitDecision
from edge_api.answers.answer import HeaderPairs, header_lines
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.request_head import RequestHeaders

#: A generator of our own: what tests and libraries do with the shared one gives no id twice.
_random_bits = random.Random().getrandbits  # noqa: S311 - ids of requests are no secrets # nosec B311 # as said
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_LIMIT, _REMAINING, _RESET = (name.lower().encode() for name in (LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER))

#: What :meth:`Exchange.headers` gives for a request that was let in and counted.
_LINES = (
    b"x-request-id: %%b\r\nx-content-type-options: nosniff\r\n"
    b"%b: %%d\r\n%b: %%d\r\n%b: %%d\r\nx-config-version: %%d\r\n"
) % (_LIMIT, _REMAINING, _RESET)


class RequestContext(msgspec.Struct, gc=False):
    """Grows as the request goes on: it has access once its credentials were right, a ruling once it is counted.

    What another request with the same headers from the same client had of `access` and `key` may be given to it:
    the access is checked before it is believed. `peer` is the address of whoever is connected, None on a Unix socket.
    """

    path: str
    head: RequestHeaders
    peer: str | None
    request_id: bytes
    access: AuthenticatedProject | None = None
    key: RateLimitKey | None = None
    ruling: RateLimitDecision | None = None

    @property
    def project_id(self) -> str | None:
        """The project, once it is sure that the client may know of it."""
        return None if self.access is None else self.access.resident.snapshot.project_id

    def headers(self) -> HeaderPairs:
        """Give the headers that the answer carries besides its own (contract, sections 1 and 4)."""
        pairs: HeaderPairs = ((b"x-request-id", self.request_id), _NO_SNIFFING)
        ruling = self.ruling
        if ruling is not None:
            pairs += (
                (_LIMIT, b"%d" % ruling.limit),
                (_REMAINING, b"%d" % ruling.remaining),
                (_RESET, b"%d" % ruling.resets_at),
            )
        if self.access is None:
            return pairs
        return (*pairs, (b"x-config-version", b"%d" % self.access.resident.revision))

    def header_lines(self) -> bytes:
        """Give the same as they stand in an HTTP/1.1 answer."""
        ruling = self.ruling
        if ruling is None or self.access is None:
            return header_lines(self.headers())
        return _LINES % (
            self.request_id,
            ruling.limit,
            ruling.remaining,
            ruling.resets_at,
            self.access.resident.snapshot.revision,
        )


def request_id_from(incoming: str | None) -> bytes:
    """Keep a sane incoming request id, or make a new one."""
    if incoming is not None and _SANE_ID.fullmatch(incoming):
        return incoming.encode()
    # It has to differ from others, not to be hard to guess.
    return hexlify(_random_bits(64).to_bytes(8))
