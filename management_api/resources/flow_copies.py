"""Copies of a flow."""

import falcon

from common.errors import ErrorCode
from management_api.operations.flow_copies import duplicate_flow
from management_api.operations.limits import Limits
from management_api.operations.project_parts import FLOW
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.resources.writes import Writes, part_access
from management_api.schemas.flows import FlowDuplicateBody, FlowView


class FlowDuplicate:
    """POST /flows/{flow_id}/duplicate."""

    def __init__(self, limits: Limits, writes: Writes) -> None:
        self._limits = limits
        self._writes = writes

    @answers(
        "duplicate_flow",
        FlowView,
        status=201,
        errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
        body_is_optional=True,
    )
    def on_post(
        self, request: falcon.Request, response: falcon.Response, flow_id: str, body: FlowDuplicateBody
    ) -> None:
        """Copy a flow.

        The copy is a draft with the screens, theme, priority and targeting of the original, named after it, and never
        the default flow. The body may be left out.
        """
        del body  # It has no members; that it has none has been checked.
        with self._writes.begin(request, response, part_access(FLOW, flow_id)) as session:
            flow = duplicate_flow(session, caller_of(request), flow_id, self._limits)
            respond(response, FlowView.of(flow), tag=flow.tag)
