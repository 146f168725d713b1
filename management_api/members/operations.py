"""Members of a project and their roles: listed, added, changed, removed (contract, section 3)."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, func, literal, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import ConflictError, ForbiddenError, NotFoundError
from common.ids import IdPrefix, is_id
from management_api.auth.access import Caller, check_may_read, members_to_change
from management_api.db.audited_rows import add_row, change_row, remove_row
from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User
from management_api.db.prepared import Prepared
from management_api.http.etags import Precondition, tag_of
from management_api.http.pagination import Page, PageRequest, read_page
from management_api.projects.quotas import Quotas, check_quota

SORTABLE: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Member.created_at, "updated_at": Member.created_at, "name": User.name,
}  # fmt: skip
_LISTED: Select[*tuple[Any, ...]] = (
    select(Member.user_id, User.email, User.name, Member.role, Member.created_at)
    .join(User, User.id == Member.user_id)
    .where(Member.project_id == bindparam("project_id"))
)
_MEMBER = Prepared(
    select(*Member.__table__.columns).where(
        Member.project_id == bindparam("project_id"), Member.user_id == bindparam("user_id")
    )
)
_OTHER_OWNERS = Prepared(
    select(func.count().label("there")).where(
        Member.project_id == bindparam("project_id"),
        Member.role == Role.OWNER.value,
        Member.user_id != bindparam("user_id"),
    )
)


@dataclass(frozen=True, slots=True)
class UserRef:
    """How a user is named who is to become a member: by exactly one of the two."""

    user_id: str | None
    email: str | None


@dataclass(frozen=True, slots=True)
class ShownMember:
    """A member with what is known of the user. The tag is of the membership: nobody changes another's name here."""

    user_id: str
    email: str | None
    name: str | None
    role: str
    created_at: datetime
    tag: str


def list_members(session: Session, caller: Caller, project_id: str, page: PageRequest) -> Page[*tuple[Any, ...]]:
    """Give a page of the project's members. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    values = {"project_id": project_id}
    return read_page(session, _LISTED, page, values, sortable=SORTABLE, tie_breaker=Member.user_id)


def add_member(
    session: Session, caller: Caller, project_id: str, who: UserRef, role: Role, quotas: Quotas
) -> ShownMember:
    """Give a user a role. Raises ProjectNotFoundError, ForbiddenError, NotFoundError, ConflictError."""
    own_role = members_to_change(session, caller, project_id)
    _check_may_handle_owners(own_role, role)
    user = _known_user(session, who)
    if _MEMBER.row(session, {"project_id": project_id, "user_id": user.id}) is not None:
        raise ConflictError("The user is a member already")
    check_quota(session, quotas, Member, project_id)
    member = add_row(session, Member, {"project_id": project_id, "user_id": user.id, "role": role.value})
    return _shown(member, user)


def change_role(
    session: Session, caller: Caller, project_id: str, user_id: str, role: Role, if_match: Precondition
) -> ShownMember:
    """Give a member another role.

    Raises like add_member, and PreconditionFailedError; ConflictError for the last owner.
    """
    own_role = members_to_change(session, caller, project_id)
    member = _member(session, project_id, user_id)
    _check_may_handle_owners(own_role, role, Role(member.role))
    if_match.check(lambda: tag_of(Member, member))
    if role is not Role.OWNER:
        _check_is_not_last_owner(session, member)
    now = change_row(session, Member, member, {"role": role.value}) or member
    return _shown(now, session.get_one(User, user_id))


def remove_member(session: Session, caller: Caller, project_id: str, user_id: str, if_match: Precondition) -> None:
    """Remove a member, or let one leave, which takes no more than being one. Raises like change_role."""
    leaves = user_id == caller.user_id
    own_role = members_to_change(session, replace(caller, needs=Role.VIEWER) if leaves else caller, project_id)
    member = _member(session, project_id, user_id)
    if not leaves:
        _check_may_handle_owners(own_role, Role(member.role))
    if_match.check(lambda: tag_of(Member, member))
    _check_is_not_last_owner(session, member)
    remove_row(session, Member, member)


def _check_may_handle_owners(own_role: Role, *roles: Role) -> None:
    """Only an owner makes an owner, or makes one something else."""
    if Role.OWNER in roles and own_role is not Role.OWNER:
        raise ForbiddenError


def _check_is_not_last_owner(session: Session, member: Row[*tuple[Any, ...]]) -> None:
    if member.role != Role.OWNER:
        return
    [(others,)] = _OTHER_OWNERS.rows(session, {"project_id": member.project_id, "user_id": member.user_id})
    if not others:
        raise ConflictError("The last owner of a project can neither leave nor become something else")


def _known_user(session: Session, who: UserRef) -> User:
    """Find the user. An address that several users have is no name: any of them could be the one who is meant."""
    named = User.id == who.user_id if who.email is None else _has_address(who.email)
    found = session.scalars(select(User).where(named).limit(2)).all()
    if not found:
        raise NotFoundError("User not found; only someone who has signed in to this service can be added")
    if len(found) > 1:
        raise ConflictError("Several users have this e-mail address; name the one by user_id")
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


def _member(session: Session, project_id: str, user_id: str) -> Row[*tuple[Any, ...]]:
    known = is_id(IdPrefix.USER, user_id)
    member = _MEMBER.row(session, {"project_id": project_id, "user_id": user_id}) if known else None
    if member is None:
        raise NotFoundError("Member not found")
    return member


def _shown(member: Row[*tuple[Any, ...]], user: User) -> ShownMember:
    return ShownMember(user.id, user.email, user.name, member.role, member.created_at, tag_of(Member, member))
