"""Tells from a request's bytes, as they arrive in whatever pieces, when all of it is there.

It only finds the end; gunicorn's parser, which reads the same bytes afterwards, is the judge of what they say. Where
the two disagree the parser meets an end of data, never a wait.
"""

import re

MAX_HEAD_BYTES = 64 * 1024
_LONGEST_LINE = 8192
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_TRANSFER_ENCODING = re.compile(rb"\r\ntransfer-encoding[ \t]*:[ \t]*([^\r]*?)[ \t]*(?=\r\n)", re.IGNORECASE)
_EXPECT_CONTINUE = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class GatheredRequest:
    """The bytes of one request so far, and whatever the client has sent behind it."""

    def __init__(self, max_body_bytes: int) -> None:
        self.data = bytearray()
        #: Nothing more has to arrive: the request is whole, or it will be refused without the rest.
        self.ready = False
        #: The client may send its next request on the same connection.
        self.whole = False
        #: The head alone is larger than any that is served.
        self.oversized = False
        #: The client waits for our word before it sends the body.
        self.expects_continue = False
        self._max_body_bytes = max_body_bytes
        self._body_at: int | None = None
        self._length: int | None = None
        self._chunks = ChunkScanner()

    def feed(self, received: bytes) -> None:
        """Take what has arrived."""
        searched = max(0, len(self.data) - 3)
        self.data += received
        if self._body_at is None:
            self._find_end_of_head(searched)
        if self._body_at is not None and not self.ready:
            self._judge_body(self._body_at)

    @property
    def has_head(self) -> bool:
        """Tell whether the head is complete."""
        return self._body_at is not None

    def _find_end_of_head(self, searched: int) -> None:
        end = self.data.find(b"\r\n\r\n", searched)
        if end > MAX_HEAD_BYTES or (end < 0 and len(self.data) > MAX_HEAD_BYTES):
            self.ready = self.oversized = True
        elif end >= 0:
            self._body_at = end + 4
            self._read_head(bytes(self.data[: end + 2]))

    def _read_head(self, head: bytes) -> None:
        lengths = _CONTENT_LENGTH.findall(head)
        codings = _TRANSFER_ENCODING.findall(head)
        self.expects_continue = _EXPECT_CONTINUE.search(head) is not None
        if not lengths and [coding.lower() for coding in codings] == [b"chunked"]:
            return
        self._length = int(lengths[0]) if lengths else 0
        # A length beside a coding, another coding, too long: refused whatever follows, so nothing more is waited for.
        self.ready = bool(codings) or self._length > self._max_body_bytes

    def _judge_body(self, body_at: int) -> None:
        if self._length is not None:
            self.ready = self.whole = len(self.data) - body_at >= self._length
            return
        self._chunks.scan(self.data, body_at)
        self.whole = self._chunks.ended
        # Chunks may be mostly wrapping; twice the limit is enough for any client's.
        too_large = self._chunks.arrived_bytes > self._max_body_bytes
        endless = len(self.data) - body_at > 2 * self._max_body_bytes
        self.ready = self.whole or self._chunks.malformed or too_large or endless


class ChunkScanner:
    """Finds the end of a chunked body (RFC 9112, section 7.1), going on where it stopped."""

    def __init__(self) -> None:
        self.ended = False
        self.malformed = False
        #: How much of the content, without its wrapping, is there.
        self.arrived_bytes = 0
        self._announced_bytes = 0
        self._position = 0
        self._in_trailer = False

    def scan(self, data: bytearray, body_at: int) -> None:
        """Look at what has arrived since the last call; `body_at` is where the first chunk begins."""
        self._position = max(self._position, body_at)
        while not (self.ended or self.malformed) and self._step(data):
            pass
        # The position is behind the last announced chunk, which may be on its way.
        self.arrived_bytes = self._announced_bytes - max(0, self._position - len(data))

    def _step(self, data: bytearray) -> bool:
        """Take one line with the chunk it announces; False when more has to arrive."""
        # The end of a chunk may lie ahead of what has arrived.
        if self._position > len(data):
            return False
        end = data.find(b"\r\n", self._position, self._position + _LONGEST_LINE)
        if end < 0:
            self.malformed = len(data) - self._position >= _LONGEST_LINE
            return False
        line = bytes(data[self._position : end])
        self._position = end + 2
        if self._in_trailer:
            self.ended = not line
        else:
            self._take_size(line)
        return True

    def _take_size(self, line: bytes) -> None:
        digits = line.split(b";", 1)[0].strip()
        if not re.fullmatch(rb"[0-9a-fA-F]{1,15}", digits):
            self.malformed = True
            return
        size = int(digits, 16)
        self._announced_bytes += size
        self._in_trailer = size == 0
        if size:
            self._position += size + 2
