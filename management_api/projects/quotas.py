"""How many of each thing there may be: the settings say it, constructors hand it down, operations ask here.

Whoever asks holds the lock that the thing is made under, so that two at once cannot both take the last place.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, bindparam, func, select
from sqlalchemy.orm import Session

from common.errors import ConflictError
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User
from management_api.db.prepared import Prepared
from management_api.settings import ManagementSettings


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each kind."""

    projects_per_user: int
    members_per_project: int
    flows_per_project: int
    screens_per_flow: int
    themes_per_project: int
    experiments_per_project: int
    experiments_under_way: int
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
            experiments_per_project=settings.max_experiments_per_project,
            experiments_under_way=settings.max_active_experiments,
            living_secret_keys=settings.max_active_secret_keys,
        )


def _counting(of: ColumnElement[bool]) -> Prepared[*tuple[Any, ...]]:
    return Prepared(select(func.count().label("there")).where(of))


_OWNER: BindParameter[str] = bindparam("owner")
_LOCK_USER = Prepared(select(User.id).where(User.id == _OWNER).with_for_update(key_share=True))
_PROJECTS = _counting((Member.user_id == _OWNER) & (Member.role == Role.OWNER.value))
_MEMBERS = _counting(Member.project_id == _OWNER)
_FLOWS = _counting(Flow.project_id == _OWNER)
_SCREENS = _counting(Screen.flow_id == _OWNER)
_THEMES = _counting(Theme.project_id == _OWNER)
_EXPERIMENTS = _counting(Experiment.project_id == _OWNER)
_EXPERIMENTS_UNDER_WAY = _counting((Experiment.project_id == _OWNER) & Experiment.is_active())


def check_number_of_projects(session: Session, limits: Limits, user_id: str) -> None:
    """Raise ConflictError when the user, the one just made included, owns more projects than anyone may.

    Locks the user's row, for which all who make projects in this user's name wait: so it is asked last.
    """
    _LOCK_USER.rows(session, {"owner": user_id})
    projects = _count(session, _PROJECTS, user_id)
    _refuse_beyond(projects, limits.projects_per_user, "A user may own at most {} projects")


def check_room_for_member(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of members."""
    members = _count(session, _MEMBERS, project_id) + 1
    _refuse_beyond(members, limits.members_per_project, "A project may have at most {} members")


def check_room_for_flow(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of flows."""
    flows = _count(session, _FLOWS, project_id) + 1
    _refuse_beyond(flows, limits.flows_per_project, "A project may have at most {} flows")


def check_room_for_screen(session: Session, limits: Limits, flow_id: str) -> None:
    """Raise ConflictError when the flow is full of screens."""
    check_number_of_screens(limits, _count(session, _SCREENS, flow_id) + 1)


def check_number_of_screens(limits: Limits, number: int) -> None:
    """Raise ConflictError when no flow may have so many screens."""
    _refuse_beyond(number, limits.screens_per_flow, "A flow may have at most {} screens")


def check_room_for_theme(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of themes."""
    themes = _count(session, _THEMES, project_id) + 1
    _refuse_beyond(themes, limits.themes_per_project, "A project may have at most {} themes")


def check_room_for_experiment(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project is full of experiments."""
    experiments = _count(session, _EXPERIMENTS, project_id) + 1
    _refuse_beyond(experiments, limits.experiments_per_project, "A project may have at most {} experiments")


def check_room_for_experiment_under_way(session: Session, limits: Limits, project_id: str) -> None:
    """Raise ConflictError when the project runs as many experiments as it may; each resolve may ask them all."""
    experiments = _count(session, _EXPERIMENTS_UNDER_WAY, project_id) + 1
    refusal = "A project may have at most {} experiments running or paused"
    _refuse_beyond(experiments, limits.experiments_under_way, refusal)


def _count(session: Session, counting: Prepared[*tuple[Any, ...]], owner: str) -> int:
    [(there,)] = counting.rows(session, {"owner": owner})
    count: int = there
    return count


def _refuse_beyond(number: int, most: int, refusal: str) -> None:
    if number > most:
        raise ConflictError(refusal.format(most))
