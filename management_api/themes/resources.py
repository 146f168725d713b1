"""The resources of themes: /themes and /themes/{theme_id}."""

import falcon

from common.errors import ErrorCode
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.flows import Theme
from management_api.http.idempotency import IdempotentWrites, project_access
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.projects.quotas import Quotas
from management_api.themes.operations import create_theme, delete_theme, list_themes, read_theme, update_theme
from management_api.themes.schemas import ThemeCreateBody, ThemeListQuery, ThemeQuery, ThemeUpdateBody, ThemeView


class ThemeCollection:
    """GET and POST /themes."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint("list_themes", list[ThemeView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, query: ThemeListQuery
    ) -> None:
        """List the themes of a project."""
        listed = list_themes(reader, caller_of(request), query)
        themes = [ThemeView.of(theme, query.include) for theme in listed.items]
        respond(response, themes, pagination=Pagination.for_page(listed.request, listed.total))

    @endpoint(
        "create_theme",
        ThemeView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, body: ThemeCreateBody) -> None:
        """Create a theme.

        With `based_on`, the members of the look that are absent are copied from that theme: `colors`, `typography`,
        `borderRadius`, `appearance`, `background`, `logo`, `button`, `choice`, `progress`, `transition`, `spacing`.
        """
        with self._writes.idempotent_transaction(request, response, project_access(body.project_id)) as session:
            theme = create_theme(session, caller_of(request), body, self._quotas)
            respond(response, ThemeView.of(theme), tag=tag_of(Theme, theme))


class ThemeItem:
    """GET, PUT and DELETE /themes/{theme_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_theme", ThemeView, errors=[ErrorCode.NOT_FOUND])
    def on_get(
        self,
        request: falcon.Request,
        response: falcon.Response,
        reader: ColumnReader,
        theme_id: str,
        query: ThemeQuery,
    ) -> None:
        """Read a theme."""
        theme = read_theme(reader, caller_of(request), theme_id)
        respond(response, ThemeView.of(theme, query.include), tag=tag_of(Theme, theme))

    @endpoint("update_theme", ThemeView, errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_put(self, request: falcon.Request, response: falcon.Response, theme_id: str, body: ThemeUpdateBody) -> None:
        """Update a theme.

        Absent members stay as they are; a member that is present is replaced completely. Null unsets `appearance`,
        `background`, `logo`, `button`, `choice`, `progress`, `transition` or `spacing`.
        """
        with self._database.transaction() as session:
            theme = update_theme(session, caller_of(request), theme_id, body, if_match_of(request))
            respond(response, ThemeView.of(theme), tag=tag_of(Theme, theme))

    @endpoint("delete_theme", errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        """Delete a theme.

        It is unset in the flows that have it. Where the project changes flows through drafts, a theme of a flow cannot
        be deleted: 409.
        """
        with self._database.transaction() as session:
            delete_theme(session, caller_of(request), theme_id, if_match_of(request))
        respond(response, message="Theme deleted")
