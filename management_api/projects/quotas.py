"""Quotas: the maximum number of projects of a user, of the parts of a project, and of the bytes of its content.

The caller holds the lock under which the new object is created, so that two requests cannot both take the last place.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Integer, Row, Select, bindparam, cast, func, literal, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import ConflictError
from management_api.db.models.base import Model
from management_api.db.models.documents import MAX_PUBLISHED_BYTES, MEDIA_BYTES
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import FlowDraft
from management_api.db.models.flows import Flow, FlowStatus, Theme
from management_api.db.models.projects import Member, Project
from management_api.db.models.users import User
from management_api.rollups.usage import Usage
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
    content_bytes_per_project: int
    media_per_project: int
    media_bytes_per_project: int
    events_per_day: int
    property_bytes_per_day: int
    new_devices_per_day: int

    @property
    def of_day(self) -> Usage:
        """The maximum of what a project uses in a UTC day."""
        return Usage(self.events_per_day, self.property_bytes_per_day, self.new_devices_per_day)

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
            content_bytes_per_project=settings.max_content_bytes_per_project,
            media_per_project=settings.max_media_per_project,
            media_bytes_per_project=settings.max_media_bytes_per_project,
            events_per_day=settings.quota_events_per_day,
            property_bytes_per_day=settings.quota_property_bytes_per_day,
            new_devices_per_day=settings.quota_new_devices_per_day,
        )


def _count(parent: InstrumentedAttribute[str]) -> Select[int]:
    return select(func.count()).where(parent == bindparam("project_id"))


#: The number of the present objects, their maximum, and the error.
_LIMITED: dict[type[Model], tuple[Select[int], Callable[[Quotas], int], str]] = {
    Member: (
        _count(Member.project_id),
        lambda quotas: quotas.members_per_project,
        "A project may have at most {} members",
    ),
    Flow: (_count(Flow.project_id), lambda quotas: quotas.flows_per_project, "A project may have at most {} flows"),
    Theme: (_count(Theme.project_id), lambda quotas: quotas.themes_per_project, "A project may have at most {} themes"),
    Experiment: (
        _count(Experiment.project_id),
        lambda quotas: quotas.experiments_per_project,
        "A project may have at most {} experiments",
    ),
}
_LOCKED_USER = select(User.id).where(User.id == bindparam("user_id")).with_for_update(key_share=True)
# By the creator: another user may make any user an owner.
_CREATED = select(func.count()).where(Project.created_by == bindparam("user_id"))


def check_quota(
    session: Session,
    quotas: Quotas,
    model: type[Member] | type[Flow] | type[Theme] | type[Experiment],
    project_id: str,
) -> None:
    """Raise ConflictError if the project cannot have one more object of the model."""
    count, maximum, message = _LIMITED[model]
    _check(session.execute(count, {"project_id": project_id}).scalar_one() + 1, maximum(quotas), message)


def check_screen_count(quotas: Quotas, count: int) -> None:
    """Raise ConflictError if a flow cannot have this number of screens."""
    _check(count, quotas.screens_per_flow, "A flow may have at most {} screens")


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


@contextmanager
def content_limited(session: Session, project_id: str, quotas: Quotas | None = None) -> Iterator[None]:
    """Raise ConflictError if the block makes the documents of a locked project grow above a limit.

    The limits are the quota, if it is given, and MAX_PUBLISHED_BYTES for the flows that are not archived; drafts count.
    A project that is above a limit already may be changed and made smaller. The sums are of columns with the bytes of
    each document, so no document is read. The files of a theme count for each of its flows.
    """
    before = _content_bytes(session, project_id)
    yield
    session.flush()
    after = _content_bytes(session, project_id)
    if after.published > max(before.published, MAX_PUBLISHED_BYTES):
        raise ConflictError(_TOO_MUCH_PUBLISHED.format(MAX_PUBLISHED_BYTES, after.published))
    if quotas is not None and after.total > max(before.total, quotas.content_bytes_per_project):
        raise ConflictError(_TOO_MUCH_CONTENT.format(quotas.content_bytes_per_project, after.total))


_TOO_MUCH_PUBLISHED = "Flows that are not archived may have at most {} bytes with their drafts, and would have {}"
_TOO_MUCH_CONTENT = "The flows of a project may have at most {} bytes with their drafts, and would have {}"
#: The files that a theme names. Each flow with the theme is published with them.
_FILES_OF_THEME = sum(
    (
        func.coalesce(cast(has_file, Integer), 0)
        for has_file in (
            Theme.looks["background"].has_key("media_id"),
            Theme.looks["logo"].has_key("media_id"),
            Theme.typography.has_key("fontMediaId"),
            Theme.typography.has_key("headingFontMediaId"),
        )
    ),
    start=literal(0),
)
_BYTES = Flow.document_bytes + func.coalesce(FlowDraft.document_bytes, 0) + _FILES_OF_THEME * MEDIA_BYTES
_CONTENT_BYTES = (
    select(
        func.coalesce(func.sum(_BYTES), 0).label("total"),
        func.coalesce(func.sum(_BYTES).filter(Flow.status != FlowStatus.ARCHIVED), 0).label("published"),
    )
    .outerjoin(FlowDraft, FlowDraft.flow_id == Flow.id)
    .outerjoin(Theme, Theme.id == Flow.theme_id)
    .where(Flow.project_id == bindparam("project_id"))
)


def _content_bytes(session: Session, project_id: str) -> Row[int, int]:
    return session.execute(_CONTENT_BYTES, {"project_id": project_id}).one()


def _check(count: int, maximum: int, message: str) -> None:
    if count > maximum:
        raise ConflictError(message.format(maximum))
