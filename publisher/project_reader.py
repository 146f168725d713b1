"""Reader of projects: their records at one moment of the database, with the revision that belongs to it.

The number of queries is the same for one project as for a batch. A query of rows with an owner selects the id of the
owner first, then the fields of the record in their order; themes have the columns' names as fields. The content of
flows is read from documents: the live one, and the draft where it is shown.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, Select, case, exists, func, inspect, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.rules.bucketing import BUCKETS
from common.wire.public_responses import ConfiguredTheme, PublicScreen, PublicTheme, PublicVariable
from management_api.db.models.base import Model
from management_api.db.models.documents import stored_bytes_of
from management_api.db.models.experiments import Experiment, ExperimentStatus
from management_api.db.models.flow_history import FlowDraft, FlowVersion, PreviewLink, is_reviewed, live, live_document
from management_api.db.models.flows import Flow, FlowStatus, Theme, theme_members
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Project, QaDevice, SecretKey
from publisher.media import MediaRecord, select_media
from publisher.project_records import (
    DeletedProject,
    ExperimentRecord,
    FlowRecord,
    PageRecord,
    ProjectRecord,
    QaOverride,
    SealedKey,
    VariantRecord,
)
from publisher.translations import served_texts

AnyRow = Row[*tuple[Any, ...]]
#: Rows by their first column, the project that owns them.
RowsByOwner = dict[str, list[AnyRow]]
#: Returns the expression of the size of a value.
SizeOf = Callable[[InstrumentedAttribute[Any]], ColumnElement[int]]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a batch of projects, by their owners."""

    keys: RowsByOwner
    themes: RowsByOwner
    flows: RowsByOwner
    qa_devices: RowsByOwner
    drafts: RowsByOwner
    links: RowsByOwner
    experiments: RowsByOwner
    unreviewed: RowsByOwner
    media: RowsByOwner


def read_projects(
    session: Session, project_ids: Sequence[str]
) -> tuple[list[ProjectRecord | DeletedProject], dict[str, Exception]]:
    """Return the projects that have a publication, in the order of their ids, and the errors of unreadable ones.

    A project is unreadable when its rows do not fit together, or are of a form that this release does not know. The
    session must be of `Database.repeatable_read`, so that the revision belongs to the content.
    """
    publications = session.execute(
        select(Publication.project_id, Publication.wanted_revision, Publication.deleted)
        .where(Publication.project_id.in_(project_ids))
        .order_by(Publication.project_id)
    ).all()
    projects = {project.id: project for project in session.execute(_select_projects(project_ids))}
    flows = _by_owner(session, _select_flows(project_ids))
    drafts = _by_owner(session, _select_drafts(project_ids))
    documents = [row.document for found in (flows, drafts) for owned in found.values() for row in owned]
    themes = _by_owner(session, _select_themes(project_ids))
    styles = [{"typography": row.typography, **row.looks} for owned in themes.values() for row in owned]
    rows = _Rows(
        keys=_by_owner(session, _select_secret_keys(project_ids)),
        themes=themes,
        flows=flows,
        qa_devices=_by_owner(session, _select_qa_devices(project_ids)),
        drafts=drafts,
        links=_by_owner(session, _select_preview_links(project_ids)),
        experiments=_by_owner(session, _select_experiments(project_ids)),
        unreviewed=_by_owner(session, _select_unreviewed(project_ids)),
        media=_by_owner(session, select_media(project_ids, documents, styles)),
    )
    records: list[ProjectRecord | DeletedProject] = []
    unreadable: dict[str, Exception] = {}
    for publication in publications:
        project = projects.get(publication.project_id)
        if project is None or publication.deleted:
            records.append(DeletedProject(publication.project_id, publication.wanted_revision))
            continue
        try:
            records.append(_project(project, publication.wanted_revision, rows))
        except Exception as error:  # noqa: BLE001 - a defect of one project must not keep the others from being read
            unreadable[project.id] = error
    return records, unreadable


def stored_bytes(session: Session, project_ids: Sequence[str]) -> dict[str, int]:
    """Return the bytes of the documents of these projects as PostgreSQL stores them: compressed, and cheap to read."""
    return _sizes(session, project_ids, func.pg_column_size)


def content_bytes(session: Session, project_ids: Sequence[str]) -> dict[str, int]:
    """Return the bytes of the documents of these projects as text, with media files; PostgreSQL decompresses them."""
    return _sizes(session, project_ids, stored_bytes_of)


def _sizes(session: Session, project_ids: Sequence[str], size_of: SizeOf) -> dict[str, int]:
    """Return the sum of the sizes of the documents that `read_projects` reads."""
    sizes: dict[str, int] = dict.fromkeys(project_ids, 0)
    for owner, size, *conditions in (
        (Flow.project_id, live(size_of(FlowVersion.document)), _is_shown_flow(project_ids)),
        (FlowDraft.project_id, size_of(FlowDraft.document), _is_shown_draft()),
        (Experiment.project_id, size_of(Experiment.conditions), Experiment.is_active()),
        (Theme.project_id, size_of(Theme.typography)),
        (Theme.project_id, size_of(Theme.looks)),
    ):
        statement = select(owner, func.sum(size)).where(owner.in_(project_ids), *conditions).group_by(owner)
        for project_id, total in session.execute(statement):
            sizes[project_id] += int(total)
    return sizes


def _project(project: AnyRow, revision: int, rows: _Rows) -> ProjectRecord:
    locales = project.locales
    flow_records = {row.id: _flow(row, locales) for row in rows.flows[project.id] if row.document is not None}
    overrides = _overrides(rows.qa_devices[project.id], flow_records, rows.drafts[project.id], locales)
    return ProjectRecord(
        project_id=project.id,
        revision=revision,
        name=project.name,
        platforms=tuple(project.platforms),
        default_flow_id=project.default_flow_id,
        analytics_enabled=project.analytics_enabled,
        record_answers=project.record_answers,
        custom_domain=project.custom_domain,
        secret_keys=tuple(SealedKey(*row[1:]) for row in rows.keys[project.id]),
        themes=tuple(_theme(row) for row in rows.themes[project.id]),
        active_flows=tuple(flow for flow in flow_records.values() if flow.status == FlowStatus.ACTIVE),
        flow_ids=frozenset(row.id for row in rows.flows[project.id]),
        overrides=overrides,
        experiments=tuple(_experiment(row, flow_records) for row in rows.experiments[project.id]),
        pages=_pages(flow_records, overrides, rows, project),
        media={row.id: MediaRecord(*row[1:]) for row in rows.media[project.id]},
        locales=tuple(locales),
    )


def _select_projects(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return select(
        Project.id,
        Project.name,
        Project.platforms,
        Project.default_flow_id,
        Project.analytics_enabled,
        Project.record_answers,
        Project.custom_domain,
        Project.locales,
    ).where(Project.id.in_(project_ids))


def _select_unreviewed(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    """Select the flows without a page: they would show unreviewed content (contract, section 7, Review)."""
    return (
        select(Flow.project_id, Flow.id)
        .join(Project, Project.id == Flow.project_id)
        .where(
            Flow.project_id.in_(project_ids),
            Project.required_approvals > 0,
            Flow.status == FlowStatus.DRAFT,
            ~is_reviewed(),
        )
    )


def _select_secret_keys(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return (
        select(SecretKey.project_id, SecretKey.id, SecretKey.sealed, SecretKey.expires_at)
        .where(
            SecretKey.project_id.in_(project_ids),
            or_(SecretKey.expires_at.is_(None), SecretKey.expires_at > func.now()),
        )
        .order_by(SecretKey.created_at, SecretKey.id)
    )


def _select_themes(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    columns = _columns(Theme, ConfiguredTheme.__struct_fields__)
    return (
        select(Theme.project_id, *columns, Theme.looks)
        .where(Theme.project_id.in_(project_ids))
        .order_by(Theme.created_at, Theme.id)
    )


def _select_flows(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    """Select all flows, with the live documents of those that are shown."""
    document = case((_is_shown_flow(project_ids), live_document())).label("document")
    return (
        select(Flow.project_id, Flow.id, Flow.status, Flow.priority, Flow.created_at, document)
        .where(Flow.project_id.in_(project_ids))
        .order_by(*Flow.evaluation_order())
    )


def _is_shown_flow(project_ids: Sequence[str]) -> ColumnElement[bool]:
    """Select the flows that a device can get: all but archived ones, and those of rules."""
    of_qa_devices = select(QaDevice.flow_id).where(QaDevice.project_id.in_(project_ids))
    of_experiments = select(func.jsonb_array_elements(Experiment.variants).op("->>")("flow_id")).where(
        Experiment.project_id.in_(project_ids), Experiment.is_active()
    )
    return or_(Flow.status != FlowStatus.ARCHIVED, Flow.id.in_(of_qa_devices), Flow.id.in_(of_experiments))


def _select_qa_devices(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return (
        select(QaDevice.project_id, QaDevice.flow_id, QaDevice.device_id, QaDevice.draft)
        .where(QaDevice.project_id.in_(project_ids))
        .order_by(QaDevice.flow_id, QaDevice.device_id)
    )


def _select_drafts(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return (
        select(FlowDraft.project_id, FlowDraft.flow_id, FlowDraft.document)
        .where(FlowDraft.project_id.in_(project_ids), _is_shown_draft())
        .order_by(FlowDraft.flow_id)
    )


def _is_shown_draft() -> ColumnElement[bool]:
    """Select the drafts that QA devices and preview links show; no other draft leaves the management side."""
    has_device = exists().where(QaDevice.flow_id == FlowDraft.flow_id, QaDevice.draft.is_(True))
    has_link = exists().where(
        PreviewLink.flow_id == FlowDraft.flow_id, PreviewLink.draft.is_(True), PreviewLink.is_valid()
    )
    return or_(has_device, has_link)


def _select_preview_links(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return (
        select(PreviewLink.project_id, PreviewLink.flow_id, PreviewLink.draft, PreviewLink.valid_from)
        .where(PreviewLink.project_id.in_(project_ids), PreviewLink.is_valid())
        .distinct()
        .order_by(PreviewLink.flow_id, PreviewLink.draft)
    )


def _select_experiments(project_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    columns = (Experiment.id, Experiment.name, Experiment.status, Experiment.conditions, Experiment.traffic_buckets)
    more = (Experiment.salt_version, Experiment.primary_event, Experiment.started_at, Experiment.variants)
    return (
        select(Experiment.project_id, *columns, *more)
        .where(Experiment.project_id.in_(project_ids), Experiment.is_active())
        .order_by(*Experiment.evaluation_order())
    )


def _columns(model: type[Model], names: Iterable[str]) -> list[InstrumentedAttribute[Any]]:
    """Return the columns of a model that a record has as fields."""
    stored = inspect(model).column_attrs
    return [getattr(model, name) for name in names if name in stored]


def _members(row: AnyRow) -> dict[str, Any]:
    """Return the columns of a row by their names, without the owner."""
    members = row._asdict()
    del members[row._fields[0]]
    return members


def _theme(row: AnyRow) -> ConfiguredTheme:
    """Return a theme. Looks that a newer release has added are left out."""
    members = _members(row)
    looks = theme_members(members.pop("colors"), members.pop("looks"))
    known = {name: value for name, value in looks.items() if name in PublicTheme.__struct_fields__}
    return ConfiguredTheme(**members, **known)


def _flow(row: AnyRow, locales: Sequence[str]) -> FlowRecord:
    return FlowRecord(
        id=row.id,
        status=row.status,
        priority=row.priority,
        created_at=row.created_at,
        **_content(row.document, locales),
    )


def _content(document: dict[str, Any], locales: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a record that a document has."""
    targeting = document["targeting"]
    return {
        "name": document["name"],
        "theme_id": document["theme_id"],
        "rollout_buckets": round(targeting["percentage"] * (BUCKETS // 100)),
        "conditions": targeting["conditions"],
        "screens": tuple(_screen(order, screen, locales) for order, screen in enumerate(document["screens"])),
        "variables": msgspec.convert(document.get("variables", ()), tuple[PublicVariable, ...]),
    }


def _screen(order: int, screen: dict[str, Any], locales: Sequence[str]) -> PublicScreen:
    """Return a screen of a document. Members that a newer release has added are left out."""
    rules = [{**rule, "goTo": rule["go_to"]} for rule in screen.get("next", ())]
    names = {"order": order, "showIf": screen.get("show_if", []), "next": rules}
    return msgspec.convert({**screen, **names, "localizations": served_texts(screen, locales)}, PublicScreen)


def _overrides(
    qa_devices: Iterable[AnyRow], flows: dict[str, FlowRecord], drafts: Iterable[AnyRow], locales: Sequence[str]
) -> tuple[QaOverride, ...]:
    documents = {row.flow_id: row.document for row in drafts}
    device_ids: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for row in qa_devices:
        device_ids[not (row.draft and row.flow_id in documents), row.flow_id].append(row.device_id)
    # An edge of release 0.2.0 takes the last entry of a flow, so the drafts stand in front.
    return tuple(
        QaOverride(flows[flow_id], tuple(devices))
        if is_live
        else QaOverride(replace(flows[flow_id], **_content(documents[flow_id], locales)), tuple(devices), is_draft=True)
        for (is_live, flow_id), devices in sorted(device_ids.items())
    )


def _pages(
    flows: dict[str, FlowRecord], overrides: Iterable[QaOverride], rows: _Rows, project: AnyRow
) -> tuple[PageRecord, ...]:
    """Return the flows with pages in the order of their ids. A link to a draft shows the flow while there is none."""
    documents = {row.flow_id: row.document for row in rows.drafts[project.id]}
    unreviewed = {row.id for row in rows.unreviewed[project.id]}
    flows_with_pages = {flow_id: flow for flow_id, flow in sorted(flows.items()) if flow.status != FlowStatus.ARCHIVED}
    return (
        *(PageRecord(flow) for flow in flows_with_pages.values() if flow.id not in unreviewed),
        *(
            PageRecord(override.flow, is_draft=True)
            for override in overrides
            if override.is_draft and override.flow.id in flows_with_pages
        ),
        *(
            PageRecord(
                replace(flows_with_pages[link.flow_id], **_content(documents[link.flow_id], project.locales))
                if link.draft and link.flow_id in documents
                else flows_with_pages[link.flow_id],
                is_draft=link.draft,
                is_preview=True,
                valid_from=0 if link.valid_from is None else int(link.valid_from.timestamp()),
            )
            for link in rows.links[project.id]
            if link.flow_id in flows_with_pages
        ),
    )


def _experiment(row: AnyRow, flows: dict[str, FlowRecord]) -> ExperimentRecord:
    return ExperimentRecord(
        experiment_id=row.id,
        name=row.name,
        is_paused=row.status == ExperimentStatus.PAUSED,
        conditions=row.conditions,
        traffic_buckets=row.traffic_buckets,
        salt_version=row.salt_version,
        primary_event=row.primary_event,
        started_at=row.started_at,
        variants=tuple(
            VariantRecord(
                key=variant["key"],
                name=variant["name"],
                flow=flows[variant["flow_id"]],
                weight=variant["weight"],
                is_control=variant["is_control"],
                ranges=tuple((start, end) for start, end in variant["ranges"]),
            )
            for variant in row.variants
        ),
    )


def _by_owner(session: Session, statement: Select[*tuple[Any, ...]]) -> RowsByOwner:
    grouped: RowsByOwner = defaultdict(list)
    for row in session.execute(statement):
        grouped[row[0]].append(row)
    return grouped
