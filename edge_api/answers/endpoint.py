"""What every public endpoint is to the doors that call it."""

from typing import Protocol

from edge_api.answers.answer import Outcome
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.request_head import RequestHeaders


class Endpoint(Protocol):
    """Answers an authenticated request, synchronously, without I/O."""

    @property
    def methods(self) -> tuple[str, ...]:
        """The HTTP methods that it takes."""
        ...

    @property
    def body_limit(self) -> int | None:
        """The largest body that it takes, in bytes; None when it takes no body."""
        ...

    def answer(self, access: AuthenticatedProject, head: RequestHeaders, body: bytes) -> Outcome:
        """Answer one request. Raises RequestError."""
        ...
