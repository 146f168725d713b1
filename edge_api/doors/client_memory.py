"""What a connection remembers of the request before: a client that asks again sends the same headers."""

from edge_api.answers.exchange import RequestContext, request_id_from
from edge_api.answers.request_head import RequestHeaders

#: Where ASGI applications find the memory and the head of the request, among the extensions of its scope.
MEMORY = "onboarding.client_memory"


class ClientMemory:
    """One for each connection."""

    def __init__(self, peer: str | None) -> None:
        self._peer = peer
        self._raw: list[tuple[bytes, bytes]] | None = None
        self._head = RequestHeaders()
        self._before: RequestContext | None = None

    def head_of(self, raw: list[tuple[bytes, bytes]]) -> RequestHeaders:
        """Read headers as they came; the same headers as before are the same object as before."""
        if raw != self._raw:
            self._raw, self._head = raw, RequestHeaders.of(raw)
        return self._head

    def exchange(self, path: str, head: RequestHeaders) -> RequestContext:
        """Begin the exchange of a request.

        It has from the one before what the same credentials opened, which is checked before it is believed again, and
        what the same client is counted by.
        """
        before, request_id = self._before, request_id_from(head.request_id)
        if before is not None and before.head is head:
            begun = RequestContext(path, head, self._peer, request_id, before.access, before.key)
        else:
            begun = RequestContext(path, head, self._peer, request_id)
        self._before = begun
        return begun
