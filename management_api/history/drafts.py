"""Drafts of flows and of themes: store them, and the rules that each publication follows (contract, section 7).

The caller holds the lock of the project for all that writes.
"""

from enum import StrEnum
from typing import Any

from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError, NotFoundError
from management_api.history.versions import DraftT, Noun, PartT, VersionT, version_exists


class DraftProblem(StrEnum):
    """The codes of a draft that cannot be published as it is."""

    STALE_BASE = "STALE_BASE"
    NOTHING_TO_PUBLISH = "NOTHING_TO_PUBLISH"


def get_draft(session: Session, noun: Noun[PartT, VersionT, DraftT], part_id: str) -> DraftT:
    """Return the draft of a flow or a theme. Raises NotFoundError."""
    draft = session.get(noun.draft, part_id)
    if draft is None:
        raise NotFoundError("Draft not found")
    return draft


def store_draft(
    session: Session,
    noun: Noun[PartT, VersionT, DraftT],
    part: PartT,
    document: dict[str, Any],
    base_version: int,
    user_id: str,
) -> tuple[DraftT, bool]:
    """Store a document as the draft of a part, which the caller flushes. Return it, and whether it has changed."""
    draft = session.get(noun.draft, part.id)
    if draft is None:
        draft = noun.draft(
            part_id=part.id,
            project_id=part.project_id,
            document=document,
            base_version=base_version,
            updated_by=user_id,
        )
        session.add(draft)
        return draft, True
    draft.document, draft.base_version = document, base_version
    is_changed = session.is_modified(draft)
    if is_changed:
        draft.updated_by = user_id
    return draft, is_changed


def base_of_draft(session: Session, noun: Noun[PartT, VersionT, DraftT], part: PartT, base_version: int | None) -> int:
    """Return the version that a draft is begun from, by default the live one. Raises InvalidRequestError."""
    base = part.live_version if base_version is None else base_version
    if not version_exists(session, noun, part.id, base):
        raise InvalidRequestError([Detail.invalid("base_version", "must be the number of a version that is kept")])
    return base


def nothing_to_publish() -> ConflictError:
    """Return the error for a draft that is equal to the live document."""
    return ConflictError(
        "Nothing to publish", [Detail("", DraftProblem.NOTHING_TO_PUBLISH, "is equal to the live version")]
    )


def check_base(entity: str, live_version: int, base_version: int) -> None:
    """Raise ConflictError if the live version is newer than the one that the draft was begun from."""
    if live_version > base_version:
        message = f"is {base_version}, but version {live_version} is live: save the draft with the new base_version"
        raise ConflictError(
            f"The {entity} has changed since the draft was begun",
            [Detail("/base_version", DraftProblem.STALE_BASE, message)],
        )
