"""What the answering core is told of a request that came through ASGI."""

from starlette.types import Scope

from edge_api.answers.exchange import Exchange, request_id_from
from edge_api.answers.request_head import RequestHead


def exchange_of(scope: Scope) -> Exchange:
    """Begin an exchange."""
    head = RequestHead.of(scope["headers"])
    peer = scope.get("client")
    return Exchange(scope["path"], head, peer[0] if peer else None, request_id_from(head.request_id))
