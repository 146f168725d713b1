"""The bytes of one HTTP request while they arrive: their end, and their owner, before gunicorn parses them.

gunicorn's parser decides what a request means. Here only its end is looked for, so that no thread waits for a client. A
wrong guess costs the sender the request: the parser finds its end where the bytes end.
"""

import hashlib
import re
from enum import Enum
from tempfile import TemporaryFile
from typing import BinaryIO

#: Above the largest head that the parser accepts in practice; nginx forwards at most 64 KiB.
MAX_HEAD_BYTES = 128 * 1024
#: The largest body that is received: the limit of the gateway, above the limit of the interface.
MAX_BODY_BYTES = 1100 * 1024
#: Of a chunked body, with the lines of its chunks.
MAX_CHUNKED_BYTES = 2 * MAX_BODY_BYTES

#: The largest file of an upload, which is received on the disk.
MAX_UPLOAD_BYTES = 30 * 1024 * 1024

_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*([0-9]{1,15})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
_AUTHORIZATION = re.compile(rb"\r\nauthorization[ \t]*:[ \t]*([^\r\n]+)\r\n", re.IGNORECASE)
_SECRET_KEY = re.compile(rb"\r\nx-secret-key[ \t]*:", re.IGNORECASE)
_PROBE = re.compile(rb"(?:GET|HEAD) /health/")
_FILE = re.compile(rb"(?:GET|HEAD) /(?:dashboard(?:[/? ])|api/(?:v1/)?(?:docs[/? ]|openapi\.json))")
_UPLOAD = re.compile(rb"POST /api/(?:v1/)?(?:media|(?:flows|projects)/[^/? ]+/translations/import)[? ]")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,256}\r\n")


class Progress(Enum):
    """The state of a request that is received."""

    PARTIAL = "more bytes are needed"
    COMPLETE = "a thread can handle it without waiting"
    #: Its rest is not read, and the connection closes after the response.
    CUT = "too large, without a credential for its body, or ended by the client"


class Lane(Enum):
    """The threads that handle a request."""

    #: Health endpoints have a thread of their own, which no other request occupies.
    PROBE = "probe"
    #: Files of the dashboard and of the documentation, which no rate limit counts, share one thread.
    FILE = "file"
    SHARED = "shared"


class IncomingRequest:
    """The received bytes of a request."""

    def __init__(self) -> None:
        self.data = bytearray()
        #: A digest of the credential, or an empty text. It names the owner of threads, and proves nothing.
        self.owner = b""
        self.lane = Lane.SHARED
        #: The body of an upload, in an unlinked file, and what a pipelined request adds behind it.
        self.upload: BinaryIO | None = None
        #: Whether the client waits for `100 Continue` before it sends the body.
        self.expects_continue = False
        self._has_head = False
        self._is_chunked = False
        self._may_send_body = False
        #: Bytes of an upload that have not arrived.
        self._missing = 0
        #: The end of the request, or the start of the next chunk.
        self._end = 0

    def add(self, data: bytes) -> Progress:
        """Take bytes of the client; without bytes the client sends no more."""
        if not data:
            return Progress.CUT
        if self.upload is not None:
            return self._add_to_upload(self.upload, data)
        searched = len(self.data)
        self.data += data
        if not self._has_head:
            head_end = self.data.find(_HEAD_END, max(0, searched - len(_HEAD_END)))
            if head_end < 0:
                return Progress.CUT if len(self.data) > MAX_HEAD_BYTES else Progress.PARTIAL
            upload = self._read_head(bytes(self.data[: head_end + 2]), head_end + len(_HEAD_END))
            if upload is not None:
                body = bytes(self.data[self._end :])
                del self.data[self._end :]
                return self._add_to_upload(upload, body)
        progress = self._chunks() if self._is_chunked else self._length()
        return Progress.CUT if progress is Progress.PARTIAL and not self._may_send_body else progress

    def _add_to_upload(self, upload: BinaryIO, data: bytes) -> Progress:
        self._missing -= upload.write(data)
        return Progress.PARTIAL if self._missing > 0 else Progress.COMPLETE

    def _read_head(self, head: bytes, end: int) -> BinaryIO | None:
        """Read the fields of the head, and return the file that receives the body if it is a large upload."""
        self._has_head = True
        length, credential = _LENGTH.search(head), _AUTHORIZATION.search(head)
        self._is_chunked = _CHUNKED.search(head) is not None
        declared = int(length[1]) if length is not None and not self._is_chunked else 0
        has_credential = bool(credential or _SECRET_KEY.search(head))
        if _UPLOAD.match(head) and MAX_BODY_BYTES < declared <= MAX_UPLOAD_BYTES and has_credential:
            # It closes with the connection.
            self.upload, self._missing, self._end = TemporaryFile(), declared, end  # noqa: SIM115
        else:
            self._end = end + declared
        self._may_send_body = has_credential and self._end - end <= MAX_BODY_BYTES
        self.expects_continue = self._may_send_body and _EXPECTS.search(head) is not None
        self.owner = b"" if credential is None else hashlib.sha256(credential[1]).digest()
        self.lane = Lane.PROBE if _PROBE.match(head) else Lane.FILE if _FILE.match(head) else Lane.SHARED
        return self.upload

    def _length(self) -> Progress:
        return Progress.COMPLETE if len(self.data) >= self._end else Progress.PARTIAL

    def _chunks(self) -> Progress:
        """Follow the chunks from the last one that was complete (RFC 9112, section 7.1)."""
        while len(self.data) > self._end:
            chunk = _CHUNK.match(self.data, self._end)
            if chunk is None:
                is_line = self.data.find(b"\r\n", self._end) >= 0 or len(self.data) - self._end > _MAX_CHUNK_LINE
                return Progress.CUT if is_line else Progress.PARTIAL
            size = int(chunk[1], 16)
            if size == 0:
                return self._trailers(chunk.end())
            if len(self.data) < chunk.end() + size + 2:
                return Progress.CUT if len(self.data) > MAX_CHUNKED_BYTES else Progress.PARTIAL
            self._end = chunk.end() + size + 2
        return Progress.CUT if len(self.data) > MAX_CHUNKED_BYTES else Progress.PARTIAL

    def _trailers(self, start: int) -> Progress:
        is_complete = self.data.startswith(b"\r\n", start) or self.data.find(_HEAD_END, start) >= 0
        if is_complete:
            return Progress.COMPLETE
        return Progress.CUT if len(self.data) - start > MAX_HEAD_BYTES else Progress.PARTIAL


_MAX_CHUNK_LINE = 512
