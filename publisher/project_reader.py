"""Reader of projects: their contents in one snapshot of the database, with the revision that belongs to it.

The number of queries is the same for one project as for a batch. Each query of parts selects the owner first, then
the fields of the part's content class in their order.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, String, any_, bindparam, func, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Session

from common.ids import MAX_ID_LENGTH
from management_api.database.experiments import Experiment, ExperimentStatus
from management_api.database.flows import Flow, FlowStatus
from management_api.database.prepared import Prepared
from management_api.database.projects import Project, SecretKey
from management_api.database.publications import Publication
from management_api.database.qa_devices import QaDevice
from management_api.database.screens import Screen
from management_api.database.themes import Theme
from publisher.project_content import (
    DeletedProject,
    ExperimentContent,
    FlowContent,
    OverridingContent,
    ProjectContent,
    ProjectState,
    ScreenContent,
    SealedKey,
    ThemeContent,
    VariantContent,
)

ProjectIds = Sequence[str]
AnyRow = Row[*tuple[Any, ...]]
#: Rows by their first column, the project or the flow that they belong to.
RowsByOwner = dict[str, list[AnyRow]]


def _of_the_projects(column: InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Compare with one array instead of a list of values: one statement and one plan for any number of projects."""
    return column == any_(bindparam("project_ids", type_=ARRAY(String(MAX_ID_LENGTH))))


_PUBLICATIONS = Prepared(
    select(Publication.project_id, Publication.wanted_revision, Publication.deleted)
    .where(_of_the_projects(Publication.project_id))
    .order_by(Publication.project_id)
)
_PROJECTS = Prepared(
    select(
        Project.id,
        Project.name,
        Project.platforms,
        Project.default_flow_id,
        Project.analytics_enabled,
        Project.custom_domain,
    ).where(_of_the_projects(Project.id))
)
_SECRET_KEYS = Prepared(
    select(SecretKey.project_id, SecretKey.id, SecretKey.sealed, SecretKey.expires_at)
    .where(
        _of_the_projects(SecretKey.project_id), or_(SecretKey.expires_at.is_(None), SecretKey.expires_at > func.now())
    )
    .order_by(SecretKey.created_at, SecretKey.id)
)
_THEMES = Prepared(
    select(
        Theme.project_id,
        Theme.id,
        Theme.name,
        Theme.is_default,
        Theme.colors,
        Theme.typography,
        Theme.border_radius,
    )
    .where(_of_the_projects(Theme.project_id))
    .order_by(Theme.created_at, Theme.id)
)
_FLOWS = Prepared(
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
    .where(_of_the_projects(Flow.project_id))
    .order_by(*Flow.order_of_trial())
)
_QA_DEVICES = Prepared(
    select(QaDevice.project_id, QaDevice.flow_id, QaDevice.device_id)
    .where(_of_the_projects(QaDevice.project_id))
    .order_by(QaDevice.flow_id, QaDevice.device_id)
)
_EXPERIMENTS = Prepared(
    select(
        Experiment.project_id,
        Experiment.id,
        Experiment.name,
        Experiment.status,
        Experiment.conditions,
        Experiment.traffic_buckets,
        Experiment.salt_version,
        Experiment.primary_event,
        Experiment.started_at,
        Experiment.variants,
    )
    .where(_of_the_projects(Experiment.project_id), Experiment.is_under_way())
    .order_by(*Experiment.order_of_trial())
)
_FLOWS_OF_EXPERIMENTS = select(func.jsonb_array_elements(Experiment.variants).op("->>")("flow_id")).where(
    _of_the_projects(Experiment.project_id), Experiment.is_under_way()
)
_SCREENS = Prepared(
    select(Screen.flow_id, Screen.id, Screen.type, Screen.name, Screen.order, Screen.content, Screen.settings)
    .join(Flow, Flow.id == Screen.flow_id)
    .where(
        _of_the_projects(Screen.project_id),
        or_(
            Flow.status == FlowStatus.ACTIVE,
            Flow.id.in_(select(QaDevice.flow_id).where(_of_the_projects(QaDevice.project_id))),
            Flow.id.in_(_FLOWS_OF_EXPERIMENTS),
        ),
    )
    .order_by(Screen.flow_id, Screen.order)
)


def read_projects(session: Session, project_ids: ProjectIds) -> list[ProjectState]:
    """Return the projects that have a publication, in the order of their ids.

    The session must be of `Database.consistent_read`, so that the revision belongs to the content.
    """
    named = {"project_ids": list(project_ids)}
    publications = _PUBLICATIONS.rows(session, named)
    projects = {project.id: project for project in _PROJECTS.rows(session, named)}
    keys = _by_owner(_SECRET_KEYS.rows(session, named))
    themes = _by_owner(_THEMES.rows(session, named))
    flows = _by_owner(_FLOWS.rows(session, named))
    screens = _by_owner(_SCREENS.rows(session, named))
    qa_devices = _by_owner(_QA_DEVICES.rows(session, named))
    experiments = _by_owner(_EXPERIMENTS.rows(session, named))

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
                experiments=_experiments(experiments[project.id], flows[project.id], screens),
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


def _experiments(
    experiments: Iterable[AnyRow], flows: Iterable[AnyRow], screens: RowsByOwner
) -> tuple[ExperimentContent, ...]:
    rows = {row.id: row for row in flows}
    return tuple(
        ExperimentContent(
            experiment_id=row.id,
            name=row.name,
            is_paused=row.status == ExperimentStatus.PAUSED,
            conditions=row.conditions,
            traffic_buckets=row.traffic_buckets,
            salt_version=row.salt_version,
            primary_event=row.primary_event,
            started_at=row.started_at,
            variants=tuple(
                VariantContent(
                    key=variant["key"],
                    name=variant["name"],
                    flow=_flow(rows[variant["flow_id"]], screens),
                    weight=variant["weight"],
                    is_control=variant["is_control"],
                    ranges=tuple((start, end) for start, end in variant["ranges"]),
                )
                for variant in row.variants
            ),
        )
        for row in experiments
    )


def _by_owner(rows: Iterable[AnyRow]) -> RowsByOwner:
    grouped: RowsByOwner = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped
