"""The resources of media files: /media and /media/{media_id}."""

from dataclasses import dataclass

import falcon

from common.errors import Detail, ErrorCode, InvalidRequestError, UnavailableError
from common.media_store import MediaStore
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.media import Media
from management_api.http.idempotency import IdempotentWrites, project_access
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.media.facts import ACCEPTED_TYPES, UnreadableMediaError
from management_api.media.operations import (
    check_upload,
    create_media,
    delete_media,
    list_media,
    name_contents,
    read_media,
    store_objects,
    update_media,
)
from management_api.media.reading import MediaReaders
from management_api.media.schemas import MediaListQuery, MediaUpdateBody, MediaUploadQuery, MediaView, UsesView
from management_api.media.uploads import received_upload
from management_api.projects.quotas import Quotas
from management_api.settings import ManagementSettings


@dataclass(frozen=True, slots=True)
class MediaLibrary:
    """The store of media files, and their public address in front of `/{project id}/{name}`.

    Without a store, files cannot be uploaded. Without an address, it is the one that the request came to, behind the
    gateway.
    """

    store: MediaStore | None = None
    url: str | None = None

    @classmethod
    def from_settings(cls, settings: ManagementSettings) -> "MediaLibrary":
        """Return the library of the settings. Raises SettingsError for a store that cannot be opened."""
        return cls(
            store=None if settings.media_store is None else MediaStore(settings.media_store),
            url=settings.media_base_url,
        )

    def base_url(self, request: falcon.Request) -> str:
        """Return the address in front of the id of a project."""
        return self.url or f"{request.prefix}/media"


class MediaCollection:
    """GET and POST /media."""

    def __init__(self, library: MediaLibrary, quotas: Quotas, writes: IdempotentWrites, database: Database) -> None:
        self._library = library
        self._quotas = quotas
        self._writes = writes
        self._database = database
        self._readers = MediaReaders()

    @endpoint("list_media", list[MediaView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, query: MediaListQuery
    ) -> None:
        """List the media files of a project."""
        listed = list_media(reader, caller_of(request), query)
        base_url = self._library.base_url(request)
        views = [MediaView.from_row(row, base_url) for row in listed.items]
        respond(response, views, pagination=Pagination.for_page(listed.request, listed.total))

    @endpoint(
        "create_media",
        MediaView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.CONFLICT, ErrorCode.UNAVAILABLE],
        uploads=tuple(ACCEPTED_TYPES),
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, query: MediaUploadQuery) -> None:
        """Upload a media file.

        The body is the file, with its `Content-Type`. It is read in a process of its own: pictures are encoded anew in
        the sizes of phones, without metadata; fonts become WOFF2; SVG is cleaned. A video needs `poster_media_id`.
        """
        store = self._library.store
        if store is None:
            raise UnavailableError("No store of media files is set up", retry_after_seconds=300)
        caller = caller_of(request)
        with received_upload(request) as upload:
            with self._database.transaction() as session:
                check_upload(session, caller, query, self._quotas, upload.size)
            try:
                with (
                    self._readers.read(upload.file, upload.content_type) as read,
                    self._writes.idempotent_transaction(request, response, project_access(query.project_id)) as session,
                ):
                    file = name_contents(read, upload.digest)
                    store_objects(session, store, query.project_id, file)
                    media = create_media(session, caller, query, file, self._quotas)
                    view = MediaView.from_row(media, self._library.base_url(request))
                    respond(response, view, tag=tag_of(Media, media))
            except UnreadableMediaError as error:
                raise InvalidRequestError([Detail.invalid("file", str(error))]) from error


class MediaItem:
    """GET, PUT and DELETE /media/{media_id}."""

    def __init__(self, library: MediaLibrary, database: Database) -> None:
        self._library = library
        self._database = database

    @endpoint("get_media", MediaView, errors=[ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, media_id: str) -> None:
        """Read a media file, with the flows and themes that use it."""
        media, uses = read_media(reader, caller_of(request), media_id)
        view = MediaView.from_row(media, self._library.base_url(request), UsesView.model_validate(uses))
        respond(response, view, tag=tag_of(Media, media))

    @endpoint("update_media", MediaView, errors=[ErrorCode.NOT_FOUND])
    def on_put(self, request: falcon.Request, response: falcon.Response, media_id: str, body: MediaUpdateBody) -> None:
        """Change a media file.

        Absent members stay as they are; null removes a partner or the focal point. Where the project requires
        approvals, what devices see of a used file is changed by admins only.
        """
        with self._database.transaction() as session:
            media = update_media(session, caller_of(request), media_id, body, if_match_of(request))
            respond(response, MediaView.from_row(media, self._library.base_url(request)), tag=tag_of(Media, media))

    @endpoint("delete_media", errors=[ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, media_id: str) -> None:
        """Delete a media file.

        A file that a live flow, a draft, a pending schedule or a theme uses cannot be deleted: 409, whose `details`
        name up to 20 uses. Versions that have it keep showing it.
        """
        with self._database.transaction() as session:
            delete_media(session, caller_of(request), media_id, if_match_of(request))
        respond(response, message="Media file deleted")
