"""Flows: reads with their screens and statistics; create, update, delete, duplicate, reorder (contract, section 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Integer,
    Row,
    Select,
    String,
    any_,
    bindparam,
    case,
    cast,
    exists,
    func,
    inspect,
    literal_column,
    select,
    update,
)
from sqlalchemy import column as sql_column
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from common.ids import IdPrefix, new_id
from management_api.auth.access import (
    Caller,
    check_may_read,
    get_for_read,
    get_for_update,
    part_for_caller,
    project_for_update,
    theme_not_found,
)
from management_api.auth.entity_tags import Precondition, etag, flow_tag
from management_api.auth.lists import MAX_LISTED_BYTES, PagedSelect, contains
from management_api.db.audit import record_updates
from management_api.db.engine import Reader
from management_api.db.models.documents import FlowDocument
from management_api.db.models.flow_history import FlowDraft, live_document
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.history import VersionOrigin
from management_api.db.models.projects import Project, QaDevice
from management_api.flows.lifecycle.document import Document, note_content
from management_api.flows.lifecycle.logic_problems import ALL_SCREENS, check_written
from management_api.flows.lifecycle.schedules import cancel_schedules
from management_api.flows.lifecycle.validation import find_theme
from management_api.flows.lifecycle.versions import live_version, make_live
from management_api.flows.logic import with_screen_ids_renamed
from management_api.flows.schemas import (
    FlowCreateBody,
    FlowListQuery,
    FlowOrderBody,
    FlowPart,
    FlowStatsView,
    FlowUpdateBody,
    FlowView,
)
from management_api.flows.statistics import STATS_COLUMNS, flow_stats
from management_api.flows.status import check_not_in_active_experiment, check_status, set_default
from management_api.media.references import check_references, screen_parts
from management_api.projects.quotas import Quotas, check_quota, check_screen_count, content_limited
from management_api.projects.review import check_new_flow
from management_api.screens.contents import check_contents
from management_api.screens.localizations import check_localizations, written_screens

MAX_NAME_LENGTH = 100
NAME_SUFFIX = " (copy)"


_FLOW_COLUMNS: tuple[Any, ...] = (
    *(getattr(Flow, attribute.key) for attribute in inspect(Flow).column_attrs),
    Flow.id.is_not_distinct_from(Project.default_flow_id).label("is_default"),
    *STATS_COLUMNS,
)
#: The live document of a listed flow: conditions that are large are null, and screens have no content. One expression,
#: which PostgreSQL evaluates for the rows of a page only.
_OUTLINE: ColumnElement[Any] = literal_column(
    f"""(
        SELECT document || jsonb_build_object(
            'targeting',
            CASE WHEN octet_length(document #>> '{{targeting,conditions}}') > {MAX_LISTED_BYTES}
            THEN jsonb_set(document -> 'targeting', '{{conditions}}', 'null')
            ELSE coalesce(document -> 'targeting', '{{}}') END,
            'screens',
            (
                SELECT coalesce(jsonb_agg(
                    jsonb_build_object('id', screen -> 'id', 'type', screen -> 'type', 'name', screen -> 'name')
                    ORDER BY place
                ), '[]')
                FROM jsonb_array_elements(document -> 'screens') WITH ORDINALITY AS listed (screen, place)
            )
        ) FROM flow_versions WHERE flow_id = flows.id AND number = flows.live_version
    )""",  # noqa: S608 - a constant
    FlowDocument(),
)
#: Behind all priorities, which are 32-bit integers.
_LAST = 2**32
_LIST = PagedSelect(
    select(*(*_FLOW_COLUMNS, _OUTLINE.label("document")))
    .join(Project, Project.id == Flow.project_id)
    .where(Flow.project_id == bindparam("project_id")),
    {
        "created_at": Flow.created_at,
        "updated_at": Flow.updated_at,
        "name": Flow.name,
        # Ids sort by the time of creation, which decides between flows of one priority. Archived flows are the last.
        "evaluation_order": case((Flow.status == FlowStatus.ARCHIVED, _LAST), else_=-cast(Flow.priority, BigInteger)),
    },
    Flow.id,
)
_FLOW: Select[*tuple[Any, ...]] = (
    select(*_FLOW_COLUMNS, live_document().label("document"))
    .join(Project, Project.id == Flow.project_id)
    .where(Flow.id == bindparam("flow_id"))
)
_FLOW_FOR_CALLER = part_for_caller(Flow, *_FLOW_COLUMNS, live_document().label("document")).join(
    Project, Project.id == Flow.project_id
)
_DRAFTS_OF_FLOWS: Select[*tuple[Any, ...]] = select(
    Flow.id, exists().where(FlowDraft.flow_id == Flow.id).label("has_draft"), Flow.live_version.label("version")
).where(Flow.id == any_(bindparam("flow_ids", type_=ARRAY(String))))

_ordered = (
    func.unnest(bindparam("flow_ids", type_=ARRAY(String)), bindparam("new_priorities", type_=ARRAY(Integer)))
    .table_valued(sql_column("id", String), sql_column("priority", Integer))
    .render_derived("ordered")
)
_SET_PRIORITIES = (
    update(Flow)
    .where(Flow.id == _ordered.c.id)
    .values(priority=_ordered.c.priority)
    .execution_options(synchronize_session=False)
)

ViewT = TypeVar("ViewT", bound=FlowView)


@dataclass(frozen=True, slots=True)
class FlowDetail:
    """The columns of a flow with `is_default` and its live `document`, and its statistics."""

    flow: Row[Any]
    stats: FlowStatsView

    @property
    def tag(self) -> str:
        """The flow's entity tag."""
        return flow_tag(self.flow, self.flow.document, is_default=self.flow.is_default)

    def view(self, model: type[ViewT]) -> ViewT:
        """Return the response."""
        return model.from_document(self.flow, self.flow.document, self.stats)


@dataclass(frozen=True, slots=True)
class FlowPage:
    """The flows of one page, and the number of flows on all pages."""

    flows: list[FlowDetail]
    total: int
    #: `has_draft` and `version` of each flow, if they were requested.
    drafts: Mapping[str, Mapping[str, Any]] | None = None


def list_flows(reader: Reader, caller: Caller, query: FlowListQuery) -> FlowPage:
    """Return a page of the project's flows. Raises ProjectNotFoundError, ForbiddenError."""
    conditions: list[ColumnElement[bool]] = []
    if query.status is not None:
        conditions.append(Flow.status == query.status)
    if query.search:
        conditions.append(contains(Flow.name, query.search))
    page = _LIST.read_in_project(reader, caller, query.project_id, query.page_request(), *conditions)
    drafts = None
    if query.include is FlowPart.DRAFT:
        drafts = _drafts_by_flow(reader, [flow.id for flow in page.items])
    return FlowPage([_detail(flow) for flow in page.items], page.total, drafts)


def read_flow(reader: Reader, caller: Caller, flow_id: str) -> FlowDetail:
    """Return one flow, its screens with content and settings. Raises FlowNotFoundError, ForbiddenError."""
    return _detail(get_for_read(reader, caller, Flow, flow_id, _FLOW_FOR_CALLER))


def read_draft_state(reader: Reader, flow_id: str) -> Mapping[str, Any]:
    """Return `has_draft` and `version` of a flow."""
    return _drafts_by_flow(reader, [flow_id]).get(flow_id, {})


def get_flow_detail(session: Session, flow_id: str) -> FlowDetail:
    """Return a flow that this transaction has changed, its screens without content and settings."""
    row: Row[Any] = session.execute(_FLOW, {"flow_id": flow_id}).one()
    return _detail(row)


def create_flow(session: Session, caller: Caller, body: FlowCreateBody, quotas: Quotas) -> FlowDetail:
    """Create a flow with its screens.

    Raises ProjectNotFoundError, NotFoundError (the theme), InvalidRequestError, ConflictError for too many, and for an
    active or default flow where the project requires approvals.
    """
    project = project_for_update(session, caller, body.project_id)
    check_quota(session, quotas, Flow, project.id)
    check_screen_count(quotas, len(body.screens))
    _check_theme(session, project.id, body.theme_id)
    check_new_flow(project, body.status, is_default=body.is_default)
    status = FlowStatus.DRAFT if project.required_approvals > 0 else body.status
    flow = Flow(id=new_id(IdPrefix.FLOW), project_id=project.id, status=status, priority=body.priority)
    document = body.document()
    check_written(document["screens"], ALL_SCREENS, "screens.{}.next.{}.go_to".format)
    check_contents((f"screens.{place}.content", screen) for place, screen in enumerate(document["screens"]))
    check_localizations(project.locales, written_screens(document["screens"], "screens"))
    check_references(session, project.id, screen_parts(document["screens"], "screens"))
    with content_limited(session, project.id, quotas):
        _add_flow(session, flow, document, caller)
        set_default(session, project, flow, wanted=body.is_default)
    return get_flow_detail(session, flow.id)


def update_flow(
    session: Session, caller: Caller, flow_id: str, body: FlowUpdateBody, quotas: Quotas, if_match: Precondition
) -> FlowDetail:
    """Change a flow.

    Raises FlowNotFoundError, NotFoundError (the theme), ForbiddenError, PreconditionFailedError, InvalidRequestError,
    ConflictError for archiving a flow that a running or paused experiment uses, for a change of more than status and
    default where the project changes flows through drafts, and for a flow that would serve content without a review.
    """
    flow = get_for_update(session, caller, Flow, flow_id, if_match=if_match)
    project = flow.project
    given = body.model_fields_set
    document = body.applied_to(live_version(session, flow).document)
    if "theme_id" in given:
        _check_theme(session, project.id, document["theme_id"])
    if "status" in given:
        check_status(session, project, flow, body.status)
    with content_limited(session, project.id, quotas):
        for name in given & {"status", "priority"}:
            setattr(flow, name, getattr(body, name))
        make_live(session, flow, document, VersionOrigin.DIRECT, caller.user_id)
        if given & {"status", "is_default"}:
            set_default(session, project, flow, wanted=body.is_default if "is_default" in given else None)
    return get_flow_detail(session, flow_id)


def delete_flow(session: Session, caller: Caller, flow_id: str, if_match: Precondition) -> None:
    """Delete a flow, its screens, QA devices and schedules; the project's default is unset with it.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, ConflictError while an experiment needs it.
    """
    flow = get_for_update(session, caller, Flow, flow_id, if_match=if_match)
    project = flow.project
    check_not_in_active_experiment(session, flow)
    if project.default_flow_id == flow_id:
        project.default_flow_id = None
        session.flush()
    # They go with the flow; the audit log has an entry for each.
    cancel_schedules(session, flow)
    for device in session.scalars(select(QaDevice).where(QaDevice.flow_id == flow.id)):
        session.delete(device)
    session.flush()
    note_content(session, flow, live_version(session, flow).document, {})
    session.delete(flow)


def duplicate_flow(session: Session, caller: Caller, flow_id: str, quotas: Quotas) -> FlowDetail:
    """Copy a flow with its screens; the copy is a draft and never the default flow.

    Raises FlowNotFoundError, ForbiddenError, ConflictError for a full project.
    """
    original = get_for_update(session, caller, Flow, flow_id)
    check_quota(session, quotas, Flow, original.project_id)
    document = live_version(session, original).document
    document = with_screen_ids_renamed(
        document, {screen["id"]: new_id(IdPrefix.SCREEN) for screen in document["screens"]}
    )
    copy = Flow(
        id=new_id(IdPrefix.FLOW),
        project_id=original.project_id,
        status=FlowStatus.DRAFT,
        priority=original.priority,
    )
    with content_limited(session, original.project_id, quotas):
        _add_flow(session, copy, {**document, "name": name_of_copy(original.name)}, caller)
    return get_flow_detail(session, copy.id)


def order_screens(
    session: Session, caller: Caller, flow_id: str, screen_ids: Sequence[str], if_match: Precondition
) -> FlowDetail:
    """Put a flow's screens in the order of the ids, and return the flow.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError, and ConflictError for an
    order in which a rule would lead backward.
    """
    flow = get_for_update(session, caller, Flow, flow_id, if_match=if_match)
    document = live_version(session, flow).document
    screens = {screen["id"]: screen for screen in document["screens"]}
    if len(screen_ids) != len(screens) or set(screen_ids) != screens.keys():
        raise InvalidRequestError([Detail.invalid("screen_ids", "must name every screen of the flow exactly once")])
    ordered = [screens[screen_id] for screen_id in screen_ids]
    check_written(ordered, None, "screens.{}.next.{}.go_to".format)
    make_live(session, flow, {**document, "screens": ordered}, VersionOrigin.DIRECT, caller.user_id)
    return get_flow_detail(session, flow_id)


def read_flow_order(session: Session, caller: Caller, project_id: str) -> dict[str, int]:
    """Return the priorities of the flows that are not archived in the order of their evaluation.

    Raises like check_may_read.
    """
    check_may_read(session, caller, project_id)
    is_listed = (Flow.project_id == project_id) & (Flow.status != FlowStatus.ARCHIVED)
    flows = select(Flow.id, Flow.priority).where(is_listed).order_by(Flow.priority.desc(), Flow.id)
    return {flow.id: flow.priority for flow in session.execute(flows)}


def order_flows(
    session: Session, caller: Caller, project_id: str, body: FlowOrderBody, if_match: Precondition
) -> dict[str, int]:
    """Set the priorities of all flows that are not archived to n-1 ... 0 in the order of the ids, and return them.

    The number of statements does not depend on the number of flows. Priorities are no content, so no version is made.

    Raises ProjectNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError unless the ids are those
    flows, each once.
    """
    project = project_for_update(session, caller, project_id)
    is_listed = (Flow.project_id == project.id) & (Flow.status != FlowStatus.ARCHIVED)
    former = {flow.id: flow.priority for flow in session.execute(select(Flow.id, Flow.priority).where(is_listed))}
    if_match.check(lambda: order_tag(former))
    if len(body.flow_ids) != len(former) or set(body.flow_ids) != former.keys():
        message = "must name every flow of the project that is not archived exactly once"
        raise InvalidRequestError([Detail.invalid("flow_ids", message)])
    priorities = {flow_id: priority for priority, flow_id in enumerate(reversed(body.flow_ids))}
    changed = [flow_id for flow_id in body.flow_ids if former[flow_id] != priorities[flow_id]]
    if changed:
        new = [priorities[flow_id] for flow_id in changed]
        session.execute(_SET_PRIORITIES, {"flow_ids": changed, "new_priorities": new})
        changes = ((flow_id, {"priority": former[flow_id]}, {"priority": priorities[flow_id]}) for flow_id in changed)
        record_updates(session, project.id, Flow, changes)
    return {flow_id: priorities[flow_id] for flow_id in body.flow_ids}


def order_tag(priorities: Mapping[str, int]) -> str:
    """Return the entity tag of the order of flows, by their priorities."""
    ordered = sorted((priority, flow_id) for flow_id, priority in priorities.items())
    return etag(ordered)


def name_of_copy(name: str) -> str:
    """Return the name of a copy; a name that would become too long loses its end."""
    return name[: MAX_NAME_LENGTH - len(NAME_SUFFIX)].rstrip() + NAME_SUFFIX


def _check_theme(session: Session, project_id: str, theme_id: str | None) -> None:
    if theme_id is not None and find_theme(session, project_id, theme_id) is None:
        raise theme_not_found()


def _add_flow(session: Session, flow: Flow, document: Document, caller: Caller) -> None:
    """Store a new flow with its first version."""
    flow.name, flow.theme_id = document["name"], document["theme_id"]
    note_content(session, flow, {}, document)
    session.add(flow)
    session.flush()
    make_live(session, flow, document, VersionOrigin.CREATED, caller.user_id)


def _detail(flow: Row[Any]) -> FlowDetail:
    return FlowDetail(flow, flow_stats(flow))


def _drafts_by_flow(reader: Reader, flow_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    rows = reader.execute(_DRAFTS_OF_FLOWS, {"flow_ids": flow_ids})
    return {row.id: {"has_draft": row.has_draft, "version": row.version} for row in rows}
