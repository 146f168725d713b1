"""Members of a project and their roles: list, add, change, remove, transfer (contract, section 3)."""

from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, literal, select
from sqlalchemy.orm import Session

from common.errors import ConflictError, ForbiddenError, NotFoundError, ProjectNotFoundError
from common.ids import IdPrefix, is_id
from management_api.auth.access import Caller, check_may_read, members_for_update, projects_owned_alone
from management_api.auth.entity_tags import Precondition, tag_of
from management_api.auth.lists import Page, PagedSelect, PageRequest
from management_api.db.engine import Reader
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import User
from management_api.members.schemas import MemberAddBody
from management_api.projects.quotas import Quotas, check_quota

#: The caller, in place of a user's id.
ME = "me"

_LIST = PagedSelect(
    select(Member.user_id, User.email, User.name, Member.role, Member.created_at, Member.from_groups)
    .join(User, User.id == Member.user_id)
    .where(Member.project_id == bindparam("project_id")),
    {"created_at": Member.created_at, "updated_at": Member.created_at, "name": User.name},
    Member.user_id,
)


def list_members(reader: Reader, caller: Caller, project_id: str, page: PageRequest) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's members. Raises ProjectNotFoundError, ForbiddenError."""
    return _LIST.read_in_project(reader, caller, project_id, page)


def read_member(session: Session, caller: Caller, project_id: str, user_id: str) -> Member:
    """Return one member; `me` is the caller. Raises ProjectNotFoundError, ForbiddenError, NotFoundError."""
    check_may_read(session, caller, project_id)
    return _get_member(session, project_id, caller.user_id if user_id == ME else user_id)


def add_member(session: Session, caller: Caller, project_id: str, body: MemberAddBody, quotas: Quotas) -> Member:
    """Add a user to a project. Raises ProjectNotFoundError, ForbiddenError, NotFoundError, ConflictError."""
    own_role = members_for_update(session, caller, project_id)
    _check_may_change_owners(own_role, body.role)
    user = _find_user(session, body.user_id, body.email)
    if session.get(Member, (project_id, user.id)) is not None:
        raise ConflictError("The user is a member already")
    check_quota(session, quotas, Member, project_id)
    member = Member(project_id=project_id, user_id=user.id, role=body.role.value)
    session.add(member)
    session.flush()
    return member


def change_role(
    session: Session, caller: Caller, project_id: str, user_id: str, role: Role, if_match: Precondition
) -> Member:
    """Change the role of a member.

    Raises like add_member, and PreconditionFailedError; ConflictError for the last owner.
    """
    own_role = members_for_update(session, caller, project_id)
    member = _get_member(session, project_id, user_id)
    _check_may_change_owners(own_role, role, Role(member.role))
    if_match.check(lambda: tag_of(Member, member))
    if role is not Role.OWNER:
        _check_is_not_last_owner(session, member)
    give_role(member, role)
    return member


def remove_member(session: Session, caller: Caller, project_id: str, user_id: str, if_match: Precondition) -> None:
    """Remove a member; every member may leave, with any role. Raises like change_role."""
    leaves = user_id == caller.user_id
    own_role = members_for_update(session, replace(caller, required_role=Role.VIEWER) if leaves else caller, project_id)
    member = _get_member(session, project_id, user_id)
    if not leaves:
        _check_may_change_owners(own_role, Role(member.role))
    if_match.check(lambda: tag_of(Member, member))
    _check_is_not_last_owner(session, member)
    session.delete(member)


def transfer_project(session: Session, caller: Caller, project_id: str, user_id: str) -> Member:
    """Make an admin the owner and the caller, who is one, an admin. Return the new owner.

    Raises ProjectNotFoundError, ForbiddenError, NotFoundError, ConflictError for a member who is no active admin.
    """
    members_for_update(session, caller, project_id)
    member = _get_member(session, project_id, user_id)
    if member.role != Role.ADMIN or session.get_one(User, user_id).deactivated_at is not None:
        raise ConflictError("A project is transferred to one of its admins")
    give_role(member, Role.OWNER)
    give_role(_get_member(session, project_id, caller.user_id), Role.ADMIN)
    session.flush()
    return member


def give_project(session: Session, project_id: str, user: User) -> None:
    """Make a user the owner for an operator, whose session this is; former owners become admins.

    Raises ProjectNotFoundError, ConflictError for a user who is deactivated.
    """
    project = session.get(Project, project_id, with_for_update={"key_share": True})
    if project is None or session.get(DeletedProject, project_id) is not None:
        raise ProjectNotFoundError
    if user.deactivated_at is not None:
        raise ConflictError("The user is deactivated")
    of_project = select(Member).where(Member.project_id == project_id).with_for_update()
    members = {member.user_id: member for member in session.scalars(of_project)}
    for member in members.values():
        if member.role == Role.OWNER and member.user_id != user.id:
            give_role(member, Role.ADMIN)
    if user.id in members:
        give_role(members[user.id], Role.OWNER)
    else:
        session.add(Member(project_id=project_id, user_id=user.id, role=Role.OWNER.value))
    session.flush()


def give_role(member: Member, role: Role) -> None:
    """Give a member a role by hand, which groups of the identity provider leave alone from then on."""
    member.role = role.value
    member.from_groups = False


def _check_may_change_owners(own_role: Role, *roles: Role) -> None:
    """Raise ForbiddenError unless the caller is an owner or none of the roles, former and new, is the owner's."""
    if Role.OWNER in roles and own_role is not Role.OWNER:
        raise ForbiddenError


def _check_is_not_last_owner(session: Session, member: Member) -> None:
    if projects_owned_alone(session, member.user_id, member.project_id):
        raise ConflictError("The last owner of a project can neither leave nor get another role")


def _find_user(session: Session, user_id: str | None, email: str | None) -> User:
    """Return the user by id or by address. An address that several users have identifies none of them."""
    condition = User.id == user_id if email is None else _has_address(email)
    found = session.scalars(select(User).where(condition).limit(2)).all()
    if not found:
        raise NotFoundError("User not found; only a user who has signed in to this service can be added")
    if len(found) > 1:
        raise ConflictError("Several users have this e-mail address; name the user by user_id")
    return found[0]


def _has_address(email: str) -> ColumnElement[bool]:
    """Return the condition that a user has an address, without regard to ASCII case.

    The first comparison finds the user by the index. It also folds letters outside of ASCII, some of them into ASCII
    (KELVIN SIGN into k), as the locale of the database does; the second one, of the collation "C", does not.
    """
    address = literal(email)
    return (func.lower(User.email) == func.lower(address)) & (
        func.lower(User.email.collate("C")) == func.lower(address.collate("C"))
    )


def _get_member(session: Session, project_id: str, user_id: str) -> Member:
    member = session.get(Member, (project_id, user_id)) if is_id(IdPrefix.USER, user_id) else None
    if member is None:
        raise NotFoundError("Member not found")
    return member
