"""Quotas: the maximum number of projects of a user, and of members, flows, screens, themes, experiments and keys.

The caller holds the lock under which the new object is created, so that two requests cannot both take the last place.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import ConflictError
from management_api.db.models.base import Model
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.projects import Member, Project
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


def _count(parent: InstrumentedAttribute[str]) -> Select[int]:
    return select(func.count()).where(parent == bindparam("parent_id"))


_TOO_MANY_SCREENS = "A flow may have at most {} screens"
#: The number of the present objects, their maximum, and the error.
_LIMITED: dict[type[Model], tuple[Select[int], Callable[[Quotas], int], str]] = {
    Member: (
        _count(Member.project_id),
        lambda quotas: quotas.members_per_project,
        "A project may have at most {} members",
    ),
    Flow: (_count(Flow.project_id), lambda quotas: quotas.flows_per_project, "A project may have at most {} flows"),
    Screen: (_count(Screen.flow_id), lambda quotas: quotas.screens_per_flow, _TOO_MANY_SCREENS),
    Theme: (_count(Theme.project_id), lambda quotas: quotas.themes_per_project, "A project may have at most {} themes"),
    Experiment: (
        _count(Experiment.project_id),
        lambda quotas: quotas.experiments_per_project,
        "A project may have at most {} experiments",
    ),
}
_LOCKED_USER = select(User.id).where(User.id == bindparam("user_id")).with_for_update(key_share=True)
# By the creator: another user may make anybody an owner.
_CREATED = select(func.count()).where(Project.created_by == bindparam("user_id"))


def check_quota(
    session: Session,
    quotas: Quotas,
    model: type[Member] | type[Flow] | type[Screen] | type[Theme] | type[Experiment],
    parent_id: str,
) -> None:
    """Raise ConflictError if the project, or the flow of a screen, cannot have one more object of the model."""
    count, maximum, message = _LIMITED[model]
    _check(session.execute(count, {"parent_id": parent_id}).scalar_one() + 1, maximum(quotas), message)


def check_screen_count(quotas: Quotas, count: int) -> None:
    """Raise ConflictError if a flow cannot have this number of screens."""
    _check(count, quotas.screens_per_flow, _TOO_MANY_SCREENS)


def check_active_experiment_quota(session: Session, quotas: Quotas, project_id: str) -> None:
    """Raise ConflictError if the project cannot run one more experiment; a resolve may evaluate all of them."""
    count = select(func.count()).where(Experiment.project_id == project_id, Experiment.is_active())
    active = session.execute(count).scalar_one()
    _check(active + 1, quotas.active_experiments, "A project may have at most {} experiments running or paused")


def check_project_quota(session: Session, quotas: Quotas, user_id: str) -> None:
    """Raise ConflictError if the user has created too many projects that exist, the new project included.

    Locks the row of the user, so that concurrent creations by one user wait here: call it last.
    """
    session.execute(_LOCKED_USER, {"user_id": user_id})
    projects = session.execute(_CREATED, {"user_id": user_id}).scalar_one()
    _check(projects, quotas.projects_per_user, "A user may create at most {} projects")


def _check(count: int, maximum: int, message: str) -> None:
    if count > maximum:
        raise ConflictError(message.format(maximum))
