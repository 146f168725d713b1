"""Versions of flows and of themes: append, read, compare and prune them (contract, section 7, Model).

The document of the newest version is live. The caller holds the lock of the project for all that writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, delete, exists, false, func, select
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError, NotFoundError
from management_api.db.models.base import flush_and_refresh
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.history import Draft, Version, VersionOrigin
from management_api.history.diff import EMPTY_DOCUMENT, Change, document_changes

PartT = TypeVar("PartT", Flow, Theme)
VersionT = TypeVar("VersionT", bound=Version)
DraftT = TypeVar("DraftT", bound=Draft)

#: Direct writes of one user in this time after a version replace it.
REPLACE_SECONDS = 300
#: The newest versions are kept, others as long as a draft or a pending schedule needs them.
KEPT_VERSIONS = 200


@dataclass(frozen=True, slots=True)
class Noun(Generic[PartT, VersionT, DraftT]):
    """A kind of part of a project that has a document with a history: its model, and those of versions and drafts."""

    part: type[PartT]
    version: type[VersionT]
    draft: type[DraftT]
    #: The condition of versions that something else than the draft names.
    is_named: ColumnElement[bool] = false()  # noqa: RUF009 - a constant

    @property
    def entity(self) -> str:
        """The name of the kind in the audit log."""
        return self.part.audited.entity

    def is_pinned(self) -> ColumnElement[bool]:
        """Return the condition of versions that are neither replaced nor deleted."""
        is_base = exists().where(
            self.draft.part_id == self.version.part_id, self.draft.base_version == self.version.number
        )
        return is_base | self.is_named


def version_not_found() -> NotFoundError:
    """Return the error for a version that does not exist, or exists no more."""
    return NotFoundError("Version not found")


def get_version(session: Session, noun: Noun[PartT, VersionT, DraftT], part_id: str, number: int) -> VersionT:
    """Return one version. Raises NotFoundError."""
    version = session.get(noun.version, (part_id, number))
    if version is None:
        raise version_not_found()
    return version


def version_exists(session: Session, noun: Noun[PartT, VersionT, DraftT], part_id: str, number: int) -> bool:
    """Return whether there is the version."""
    return session.scalar(select(noun.version.number).where(*is_version(noun, part_id, number))) is not None


def version_changes(
    session: Session, noun: Noun[PartT, VersionT, DraftT], part_id: str, number: int, against: int | None
) -> tuple[int, Sequence[Change]]:
    """Return the number of the version that one is compared with, by default the one before, and the changes.

    Version 1 is compared with an empty document, 0. Raises NotFoundError, InvalidRequestError for `against`.
    """
    version = get_version(session, noun, part_id, number)
    other = number - 1 if against is None else against
    if other == 0:
        return 0, document_changes(EMPTY_DOCUMENT, version.document)
    former = session.get(noun.version, (part_id, other))
    if former is None:
        raise InvalidRequestError([Detail.invalid("against", "must be the number of a version that is kept")])
    return other, document_changes(former.document, version.document)


def append_version(
    session: Session,
    noun: Noun[PartT, VersionT, DraftT],
    part: PartT,
    document: dict[str, Any],
    origin: VersionOrigin,
    user_id: str | None,
    **columns: object,
) -> VersionT:
    """Store a document as the next version, and return it. The caller names it the live one.

    A direct write soon after another one of the same user replaces its version, unless a draft or a pending schedule
    refers to it. `columns` are further columns of the version.
    """
    newest = session.get(noun.version, (part.id, part.live_version)) if part.live_version else None
    if newest is not None and origin is VersionOrigin.DIRECT and _is_replaceable(session, noun, newest, user_id):
        version = newest
        version.document = document
        for name, value in columns.items():
            setattr(version, name, value)
    else:
        version = noun.version(
            part_id=part.id,
            number=part.live_version + 1,
            project_id=part.project_id,
            origin=origin.value,
            document=document,
            created_by=user_id,
            **columns,
        )
        session.add(version)
    flush_and_refresh(session, version)
    return version


def prune(session: Session, noun: Noun[PartT, VersionT, DraftT], part_ids: Sequence[str]) -> None:
    """Delete the versions of parts that are no longer kept."""
    session.execute(
        delete(noun.version)
        .where(
            noun.version.part_id == noun.part.id,
            noun.part.id.in_(part_ids),
            noun.version.number <= noun.part.live_version - KEPT_VERSIONS,
            ~noun.is_pinned(),
        )
        .execution_options(synchronize_session=False)
    )


def is_replaceable(noun: Noun[PartT, VersionT, DraftT]) -> ColumnElement[bool]:
    """Return the condition of versions that the next direct write of the same user may replace."""
    is_new = noun.version.created_at > func.clock_timestamp() - timedelta(seconds=REPLACE_SECONDS)
    return is_new & ~noun.is_pinned()


def is_version(noun: Noun[PartT, VersionT, DraftT], part_id: str, number: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of one version."""
    return noun.version.part_id == part_id, noun.version.number == number


def _is_replaceable(
    session: Session, noun: Noun[PartT, VersionT, DraftT], version: VersionT, user_id: str | None
) -> bool:
    if version.origin != VersionOrigin.DIRECT or version.created_by != user_id:
        return False
    found = select(is_replaceable(noun)).where(*is_version(noun, version.part_id, version.number))
    # Other changes of the part are written with that of the document, so that all have one audit entry.
    with session.no_autoflush:
        return session.scalars(found).one()
