"""Media files of a project: list, create, read, change and delete them (contract of media, section Media library)."""

import hashlib
from collections.abc import Collection
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, bindparam, func, select, update
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, ErrorCode, InvalidRequestError, UnavailableError
from common.ids import IdPrefix, is_id, new_id
from common.media_names import DIGEST_DIGITS, object_name
from common.media_store import MediaStore, MediaStoreError
from management_api.auth.access import (
    Caller,
    check_may_read,
    get_for_read,
    get_for_update,
    media_not_found,
    project_for_update,
)
from management_api.auth.entity_tags import Precondition
from management_api.auth.lists import Page, PagedSelect, contains
from management_api.db.audit import record_change
from management_api.db.engine import Reader
from management_api.db.models.base import flush_and_refresh
from management_api.db.models.media import Media, MediaObject
from management_api.db.models.outbox import request_publication
from management_api.media.facts import EXTENSIONS, MediaKind, Role
from management_api.media.object_locks import share_objects
from management_api.media.reading import Content, ReadFile
from management_api.media.schemas import MediaListQuery, MediaUpdateBody, MediaUploadQuery
from management_api.media.uses import Uses, uses_of
from management_api.projects.quotas import Quotas
from management_api.projects.review import check_may_change_media

_IS_KEPT = Media.deleted_at.is_(None)
_LIST = PagedSelect(
    select(*Media.__table__.columns).where(Media.project_id == bindparam("project_id"), _IS_KEPT),
    {"created_at": Media.created_at, "updated_at": Media.updated_at, "name": Media.name},
    Media.id,
)
_USED = select(func.count().label("files"), func.coalesce(func.sum(Media.stored_bytes), 0).label("bytes"))
#: The kinds that a partner of each kind may have.
_POSTERS = frozenset({MediaKind.IMAGE})
#: Uses that an error names.
MAX_USE_DETAILS = 20
#: What devices get of a file; its name is for the dashboard alone.
_SHOWN_MEMBERS = frozenset({"alt", "dark_media_id", "poster_media_id", "focal_point"})


class MediaProblem(StrEnum):
    """The code of a detail of 409."""

    IN_USE = "IN_USE"
    QUOTA_USED_UP = "QUOTA_USED_UP"


class NamedFile(NamedTuple):
    """A file that was read: its facts as columns of `media`, and the content of its objects by name."""

    columns: dict[str, Any]
    contents: dict[str, Content]


def list_media(reader: Reader, caller: Caller, query: MediaListQuery) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's files. Raises ProjectNotFoundError, ForbiddenError."""
    conditions = []
    if query.kind is not None:
        conditions.append(Media.kind == query.kind)
    if query.search is not None:
        conditions.append(contains(Media.name, query.search))
    if query.digest is not None:
        main = Media.files[0]["name"].astext
        conditions.append((Media.upload_digest == query.digest) | main.startswith(query.digest[:DIGEST_DIGITS]))
    return _LIST.read_in_project(reader, caller, query.project_id, query.page_request(), *conditions)


def read_media(reader: Reader, caller: Caller, media_id: str) -> tuple[Row[*tuple[Any, ...]], Uses]:
    """Return a file and its uses. Raises NotFoundError, ForbiddenError."""
    row = get_for_read(reader, caller, Media, media_id)
    if row.deleted_at is not None:
        raise media_not_found()
    return row, uses_of(reader, row.project_id, row.id)


def check_upload(session: Session, caller: Caller, query: MediaUploadQuery, quotas: Quotas, size: int) -> None:
    """Raise the error of an upload that would be refused after it was read, so that it is not read at all."""
    check_may_read(session, caller, query.project_id)
    _check_quota(session, query.project_id, quotas, size)
    _partner(session, query.project_id, "poster_media_id", query.poster_media_id, _POSTERS)


def name_contents(read: ReadFile, upload_digest: str) -> NamedFile:
    """Return a file with the names of its objects. Reads all of its contents, for their digests."""
    facts = read.facts
    files: list[dict[str, Any]] = []
    contents: dict[str, Content] = {}
    for file, content in zip(facts.files, read.contents, strict=True):
        name = object_name(_digest(content), EXTENSIONS[file.content_type])
        contents[name] = content
        files.append({"name": name, **msgspec.to_builtins(file)})
    files.sort(key=lambda file: file["role"] != Role.MAIN)
    columns = {
        "kind": facts.kind.value,
        "width": facts.width,
        "height": facts.height,
        "duration_seconds": facts.duration_seconds,
        "family": facts.family,
        "weight": facts.weight,
        "style": facts.style,
        "metrics": msgspec.to_builtins(facts.metrics),
        "tones": msgspec.to_builtins(facts.tones),
        "placeholder_color": facts.placeholder_color,
        "upload_digest": upload_digest,
        "stored_bytes": sum(file["size"] for file in files),
        "files": files,
    }
    return NamedFile(columns, contents)


def store_objects(session: Session, store: MediaStore, project_id: str, file: NamedFile) -> None:
    """Write the objects of a file, which the clean-up leaves alone until the transaction ends.

    Call this before the transaction locks the project, because the store may hang. Raises UnavailableError.
    """
    share_objects(session, project_id)
    try:
        for name, content in file.contents.items():
            store.put(project_id, name, content, content.size)
    except MediaStoreError as error:
        raise UnavailableError("The store of media files is unavailable, please try again") from error


def create_media(session: Session, caller: Caller, query: MediaUploadQuery, file: NamedFile, quotas: Quotas) -> Media:
    """Add a file whose objects are stored by `store_objects` in the same transaction.

    Raises ProjectNotFoundError, ForbiddenError, ConflictError above a quota, InvalidRequestError for a wrong poster, or
    for a video without one.
    """
    project = project_for_update(session, caller, query.project_id)
    _check_quota(session, project.id, quotas, file.columns["stored_bytes"])
    is_video = file.columns["kind"] == MediaKind.VIDEO
    if is_video and query.poster_media_id is None:
        raise InvalidRequestError([Detail("poster_media_id", ErrorCode.MISSING_PARAMETER, "is required for a video")])
    if not is_video and query.poster_media_id is not None:
        raise InvalidRequestError([Detail.invalid("poster_media_id", "is for videos only")])
    poster = _partner(session, project.id, "poster_media_id", query.poster_media_id, _POSTERS)
    media = Media(
        id=new_id(IdPrefix.MEDIA),
        project_id=project.id,
        name=query.name,
        poster_media_id=poster,
        created_by=caller.user_id,
        **file.columns,
    )
    session.add(media)
    flush_and_refresh(session, media)
    session.add_all(MediaObject(project_id=project.id, name=name, media_id=media.id) for name in file.contents)
    return media


def update_media(
    session: Session, caller: Caller, media_id: str, body: MediaUpdateBody, if_match: Precondition
) -> Media:
    """Change the name, the alternative text, the partners or the focal point of a file.

    Raises NotFoundError, ForbiddenError also for a look of reviewed content, InvalidRequestError,
    PreconditionFailedError.
    """
    media = _for_update(session, caller, media_id, if_match)
    changed = {name: getattr(body, name) for name in body.model_fields_set}
    if body.focal_point is not None:
        if media.kind != MediaKind.IMAGE:
            raise InvalidRequestError([Detail.invalid("focal_point", "is for images only")])
        changed["focal_point"] = body.focal_point.model_dump()
    # A partner that was deleted may stay, so that a file which was read can be put back.
    shown = {name for name in _SHOWN_MEMBERS & changed.keys() if changed[name] != getattr(media, name)}
    if "dark_media_id" in shown:
        _partner(session, media.project_id, "dark_media_id", body.dark_media_id, {media.kind}, media.id)
    if "poster_media_id" in shown:
        _check_poster(media, body)
        _partner(session, media.project_id, "poster_media_id", body.poster_media_id, _POSTERS, media.id)
    if shown:
        check_may_change_media(session, caller, media.project_id, is_used=bool(_uses(session, media)))
        request_publication(session, media.project_id)
    for name, value in changed.items():
        setattr(media, name, value)
    flush_and_refresh(session, media)
    return media


def delete_media(session: Session, caller: Caller, media_id: str, if_match: Precondition) -> None:
    """Delete a file that nothing uses. Versions of flows that have it keep showing it.

    Raises NotFoundError, ForbiddenError, PreconditionFailedError, ConflictError with up to 20 uses.
    """
    media = _for_update(session, caller, media_id, if_match)
    uses = _uses(session, media)
    if uses:
        named = [("a flow", use) for use in uses.flows] + [("a theme", use) for use in uses.themes]
        details = [
            Detail(use.id, MediaProblem.IN_USE, f"is {kind} that uses the file: {use.name}")
            for kind, use in named[:MAX_USE_DETAILS]
        ]
        raise ConflictError("The file is in use", details)
    # A statement of its own: the audit log has a deletion, no change.
    session.execute(
        update(Media)
        .where(Media.id == media.id)
        .values(deleted_at=func.clock_timestamp())
        .execution_options(synchronize_session=False)
    )
    before = {"name": media.name, "alt": media.alt, "kind": media.kind}
    record_change(session, media.project_id, entity="media", verb="delete", entity_id=media.id, before=before)


def _for_update(session: Session, caller: Caller, media_id: str, if_match: Precondition) -> Media:
    media = get_for_update(session, caller, Media, media_id, if_match=if_match)
    if media.deleted_at is not None:
        raise media_not_found()
    return media


def _uses(session: Session, media: Media) -> Uses:
    return uses_of(session, media.project_id, media.id)


def _check_quota(session: Session, project_id: str, quotas: Quotas, added: int) -> None:
    used = session.execute(_USED.where(Media.project_id == project_id, _IS_KEPT)).one()
    if used.files >= quotas.media_per_project:
        _refuse(f"A project may have at most {quotas.media_per_project} media files")
    if used.bytes + added > quotas.media_bytes_per_project:
        limit = quotas.media_bytes_per_project
        _refuse(f"The media files of a project may have at most {limit} bytes, and would have {used.bytes + added}")


def _refuse(message: str) -> None:
    raise ConflictError(message, [Detail("file", MediaProblem.QUOTA_USED_UP, message)])


def _check_poster(media: Media, body: MediaUpdateBody) -> None:
    if media.kind != MediaKind.VIDEO and body.poster_media_id is not None:
        raise InvalidRequestError([Detail.invalid("poster_media_id", "is for videos only")])
    if media.kind == MediaKind.VIDEO and body.poster_media_id is None:
        raise InvalidRequestError([Detail("poster_media_id", ErrorCode.MISSING_PARAMETER, "is required for a video")])


def _partner(
    session: Session, project_id: str, field: str, media_id: str | None, kinds: Collection[str], of: str = ""
) -> str | None:
    """Return the id of a partner: a file of the same project with a fitting kind. Raises InvalidRequestError."""
    if media_id is None:
        return None
    found = session.get(Media, media_id) if is_id(IdPrefix.MEDIA, media_id) else None
    if found is None or found.project_id != project_id or found.deleted_at is not None:
        raise InvalidRequestError([Detail.invalid(field, "must be a media file of this project")])
    if found.kind not in kinds:
        raise InvalidRequestError([Detail.invalid(field, f"must be of the kind {' or '.join(sorted(kinds))}")])
    if found.id == of:
        raise InvalidRequestError([Detail.invalid(field, "must be another file")])
    return found.id


def _digest(content: Content) -> str:
    digest = hashlib.sha256()
    for portion in content:
        digest.update(portion)
    return digest.hexdigest()
