"""The resources of flows: /flows, /flows/{flow_id}, its copy and the order of its screens."""

import falcon

from common.errors import ErrorCode
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.flows import Flow
from management_api.flows.operations import (
    create_flow,
    delete_flow,
    duplicate_flow,
    list_flows,
    order_flows,
    order_screens,
    order_tag,
    read_draft_state,
    read_flow,
    read_flow_order,
    update_flow,
)
from management_api.flows.schemas import (
    FlowCreateBody,
    FlowListQuery,
    FlowOrderBody,
    FlowOrderView,
    FlowPart,
    FlowPriorityView,
    FlowQuery,
    FlowUpdateBody,
    FlowView,
    FlowViewWithContent,
    ListedFlowView,
)
from management_api.http.idempotency import IdempotentWrites, part_access, project_access
from management_api.http.requests import EmptyBody, caller_of, if_match_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.projects.quotas import Quotas
from management_api.screens.schemas import ScreenOrderBody


class FlowCollection:
    """GET and POST /flows."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint("list_flows", list[ListedFlowView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, query: FlowListQuery
    ) -> None:
        """List the flows of a project."""
        page = list_flows(reader, caller_of(request), query)
        flows = [flow.view(ListedFlowView) for flow in page.flows]
        if page.drafts is not None:
            flows = [flow.model_copy(update=page.drafts[flow.id]) for flow in flows]
        respond(response, flows, pagination=Pagination.for_page(query.page_request(), page.total))

    @endpoint(
        "create_flow",
        FlowView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, body: FlowCreateBody) -> None:
        """Create a flow.

        `screens` are created with it, in the order of the list. With `is_default` it becomes the default flow.
        A `theme_id` that is no theme of the project is a 404 `NOT_FOUND`.
        """
        with self._writes.idempotent_transaction(request, response, project_access(body.project_id)) as session:
            flow = create_flow(session, caller_of(request), body, self._quotas)
            respond(response, flow.view(FlowView), tag=flow.tag)


class FlowItem:
    """GET, PUT and DELETE /flows/{flow_id}."""

    def __init__(self, database: Database, quotas: Quotas) -> None:
        self._database = database
        self._quotas = quotas

    @endpoint("get_flow", FlowViewWithContent, errors=[ErrorCode.INVALID_FLOW])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, flow_id: str, query: FlowQuery
    ) -> None:
        """Read a flow, its screens with content and settings."""
        flow = read_flow(reader, caller_of(request), flow_id)
        view = flow.view(FlowViewWithContent)
        if query.include is FlowPart.DRAFT:
            view = view.model_copy(update=read_draft_state(reader, flow_id))
        respond(response, view, tag=flow.tag)

    @endpoint("update_flow", FlowView, errors=[ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_put(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: FlowUpdateBody) -> None:
        """Update a flow.

        Absent members stay as they are, inside `targeting` too. Any status may become any other; archiving the default
        flow unsets it, and so does `is_default: false`. A flow that a running or paused experiment uses cannot be
        archived: 409. Where the project changes flows through drafts, only `status`, `is_default` and
        `priority` may change: 409.
        """
        with self._database.transaction() as session:
            flow = update_flow(session, caller_of(request), flow_id, body, self._quotas, if_match_of(request))
            respond(response, flow.view(FlowView), tag=flow.tag)

    @endpoint("delete_flow", errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        """Delete a flow with its screens.

        A default flow is unset. A flow that a running or paused experiment uses cannot be deleted: 409.
        """
        with self._database.transaction() as session:
            delete_flow(session, caller_of(request), flow_id, if_match_of(request))
        respond(response, message="Flow deleted")


class FlowDuplicate:
    """POST /flows/{flow_id}/duplicate."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint(
        "duplicate_flow",
        FlowView,
        status=201,
        errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
        body_is_optional=True,
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: EmptyBody) -> None:
        """Duplicate a flow.

        The copy is a draft with the screens, theme, priority and targeting of the original, named after it, and never
        the default flow. The body may be left out.
        """
        del body  # It has no members.
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            flow = duplicate_flow(session, caller_of(request), flow_id, self._quotas)
            respond(response, flow.view(FlowView), tag=flow.tag)


class FlowScreenOrder:
    """PUT /flows/{flow_id}/screens/order."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("order_screens", FlowView, errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT])
    def on_put(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: ScreenOrderBody) -> None:
        """Reorder the screens of a flow.

        `screen_ids` names every screen of the flow exactly once.
        """
        with self._database.transaction() as session:
            flow = order_screens(session, caller_of(request), flow_id, body.screen_ids, if_match_of(request))
            respond(response, flow.view(FlowView), tag=flow.tag)


class ProjectFlowOrder:
    """GET and PUT /projects/{project_id}/flows/order."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_flow_order", FlowOrderView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Read the order of evaluation: all flows of a project that are not archived, the first one first."""
        with self._database.reading() as session:
            priorities = read_flow_order(session, caller_of(request), project_id)
            respond(response, FlowOrderView(flow_ids=list(priorities)), tag=order_tag(priorities))

    @endpoint("order_flows", list[FlowPriorityView], errors=[ErrorCode.INVALID_PROJECT])
    def on_put(self, request: falcon.Request, response: falcon.Response, project_id: str, body: FlowOrderBody) -> None:
        """Put the flows of a project in the order of their evaluation, the first one first.

        `flow_ids` names every flow that is not archived exactly once. Their priorities become n-1 to 0. No flow gets a
        version.
        """
        with self._database.transaction() as session:
            priorities = order_flows(session, caller_of(request), project_id, body, if_match_of(request))
            flows = [FlowPriorityView(id=flow_id, priority=priority) for flow_id, priority in priorities.items()]
            respond(response, flows, tag=order_tag(priorities))
