"""Reads a request's body, counting as it goes."""

from starlette.types import Receive

from common.errors import OnboardingError, PayloadTooLargeError


class ClientGoneError(OnboardingError):
    """The client closed the connection before its request was complete; there is nobody to answer."""


async def read_body(receive: Receive, limit_bytes: int) -> bytes:
    """Read the whole body, whatever length was declared. Raises PayloadTooLargeError and ClientGoneError."""
    chunks: list[bytes] = []
    size = 0
    is_complete = False
    while not is_complete:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit_bytes:
            raise PayloadTooLargeError(limit_bytes)
        chunks.append(chunk)
        is_complete = not message.get("more_body", False)
    return b"".join(chunks)
