"""How many of each thing there may be: the settings say it, constructors hand it down, operations ask here.

Whoever asks holds the lock that the thing is made under, so that two at once cannot both take the last place.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from common.errors import ConflictError
from common.settings import ManagementSettings
from management_api.database.flows import Flow
from management_api.database.projects import Member, Role
from management_api.database.screens import Screen
from management_api.database.themes import Theme
from management_api.database.users import User


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each kind."""

    projects_per_user: int
    members_per_project: int
    flows_per_project: int
    screens_per_flow: int
    themes_per_project: int
    living_secret_keys: int

    @classmethod
    def of(cls, settings: ManagementSettings) -> "Limits":
        """Take the limits out of the settings."""
        return cls(
            projects_per_user=settings.max_projects_per_user,
            members_per_project=settings.max_members_per_project,
            flows_per_project=settings.max_flows_per_project,
            screens_per_flow=settings.max_screens_per_flow,
            themes_per_project=settings.max_themes_per_project,
            living_secret_keys=settings.max_living_secret_keys,
        )


def check_room_for_project(session: Session, limits: Limits, user_id: str) -> None:
    """Raise ConflictError when the user owns as many projects as anyone may. Locks the user's row."""
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))
    owned = (Member.user_id == user_id) & (Member.role == Role.OWNER.value)
    _check(session, owned, 1, limits.projects_per_user, "A user may own at most {} projects")


def check_room_for_member(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of members."""
    most = limits.members_per_project
    _check(session, Member.project_id == project_id, 1, most, "A project may have at most {} members")


def check_room_for_flow(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of flows."""
    most = limits.flows_per_project
    _check(session, Flow.project_id == project_id, 1, most, "A project may have at most {} flows")


def check_room_for_screens(session: Session, limits: Limits, flow_id: str, more: int) -> None:
    """Raise ConflictError when the flow cannot take so many more screens."""
    most = limits.screens_per_flow
    _check(session, Screen.flow_id == flow_id, more, most, "A flow may have at most {} screens")


def check_room_for_theme(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of themes."""
    most = limits.themes_per_project
    _check(session, Theme.project_id == project_id, 1, most, "A project may have at most {} themes")


def _check(session: Session, there: ColumnElement[bool], more: int, most: int, refusal: str) -> None:
    count = session.scalar(select(func.count()).where(there)) or 0
    if count + more > most:
        raise ConflictError(refusal.format(most))
