"""What the answering core is told of a request that came through ASGI."""

from starlette.types import Scope

from edge_api.answers.exchange import RequestContext, request_id_from
from edge_api.answers.request_head import RequestHeaders
from edge_api.doors.client_memory import MEMORY


def exchange_of(scope: Scope) -> RequestContext:
    """Begin an exchange; our own protocols say what they have read already."""
    remembered = scope.get("extensions", {}).get(MEMORY)
    if remembered is not None:
        memory, head = remembered
        begun: RequestContext = memory.exchange(scope["path"], head)
        return begun
    head = RequestHeaders.of(scope["headers"])
    peer = scope.get("client")
    return RequestContext(scope["path"], head, peer[0] if peer else None, request_id_from(head.request_id))
