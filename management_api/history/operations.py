"""Operations on drafts and versions that are equal for flows and for themes (contract, section 7)."""

from typing import Any, Generic

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from management_api.auth.access import Caller, get_for_read
from management_api.auth.entity_tags import Precondition, tag_of
from management_api.auth.lists import Page, PagedSelect
from management_api.db.audit import record_change
from management_api.db.engine import Reader
from management_api.history.diff import document_changes
from management_api.history.drafts import get_draft
from management_api.history.schemas import MAX_VERSION, DiffView, VersionListQuery
from management_api.history.versions import (
    DraftT,
    Noun,
    PartT,
    VersionT,
    get_version,
    version_changes,
    version_not_found,
)

_MAX_DIGITS = 10


def version_number(text: str) -> int:
    """Return the number of a version in a path. Raises NotFoundError."""
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS) or int(text) > MAX_VERSION:
        raise version_not_found()
    return int(text)


def remove_draft(session: Session, noun: Noun[PartT, VersionT, DraftT], part: PartT, if_match: Precondition) -> None:
    """Delete the draft of a locked part. Raises NotFoundError, PreconditionFailedError."""
    draft = get_draft(session, noun, part.id)
    if_match.check(lambda: tag_of(noun.draft, draft))
    session.delete(draft)
    session.flush()
    record(session, noun, part, "draft_deleted")


def diff_draft(session: Session, caller: Caller, noun: Noun[PartT, VersionT, DraftT], part_id: str) -> DiffView:
    """Return the changes from the live document to the draft.

    Raises the part's not-found error, ForbiddenError, NotFoundError.
    """
    part = get_for_read(session, caller, noun.part, part_id)
    draft = get_draft(session, noun, part.id)
    live = get_version(session, noun, part.id, part.live_version)
    return DiffView(from_=live.number, to="draft", changes=document_changes(live.document, draft.document))


class VersionLists(Generic[PartT, VersionT, DraftT]):
    """The lists of the versions of each part of a kind, without their documents, which may be large."""

    def __init__(self, noun: Noun[PartT, VersionT, DraftT]) -> None:
        self._noun: Noun[PartT, VersionT, DraftT] = noun
        version = noun.version
        columns = (column for column in version.__table__.columns if column.key != "document")
        self._pages: PagedSelect[*tuple[Any, ...]] = PagedSelect(
            select(*columns).where(version.part_id == bindparam("part_id")),
            # The order of their numbers is that of their creation.
            {"created_at": version.number},
            version.part_id,
        )

    def read(self, reader: Reader, caller: Caller, part_id: str, query: VersionListQuery) -> Page[*tuple[Any, ...]]:
        """Return a page of the versions of a part. Raises the part's not-found error, ForbiddenError."""
        part = get_for_read(reader, caller, self._noun.part, part_id)
        return self._pages.read(reader, query.page_request(), {"part_id": part.id})


def read_version(
    session: Session, caller: Caller, noun: Noun[PartT, VersionT, DraftT], part_id: str, number: str
) -> VersionT:
    """Return one version. Raises the part's not-found error, ForbiddenError, NotFoundError."""
    part = get_for_read(session, caller, noun.part, part_id)
    return get_version(session, noun, part.id, version_number(number))


def diff_version(
    session: Session,
    caller: Caller,
    noun: Noun[PartT, VersionT, DraftT],
    part_id: str,
    number: str,
    against: int | None,
) -> DiffView:
    """Return the changes to a version from another one, by default the one before.

    Raises the part's not-found error, ForbiddenError, NotFoundError, InvalidRequestError for `against`.
    """
    part = get_for_read(session, caller, noun.part, part_id)
    wanted = version_number(number)
    other, changes = version_changes(session, noun, part.id, wanted, against)
    return DiffView(from_=other, to=wanted, changes=changes)


def record(session: Session, noun: Noun[PartT, VersionT, DraftT], part: PartT, verb: str, **after: object) -> None:
    """Write an entry to the audit log, such as `flow.published`."""
    record_change(session, part.project_id, entity=noun.entity, verb=verb, entity_id=part.id, after=after or None)
