"""What the answering core is told of a request that came through ASGI."""

from starlette.types import Scope

from edge_api.answers.exchange import Exchange, request_id_from
from edge_api.answers.request_head import RequestHead
from edge_api.doors.client_memory import MEMORY


def exchange_of(scope: Scope) -> Exchange:
    """Begin an exchange; our own protocols say what they have read already."""
    remembered = scope.get("extensions", {}).get(MEMORY)
    if remembered is not None:
        memory, head = remembered
        begun: Exchange = memory.exchange(scope["path"], head)
        return begun
    head = RequestHead.of(scope["headers"])
    peer = scope.get("client")
    return Exchange(scope["path"], head, peer[0] if peer else None, request_id_from(head.request_id))
