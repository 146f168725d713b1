"""The order of the screens of a flow."""

import falcon

from common.errors import ErrorCode
from management_api.database.transactions import Database
from management_api.operations.flow_screens import order_screens
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, if_match_of, respond
from management_api.schemas.flows import FlowView
from management_api.schemas.screens import ScreenOrderBody


class FlowScreenOrder:
    """PUT /flows/{flow_id}/screens/order."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("order_screens", FlowView, errors=[ErrorCode.INVALID_FLOW])
    def on_put(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: ScreenOrderBody) -> None:
        """Put the screens of a flow in another order.

        `screen_ids` names every screen of the flow exactly once. The answer is the flow.
        """
        with self._database.transaction() as session:
            flow = order_screens(session, caller_of(request), flow_id, body.screen_ids, if_match_of(request))
            respond(response, FlowView.of(flow), tag=flow.tag)
