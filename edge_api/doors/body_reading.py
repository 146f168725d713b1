"""Reads a request's body, counting as it goes."""

from starlette.types import Receive

from common.errors import OnboardingError, PayloadTooLargeError


class ClientGoneError(OnboardingError):
    """The client closed the connection before its request was complete; there is nobody to answer."""


async def read_body(receive: Receive, limit_bytes: int) -> bytes:
    """Read the whole body, whatever length was declared. Raises PayloadTooLargeError and ClientGoneError."""
    message = await receive()
    chunks: list[bytes] = []
    size = 0
    while True:
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit_bytes:
            raise PayloadTooLargeError(limit_bytes)
        chunks.append(chunk)
        if not message.get("more_body"):
            return b"".join(chunks)
        message = await receive()
