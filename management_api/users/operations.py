"""The users of the installation, for its operators: list, deactivate, reactivate, erase (privacy requests).

A deactivated user keeps memberships and key, but no credential is accepted and no approval or schedule counts, from the
commit on. An erased user is gone: the logs keep the id, which no longer leads to a person, and a later token of the
identity provider makes a new user with another id.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, exists, func, literal, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import Session

from common.errors import OnboardingError
from management_api.auth.access import projects_owned_alone
from management_api.auth.lists import contains
from management_api.db.audit import OPERATOR, record_of_user, set_audit_actor
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import User

_PROJECTS = select(func.count()).where(Member.user_id == User.id).scalar_subquery()
_COLUMNS = (
    User.id, User.email, User.name, _PROJECTS.label("projects"),
    User.created_at, User.signed_in_at, User.deactivated_at,
)  # fmt: skip


class UserError(OnboardingError):
    """The user does not exist, several users have the address, or projects would be left without an owner."""


def list_users(session: Session, search: str | None, limit: int) -> Sequence[Row[Any]]:
    """Return users, the newest first; `search` is a part of the name or of the address, or an id."""
    users = select(*_COLUMNS).order_by(User.created_at.desc(), User.id.desc()).limit(limit)
    if search is not None:
        matches = (contains(column, search) for column in (User.email, User.name))
        users = users.where(or_(User.id == search, *matches))
    return session.execute(users).all()


def list_projects_with_owners(session: Session, search: str | None, limit: int) -> Sequence[Row[Any]]:
    """Return projects with the addresses, or ids, of their active owners, the newest first.

    `search` is a part of the name, an id, or the id or address of an owner.
    """
    of_project = (Member.project_id == Project.id, Member.role == Role.OWNER.value, User.is_active())
    owner = func.coalesce(User.email, User.id)
    owners = (
        select(func.string_agg(owner, aggregate_order_by(literal(", "), owner)))
        .select_from(Member)
        .join(User, User.id == Member.user_id)
        .where(*of_project)
        .scalar_subquery()
    )
    projects = select(Project.id, Project.name, owners.label("owners"), Project.created_at)
    if search is not None:
        is_owner = exists().where(*of_project, User.id == Member.user_id, _is_named(search))
        projects = projects.where(or_(Project.id == search, contains(Project.name, search), is_owner))
    kept = ~exists().where(DeletedProject.project_id == Project.id)
    return session.execute(
        projects.where(kept).order_by(Project.created_at.desc(), Project.id.desc()).limit(limit)
    ).all()


def _is_named(user: str) -> ColumnElement[bool]:
    return or_(User.id == user, func.lower(User.email) == user.lower())


def find_user(session: Session, user: str) -> User:
    """Return the user with this id or e-mail address, locked. Raises UserError."""
    found = session.scalars(select(User).where(_is_named(user)).limit(2).with_for_update(key_share=True)).all()
    if len(found) != 1:
        count = "several" if found else "no"
        raise UserError(f"{count} users have this id or address; `onboarding users list` shows the ids")
    return found[0]


def deactivate_user(session: Session, user: str, *, leave_without_owner: bool = False) -> tuple[str, Sequence[str]]:
    """Deactivate a user; return the id, and the projects that have no active owner then. Raises UserError."""
    found = find_user(session, user)
    alone = _projects_left_alone(session, found)
    if alone and not leave_without_owner:
        raise UserError(f"{_without_owner(alone)}. With --force the user is deactivated anyway")
    if found.deactivated_at is None:
        found.deactivated_at = session.scalars(select(func.clock_timestamp())).one()
        record_of_user(session, "deactivate", found.id, actor=OPERATOR)
    return found.id, alone


def reactivate_user(session: Session, user: str) -> str:
    """Accept the credentials of a user again, and return the id. Raises UserError."""
    found = find_user(session, user)
    if found.deactivated_at is not None:
        found.deactivated_at = None
        record_of_user(session, "reactivate", found.id, actor=OPERATOR)
    return found.id


def erase_user(session: Session, user: str) -> str:
    """Delete a user with name, address, API key, memberships and stored responses; return the id. Raises UserError."""
    erased = find_user(session, user)
    alone = _projects_left_alone(session, erased)
    if alone:
        raise UserError(_without_owner(alone))
    set_audit_actor(session, erased.id)
    for membership in session.scalars(select(Member).where(Member.user_id == erased.id).with_for_update()):
        session.delete(membership)
    session.flush()
    record_of_user(session, "erase", erased.id, actor=OPERATOR)
    session.delete(erased)
    return erased.id


def _projects_left_alone(session: Session, user: User) -> Sequence[str]:
    """Lock the projects that a user owns, so that no other owner leaves; return the projects without another owner."""
    owned = select(Member.project_id).where(Member.user_id == user.id, Member.role == Role.OWNER.value)
    session.execute(
        select(Project.id).where(Project.id.in_(owned)).order_by(Project.id).with_for_update(key_share=True)
    ).all()
    return projects_owned_alone(session, user.id)


def _without_owner(project_ids: Sequence[str]) -> str:
    return (
        f"the user is the last owner of {', '.join(project_ids)}: give each one another owner by"
        " `onboarding projects transfer`, or delete it"
    )
