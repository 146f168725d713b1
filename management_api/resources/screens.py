"""Screens: those of a flow, and one by its id."""

import falcon

from management_api.database.transactions import Database
from management_api.operations.screens import (
    create_screen,
    delete_screen,
    list_screens,
    read_screen,
    update_screen,
)
from management_api.resources.exchange import body_of, caller_of, query_of, respond
from management_api.schemas.envelope import Pagination
from management_api.schemas.screens import ScreenCreateBody, ScreenListQuery, ScreenUpdateBody, ScreenView


class ScreenCollection:
    """GET and POST /screens."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        query = query_of(request, ScreenListQuery)
        page = query.page_request()
        with self._database.transaction() as session:
            listed = list_screens(session, caller_of(request), query.flow_id, query.type, page)
        screens = [ScreenView.model_validate(screen) for screen in listed.items]
        respond(response, screens, pagination=Pagination.of(page, listed.total))

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        body = body_of(request, ScreenCreateBody)
        with self._database.transaction() as session:
            screen = create_screen(session, caller_of(request), body.flow_id, body.new_screen(), body.order)
            respond(response, ScreenView.model_validate(screen), status=201)


class ScreenItem:
    """GET, PUT and DELETE /screens/{screen_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, request: falcon.Request, response: falcon.Response, screen_id: str) -> None:
        with self._database.transaction() as session:
            screen = read_screen(session, caller_of(request), screen_id)
            respond(response, ScreenView.model_validate(screen))

    def on_put(self, request: falcon.Request, response: falcon.Response, screen_id: str) -> None:
        body = body_of(request, ScreenUpdateBody)
        with self._database.transaction() as session:
            screen = update_screen(session, caller_of(request), screen_id, body.changes())
            respond(response, ScreenView.model_validate(screen))

    def on_delete(self, request: falcon.Request, response: falcon.Response, screen_id: str) -> None:
        with self._database.transaction() as session:
            delete_screen(session, caller_of(request), screen_id)
        respond(response, message="Screen deleted")
