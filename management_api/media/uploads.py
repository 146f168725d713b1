"""The body of an upload: its type, its limit, and its copy on the disk."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

import falcon

from common.errors import Detail, InvalidRequestError, PayloadTooLargeError, UnsupportedMediaTypeError
from management_api.media.facts import ACCEPTED_TYPES

_PORTION_BYTES = 256 * 1024


class Upload(NamedTuple):
    """A complete body: the file, its type, its bytes and its SHA-256 in hexadecimal digits."""

    file: BinaryIO
    content_type: str
    size: int
    digest: str


@contextmanager
def received_upload(request: falcon.Request) -> Iterator[Upload]:
    """Copy the body to an unlinked file, which lasts as long as the block.

    The request gets a `raw_body` that stands for it, so that the same file sent twice under one Idempotency-Key is the
    same request. Raises UnsupportedMediaTypeError, PayloadTooLargeError, InvalidRequestError for an empty body.
    """
    content_type = (request.content_type or "").partition(";")[0].strip().lower()
    accepted = ACCEPTED_TYPES.get(content_type)
    if accepted is None:
        raise UnsupportedMediaTypeError(f"Content-Type must be one of {', '.join(ACCEPTED_TYPES)}")
    declared = request.content_length
    if declared is not None and declared > accepted.max_bytes:
        raise PayloadTooLargeError(accepted.max_bytes)
    ends_by_itself = declared is None and request.env.get("wsgi.input_terminated")
    stream = request.stream if ends_by_itself else request.bounded_stream
    digest, size = hashlib.sha256(), 0
    with TemporaryFile() as file:
        while portion := stream.read(_PORTION_BYTES):
            size += len(portion)
            if size > accepted.max_bytes:
                raise PayloadTooLargeError(accepted.max_bytes)
            digest.update(portion)
            file.write(portion)
        if not size:
            raise InvalidRequestError([Detail.missing("file")])
        file.flush()
        upload = Upload(file, content_type, size, digest.hexdigest())
        identity = (content_type, request.query_string, upload.digest)
        request.context.raw_body = "\0".join(identity).encode()
        yield upload
