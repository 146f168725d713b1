"""Quotas: the maximum number of projects of a user, and of members, flows, screens, themes, experiments and keys.

The caller holds the lock under which the new object is created, so that two requests cannot both take the last place.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from common.errors import ConflictError
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User
from management_api.settings import ManagementSettings


@dataclass(frozen=True, slots=True)
class Quotas:
    """The maximum of each kind."""

    projects_per_user: int
    members_per_project: int
    flows_per_project: int
    screens_per_flow: int
    themes_per_project: int
    experiments_per_project: int
    active_experiments: int
    active_secret_keys: int

    @classmethod
    def from_settings(cls, settings: ManagementSettings) -> "Quotas":
        """Return the quotas of the settings."""
        return cls(
            projects_per_user=settings.max_projects_per_user,
            members_per_project=settings.max_members_per_project,
            flows_per_project=settings.max_flows_per_project,
            screens_per_flow=settings.max_screens_per_flow,
            themes_per_project=settings.max_themes_per_project,
            experiments_per_project=settings.max_experiments_per_project,
            active_experiments=settings.max_active_experiments,
            active_secret_keys=settings.max_active_secret_keys,
        )


def check_quota(
    session: Session,
    quotas: Quotas,
    model: type[Member] | type[Flow] | type[Screen] | type[Theme] | type[Experiment],
    parent_id: str,
) -> None:
    """Raise ConflictError if the project, or the flow of a screen, cannot have one more object of the model."""
    if model is Screen:
        check_screen_count(quotas, _count(session, Screen.flow_id == parent_id) + 1)
    elif model is Member:
        members = _count(session, Member.project_id == parent_id)
        _check(members + 1, quotas.members_per_project, "A project may have at most {} members")
    elif model is Flow:
        flows = _count(session, Flow.project_id == parent_id)
        _check(flows + 1, quotas.flows_per_project, "A project may have at most {} flows")
    elif model is Theme:
        themes = _count(session, Theme.project_id == parent_id)
        _check(themes + 1, quotas.themes_per_project, "A project may have at most {} themes")
    else:
        experiments = _count(session, Experiment.project_id == parent_id)
        _check(experiments + 1, quotas.experiments_per_project, "A project may have at most {} experiments")


def check_screen_count(quotas: Quotas, count: int) -> None:
    """Raise ConflictError if a flow cannot have this number of screens."""
    _check(count, quotas.screens_per_flow, "A flow may have at most {} screens")


def check_active_experiment_quota(session: Session, quotas: Quotas, project_id: str) -> None:
    """Raise ConflictError if the project cannot run one more experiment; a resolve may evaluate all of them."""
    active = _count(session, (Experiment.project_id == project_id) & Experiment.is_active())
    _check(active + 1, quotas.active_experiments, "A project may have at most {} experiments running or paused")


def check_project_quota(session: Session, quotas: Quotas, user_id: str) -> None:
    """Raise ConflictError if the user owns too many projects, the new project included.

    Locks the row of the user, so that concurrent creations by one user wait here: call it last.
    """
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))
    projects = _count(session, (Member.user_id == user_id) & (Member.role == Role.OWNER.value))
    _check(projects, quotas.projects_per_user, "A user may own at most {} projects")


def _count(session: Session, condition: ColumnElement[bool]) -> int:
    return session.execute(select(func.count()).where(condition)).scalar_one()


def _check(count: int, maximum: int, message: str) -> None:
    if count > maximum:
        raise ConflictError(message.format(maximum))
