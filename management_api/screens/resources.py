"""The resources of screens: /screens, /screens/{screen_id} and /screen-templates."""

import falcon

from common.errors import ErrorCode
from management_api.auth.entity_tags import etag
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.flows import Flow
from management_api.http.idempotency import IdempotentWrites, part_access
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.projects.quotas import Quotas
from management_api.screens.operations import (
    create_screen,
    delete_screen,
    list_screens,
    read_screen,
    update_screen,
)
from management_api.screens.schemas import (
    ListedScreenView,
    ScreenCreateBody,
    ScreenListQuery,
    ScreenTemplateListQuery,
    ScreenTemplateView,
    ScreenUpdateBody,
    ScreenView,
)
from management_api.screens.templates import matching_templates, screen_templates
from management_api.templates.catalogue import page_of


class ScreenCollection:
    """GET and POST /screens."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint("list_screens", list[ListedScreenView], errors=[ErrorCode.INVALID_FLOW])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, query: ScreenListQuery
    ) -> None:
        """List the screens of a flow."""
        listed, total = list_screens(reader, caller_of(request), query)
        screens = [ListedScreenView.from_screen(screen) for screen in listed]
        respond(response, screens, pagination=Pagination.for_page(query.page_request(), total))

    @endpoint("create_screen", ScreenView, status=201, errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT])
    def on_post(self, request: falcon.Request, response: falcon.Response, body: ScreenCreateBody) -> None:
        """Create a screen.

        It becomes the last one, or the one at `order`, and the screens from there on move up by one.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Flow, body.flow_id)) as session:
            screen = create_screen(session, caller_of(request), body, self._quotas)
            respond(response, ScreenView.model_validate(screen), tag=etag(screen))


class ScreenItem:
    """GET, PUT and DELETE /screens/{screen_id}."""

    def __init__(self, database: Database, quotas: Quotas) -> None:
        self._database = database
        self._quotas = quotas

    @endpoint("get_screen", ScreenView, errors=[ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, screen_id: str) -> None:
        """Read a screen."""
        screen = read_screen(reader, caller_of(request), screen_id)
        respond(response, ScreenView.model_validate(screen), tag=etag(screen))

    @endpoint("update_screen", ScreenView, errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_put(
        self, request: falcon.Request, response: falcon.Response, screen_id: str, body: ScreenUpdateBody
    ) -> None:
        """Update a screen.

        Absent members stay as they are. A new `order` moves the screen, and the others shift: orders stay 0..n-1.
        """
        with self._database.transaction() as session:
            screen = update_screen(session, caller_of(request), screen_id, body, self._quotas, if_match_of(request))
            respond(response, ScreenView.model_validate(screen), tag=etag(screen))

    @endpoint("delete_screen", errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, screen_id: str) -> None:
        """Delete a screen.

        The screens behind it move up.
        """
        with self._database.transaction() as session:
            delete_screen(session, caller_of(request), screen_id, if_match_of(request))
        respond(response, message="Screen deleted")


class ScreenTemplateCollection:
    """GET /screen-templates."""

    @endpoint("list_screen_templates", list[ScreenTemplateView])
    def on_get(self, _request: falcon.Request, response: falcon.Response, query: ScreenTemplateListQuery) -> None:
        """List the built-in screen templates.

        A template is a starting point: copy its `type` and `default_content` into POST /screens. There is at least one
        for every type of screen; sorted by a time, they are in the order of their ids.
        """
        page = query.page_request()
        found = matching_templates(screen_templates(), query.type, query.category)
        templates = [ScreenTemplateView.model_validate(template) for template in page_of(found, page)]
        respond(response, templates, pagination=Pagination.for_page(page, len(found)))
