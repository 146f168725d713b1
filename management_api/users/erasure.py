"""Erases a user of the dashboard: name, address, API key, memberships and stored responses (privacy requests).

The audit log keeps the id of the user, which no longer leads to a person. A later token of the identity provider makes
a new user with another id.
"""

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, aliased

from common.errors import OnboardingError
from management_api.db.audit import set_audit_actor
from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User


class UserNotErasedError(OnboardingError):
    """There is no such user, several have the address, or the user is the last owner of a project."""


def erase_user(session: Session, user: str) -> str:
    """Delete the user with this id or e-mail address, and return the id. Raises UserNotErasedError.

    The memberships are locked first, so that no other change makes the user the last owner meanwhile.
    """
    found = session.scalars(select(User).where(or_(User.id == user, func.lower(User.email) == user.lower()))).all()
    if len(found) != 1:
        raise UserNotErasedError(f"{len(found)} users have this id or address; name one by its id")
    [erased] = found
    memberships = session.scalars(select(Member).where(Member.user_id == erased.id).with_for_update()).all()
    other = aliased(Member)
    has_other_owner = (
        select(other.user_id)
        .where(other.project_id == Member.project_id, other.user_id != erased.id, other.role == Role.OWNER.value)
        .exists()
    )
    alone = session.scalars(
        select(Member.project_id).where(Member.user_id == erased.id, Member.role == Role.OWNER.value, ~has_other_owner)
    ).all()
    if alone:
        raise UserNotErasedError(
            f"the user is the last owner of {', '.join(sorted(alone))}: delete these projects, or name another owner"
        )
    set_audit_actor(session, erased.id)
    for membership in memberships:
        session.delete(membership)
    session.flush()
    session.delete(erased)
    return erased.id
