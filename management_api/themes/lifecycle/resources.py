"""The resources of drafts and versions of themes: /themes/{theme_id}/draft, /publish and /versions."""

import falcon

from common.errors import ErrorCode
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.flows import Theme
from management_api.db.models.theme_history import ThemeVersion
from management_api.history.operations import diff_draft, diff_version, read_version, version_number
from management_api.history.schemas import DiffView, RestoreBody, RestoreTarget, VersionDiffQuery, VersionListQuery
from management_api.http.idempotency import IdempotentWrites, part_access
from management_api.http.requests import caller_of, if_match_of, precondition_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.themes.lifecycle.operations import (
    VERSIONS,
    delete_draft,
    publish,
    put_draft,
    read_draft,
    restore_live,
    restore_to_draft,
)
from management_api.themes.lifecycle.schemas import (
    ThemeDraftBody,
    ThemeDraftView,
    ThemePublishBody,
    ThemeVersionView,
    ThemeVersionWithDocument,
)
from management_api.themes.lifecycle.versions import THEMES

_NOT_FOUND = (ErrorCode.NOT_FOUND,)


class ThemeDraftItem:
    """GET, PUT and DELETE /themes/{theme_id}/draft."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_theme_draft", ThemeDraftView, errors=_NOT_FOUND)
    def on_get(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        """Read the draft of a theme; 404 when there is none."""
        with self._database.reading() as session:
            draft, tag = read_draft(session, caller_of(request), theme_id)
        respond(response, draft, tag=tag)

    @endpoint("put_theme_draft", ThemeDraftView, errors=_NOT_FOUND, other_responses={201: ThemeDraftView})
    def on_put(self, request: falcon.Request, response: falcon.Response, theme_id: str, body: ThemeDraftBody) -> None:
        """Create or replace the draft of a theme: 201 or 200.

        Devices get the live theme until the draft is published. `If-None-Match: *` makes a draft only where there is
        none.
        """
        with self._database.transaction() as session:
            draft, tag, is_new = put_draft(session, caller_of(request), theme_id, body, precondition_of(request))
        if is_new:
            response.status = 201
        respond(response, draft, tag=tag)

    @endpoint("delete_theme_draft", errors=_NOT_FOUND)
    def on_delete(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        """Delete the draft of a theme; the live theme stays as it is."""
        with self._database.transaction() as session:
            delete_draft(session, caller_of(request), theme_id, if_match_of(request))
        respond(response, message="Draft deleted")


class ThemeDraftDiff:
    """GET /themes/{theme_id}/draft/diff."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("diff_theme_draft", DiffView, errors=_NOT_FOUND)
    def on_get(self, request: falcon.Request, response: falcon.Response, theme_id: str) -> None:
        """Compare the draft of a theme with the live version."""
        with self._database.repeatable_read() as session:
            diff = diff_draft(session, caller_of(request), THEMES, theme_id)
        respond(response, diff)


class ThemePublication:
    """POST /themes/{theme_id}/publish."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint(
        "publish_theme_draft",
        ThemeVersionWithDocument,
        status=201,
        errors=[*_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED],
        body_is_optional=True,
    )
    def on_post(
        self, request: falcon.Request, response: falcon.Response, theme_id: str, body: ThemePublishBody
    ) -> None:
        """Make the draft live, as a new version of the theme.

        A 409 has `details`: too little contrast without `ignore_warnings`, a live version newer than the draft's
        `base_version`, or nothing to publish. Where the project requires approvals, a theme that live flows use is
        published with the role admin. `If-Match` is about the draft.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Theme, theme_id)) as session:
            version = publish(session, caller_of(request), theme_id, body, if_match_of(request))
            respond(response, ThemeVersionWithDocument.model_validate(version), tag=tag_of(ThemeVersion, version))


class ThemeVersionCollection:
    """GET /themes/{theme_id}/versions."""

    @endpoint("list_theme_versions", list[ThemeVersionView], errors=_NOT_FOUND)
    def on_get(
        self,
        request: falcon.Request,
        response: falcon.Response,
        reader: ColumnReader,
        theme_id: str,
        query: VersionListQuery,
    ) -> None:
        """List the versions of a theme, the newest first, without their documents.

        The newest 200 are kept, and the one that the draft was begun from.
        """
        page = VERSIONS.read(reader, caller_of(request), theme_id, query)
        versions = [ThemeVersionView.model_validate(version) for version in page.items]
        respond(response, versions, pagination=Pagination.for_page(page.request, page.total))


class ThemeVersionItem:
    """GET /themes/{theme_id}/versions/{number}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_theme_version", ThemeVersionWithDocument, errors=_NOT_FOUND)
    def on_get(self, request: falcon.Request, response: falcon.Response, theme_id: str, number: str) -> None:
        """Read a version of a theme with its document."""
        with self._database.reading() as session:
            version = read_version(session, caller_of(request), THEMES, theme_id, number)
            respond(response, ThemeVersionWithDocument.model_validate(version), tag=tag_of(ThemeVersion, version))


class ThemeVersionDiff:
    """GET /themes/{theme_id}/versions/{number}/diff."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("diff_theme_version", DiffView, errors=_NOT_FOUND)
    def on_get(
        self, request: falcon.Request, response: falcon.Response, theme_id: str, number: str, query: VersionDiffQuery
    ) -> None:
        """Compare a version with the one before, or with `against`; version 1 with an empty document."""
        with self._database.reading() as session:
            diff = diff_version(session, caller_of(request), THEMES, theme_id, number, query.against)
        respond(response, diff)


class ThemeVersionRestore:
    """POST /themes/{theme_id}/versions/{number}/restore."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint(
        "restore_theme_version",
        ThemeVersionWithDocument,
        status=201,
        errors=[*_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED],
        body_is_optional=True,
        other_responses={200: ThemeDraftView},
    )
    def on_post(
        self, request: falcon.Request, response: falcon.Response, theme_id: str, number: str, body: RestoreBody
    ) -> None:
        """Make a version of a theme live again, as a new version (201), or make it the draft (200).

        Where the project requires approvals, a theme that live flows use is restored with the role admin. A draft that
        was there is replaced. `If-Match` is about the version that is live, for a restore to the draft about the draft.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Theme, theme_id)) as session:
            caller, wanted, precondition = caller_of(request), version_number(number), precondition_of(request)
            if body.to is RestoreTarget.LIVE:
                version = restore_live(session, caller, theme_id, wanted, body.note, precondition)
                respond(response, ThemeVersionWithDocument.model_validate(version), tag=tag_of(ThemeVersion, version))
                return
            draft, tag = restore_to_draft(session, caller, theme_id, wanted, precondition)
            response.status = 200
            respond(response, draft, tag=tag)
