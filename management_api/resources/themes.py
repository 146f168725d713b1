"""Themes: those of a project, and one by its id."""

import falcon

from management_api.database.transactions import Database
from management_api.operations.themes import create_theme, delete_theme, list_themes, read_theme, update_theme
from management_api.resources.exchange import body_of, caller_of, query_of, respond
from management_api.schemas.envelope import Pagination
from management_api.schemas.themes import ThemeCreateBody, ThemeListQuery, ThemeUpdateBody, ThemeView


class ThemeCollection:
    """GET and POST /themes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        query = query_of(request, ThemeListQuery)
        page = query.page_request()
        with self._database.transaction() as session:
            listed = list_themes(session, caller_of(request), query.project_id, page)
        themes = [ThemeView.model_validate(theme) for theme in listed.items]
        respond(response, themes, pagination=Pagination.of(page, listed.total))

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        body = body_of(request, ThemeCreateBody)
        with self._database.transaction() as session:
            theme = create_theme(session, caller_of(request), body.project_id, body.new_theme())
            respond(response, ThemeView.model_validate(theme), status=201)


class ThemeItem:
    """GET, PUT and DELETE /themes/{theme_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def on_get(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        with self._database.transaction() as session:
            theme = read_theme(session, caller_of(request), theme_id)
            respond(response, ThemeView.model_validate(theme))

    def on_put(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        body = body_of(request, ThemeUpdateBody)
        with self._database.transaction() as session:
            theme = update_theme(session, caller_of(request), theme_id, body.changes())
            respond(response, ThemeView.model_validate(theme))

    def on_delete(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        with self._database.transaction() as session:
            delete_theme(session, caller_of(request), theme_id)
        respond(response, message="Theme deleted")
