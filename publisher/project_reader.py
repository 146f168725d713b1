"""Reads projects as they are at one moment, with the revision that belongs to it.

The number of queries is the same for one project as for a batch of them. Each query of parts gives the owner first,
then the fields of the part's content class in their order.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, Select, func, or_, select
from sqlalchemy.orm import Session

from management_api.database.flows import Flow, FlowStatus
from management_api.database.projects import Project, SecretKey
from management_api.database.publications import Publication
from management_api.database.qa_devices import QaDevice
from management_api.database.screens import Screen
from management_api.database.themes import Theme
from publisher.project_content import (
    DeletedProject,
    FlowContent,
    OverridingContent,
    ProjectContent,
    ProjectState,
    ScreenContent,
    SealedKey,
    ThemeContent,
)

ProjectIds = Sequence[str]
AnyRow = Row[*tuple[Any, ...]]
#: Rows by their first column, the project or the flow that they belong to.
RowsByOwner = dict[str, list[AnyRow]]


def read_projects(session: Session, project_ids: ProjectIds) -> list[ProjectState]:
    """Read those of the projects that have a publication, in the order of their ids.

    The session must be of `Database.consistent_read`: only then is the wanted revision that of the state that is read.
    """
    publications = session.execute(_publications(project_ids)).all()
    projects = {project.id: project for project in session.execute(_projects(project_ids))}
    keys = _by_owner(session.execute(_secret_keys(project_ids)))
    themes = _by_owner(session.execute(_themes(project_ids)))
    flows = _by_owner(session.execute(_flows(project_ids)))
    screens = _by_owner(session.execute(_screens(project_ids)))
    qa_devices = _by_owner(session.execute(_qa_devices(project_ids)))

    states: list[ProjectState] = []
    for publication in publications:
        project = projects.get(publication.project_id)
        if project is None or publication.deleted:
            states.append(DeletedProject(publication.project_id, publication.wanted_revision))
            continue
        states.append(
            ProjectContent(
                project_id=project.id,
                revision=publication.wanted_revision,
                name=project.name,
                platforms=tuple(project.platforms),
                default_flow_id=project.default_flow_id,
                analytics_enabled=project.analytics_enabled,
                custom_domain=project.custom_domain,
                secret_keys=tuple(SealedKey(*row[1:]) for row in keys[project.id]),
                themes=tuple(ThemeContent(*row[1:]) for row in themes[project.id]),
                active_flows=tuple(_flow(row, screens) for row in flows[project.id] if row.status == FlowStatus.ACTIVE),
                flow_ids=frozenset(row.id for row in flows[project.id]),
                overrides=_overrides(qa_devices[project.id], flows[project.id], screens),
            )
        )
    return states


def _flow(row: AnyRow, screens: RowsByOwner) -> FlowContent:
    return FlowContent(
        flow_id=row.id,
        name=row.name,
        status=row.status,
        theme_id=row.theme_id,
        priority=row.priority,
        rollout_buckets=row.rollout_buckets,
        conditions=row.conditions,
        created_at=row.created_at,
        screens=tuple(ScreenContent(*screen[1:]) for screen in screens[row.id]),
    )


def _overrides(
    qa_devices: Iterable[AnyRow], flows: Iterable[AnyRow], screens: RowsByOwner
) -> tuple[OverridingContent, ...]:
    device_ids: dict[str, list[str]] = defaultdict(list)
    for row in qa_devices:
        device_ids[row.flow_id].append(row.device_id)
    rows = {row.id: row for row in flows}
    return tuple(
        OverridingContent(_flow(rows[flow_id], screens), tuple(devices)) for flow_id, devices in device_ids.items()
    )


def _by_owner(rows: Iterable[AnyRow]) -> RowsByOwner:
    grouped: RowsByOwner = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped


def _publications(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    return (
        select(Publication.project_id, Publication.wanted_revision, Publication.deleted)
        .where(Publication.project_id.in_(project_ids))
        .order_by(Publication.project_id)
    )


def _projects(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    return select(
        Project.id,
        Project.name,
        Project.platforms,
        Project.default_flow_id,
        Project.analytics_enabled,
        Project.custom_domain,
    ).where(Project.id.in_(project_ids))


def _secret_keys(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    alive = or_(SecretKey.expires_at.is_(None), SecretKey.expires_at > func.now())
    return (
        select(SecretKey.project_id, SecretKey.id, SecretKey.sealed, SecretKey.expires_at)
        .where(SecretKey.project_id.in_(project_ids), alive)
        .order_by(SecretKey.created_at, SecretKey.id)
    )


def _themes(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Theme.project_id,
            Theme.id,
            Theme.name,
            Theme.is_default,
            Theme.colors,
            Theme.typography,
            Theme.border_radius,
        )
        .where(Theme.project_id.in_(project_ids))
        .order_by(Theme.created_at, Theme.id)
    )


def _flows(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Flow.project_id,
            Flow.id,
            Flow.name,
            Flow.status,
            Flow.theme_id,
            Flow.priority,
            Flow.rollout_buckets,
            Flow.conditions,
            Flow.created_at,
        )
        .where(Flow.project_id.in_(project_ids))
        .order_by(*Flow.order_of_trial())
    )


def _qa_devices(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    return (
        select(QaDevice.project_id, QaDevice.flow_id, QaDevice.device_id)
        .where(QaDevice.project_id.in_(project_ids))
        .order_by(QaDevice.flow_id, QaDevice.device_id)
    )


def _screens(project_ids: ProjectIds) -> Select[*tuple[Any, ...]]:
    overriding = select(QaDevice.flow_id).where(QaDevice.project_id.in_(project_ids))
    return (
        select(Screen.flow_id, Screen.id, Screen.type, Screen.name, Screen.order, Screen.content, Screen.settings)
        .join(Flow, Flow.id == Screen.flow_id)
        .where(
            Screen.project_id.in_(project_ids),
            or_(Flow.status == FlowStatus.ACTIVE, Flow.id.in_(overriding)),
        )
        .order_by(Screen.flow_id, Screen.order)
    )
