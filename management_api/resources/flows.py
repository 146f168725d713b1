"""Flows: those of a project, and one by its id."""

import falcon

from management_api.database.transactions import Database
from management_api.operations.flows import create_flow, delete_flow, update_flow
from management_api.operations.whole_flows import list_flows, read_flow
from management_api.resources.exchange import body_of, caller_of, query_of, respond
from management_api.schemas.envelope import Pagination
from management_api.schemas.flows import FlowCreateBody, FlowListQuery, FlowUpdateBody, FlowView, FlowViewWithContent


class FlowCollection:
    """GET and POST /flows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        query = query_of(request, FlowListQuery)
        page = query.page_request()
        with self._database.transaction() as session:
            listed = list_flows(session, caller_of(request), query.project_id, query.filter(), page)
        respond(response, [FlowView.of(flow) for flow in listed.flows], pagination=Pagination.of(page, listed.total))

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        body = body_of(request, FlowCreateBody)
        with self._database.transaction() as session:
            flow = create_flow(session, caller_of(request), body.project_id, body.new_flow())
            respond(response, FlowView.of(flow), status=201)


class FlowItem:
    """GET, PUT and DELETE /flows/{flow_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        with self._database.transaction() as session:
            flow = read_flow(session, caller_of(request), flow_id)
            respond(response, FlowViewWithContent.of(flow))

    def on_put(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        body = body_of(request, FlowUpdateBody)
        with self._database.transaction() as session:
            flow = update_flow(session, caller_of(request), flow_id, body.changes())
            respond(response, FlowView.of(flow))

    def on_delete(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        with self._database.transaction() as session:
            delete_flow(session, caller_of(request), flow_id)
        respond(response, message="Flow deleted")
