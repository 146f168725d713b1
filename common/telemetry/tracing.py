"""What the processes say of their work to whoever keeps traces, without knowing who that is."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from common.telemetry.trace_context import TraceOrigin

Attributes = Mapping[str, str | int]


class RequestSpan(Protocol):
    """A request that is being answered."""

    def answered(self, status: int, *, route: str | None = None) -> None:
        """Note how it was answered, and by which route where that was not known at first."""


class Spans(Protocol):
    """Each of these is a span for the length of the block."""

    def request(
        self, name: str, traceparent: str | None, attributes: Attributes
    ) -> AbstractContextManager[RequestSpan]:
        """Answer a request, as a part of the trace that it names, if any."""

    def current(self) -> str | None:
        """Give the `traceparent` of the request that is being answered here, where its trace is kept."""

    def batch(self, name: str, attributes: Attributes, origins: Sequence[TraceOrigin]) -> AbstractContextManager[None]:
        """Work on many things together; each origin's trace gets a span of it too."""

    def flush(self) -> None:
        """Send what is left, before the process ends; waits some seconds at most."""
