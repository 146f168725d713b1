"""Changes of flows: create, update, delete, duplicate, reorder the screens (contract, section 3)."""

from collections.abc import Sequence

from sqlalchemy import func, inspect, select
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from common.ids import IdPrefix, is_id, new_id
from management_api.auth.access import Caller, get_for_update, project_for_update, theme_not_found
from management_api.db.etags import Precondition
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, FlowStatus, Screen, Theme
from management_api.db.models.projects import Project
from management_api.flows.queries import FlowDetail, get_flow_detail
from management_api.flows.schemas import FlowCreateBody, FlowUpdateBody
from management_api.projects.quotas import Quotas, check_quota, check_screen_count
from management_api.screens.operations import add_screens, reorder_screens

MAX_NAME_LENGTH = 100
NAME_SUFFIX = " (copy)"
#: The columns that a copy does not take over.
_OWN_COLUMNS = frozenset({"id", "name", "status", "created_at", "updated_at"})


def create_flow(session: Session, caller: Caller, body: FlowCreateBody, quotas: Quotas) -> FlowDetail:
    """Create a flow with its screens.

    Raises ProjectNotFoundError, NotFoundError (the theme), InvalidRequestError, ConflictError for too many.
    """
    project = project_for_update(session, caller, body.project_id)
    check_quota(session, quotas, Flow, project.id)
    check_screen_count(quotas, len(body.screens))
    _check_theme(session, project.id, body.theme_id)
    flow = Flow(id=new_id(IdPrefix.FLOW), project_id=project.id, **body.columns())
    session.add(flow)
    session.flush()
    add_screens(session, flow, [screen.columns() for screen in body.screens])
    _set_default(project, flow, wanted=body.is_default)
    session.flush()
    return get_flow_detail(session, flow.id)


def update_flow(
    session: Session, caller: Caller, flow_id: str, body: FlowUpdateBody, if_match: Precondition
) -> FlowDetail:
    """Change a flow.

    Raises FlowNotFoundError, NotFoundError (the theme), ForbiddenError, PreconditionFailedError, InvalidRequestError,
    ConflictError for archiving a flow that a running or paused experiment uses.
    """
    flow = get_for_update(session, caller, Flow, flow_id, if_match=if_match)
    project = flow.project
    columns = body.columns()
    if columns.get("status") == FlowStatus.ARCHIVED != flow.status:
        _check_not_in_active_experiment(session, flow)
    _check_theme(session, project.id, columns.get("theme_id"))
    for name, value in columns.items():
        setattr(flow, name, value)
    session.flush()
    _set_default(project, flow, wanted=body.is_default if "is_default" in body.model_fields_set else None)
    session.flush()
    return get_flow_detail(session, flow_id)


def delete_flow(session: Session, caller: Caller, flow_id: str, if_match: Precondition) -> None:
    """Delete a flow and its screens; the project's default is unset with it.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, ConflictError while an experiment needs it.
    """
    flow = get_for_update(session, caller, Flow, flow_id, if_match=if_match)
    project = flow.project
    _check_not_in_active_experiment(session, flow)
    if project.default_flow_id == flow_id:
        project.default_flow_id = None
        session.flush()
    session.delete(flow)


def duplicate_flow(session: Session, caller: Caller, flow_id: str, quotas: Quotas) -> FlowDetail:
    """Copy a flow with its screens; the copy is a draft and never the default flow.

    Raises FlowNotFoundError, ForbiddenError, ConflictError for a full project.
    """
    original = get_for_update(session, caller, Flow, flow_id)
    check_quota(session, quotas, Flow, original.project_id)
    names = {attribute.key for attribute in inspect(Flow).column_attrs} - _OWN_COLUMNS
    columns = {name: getattr(original, name) for name in names}
    copy = Flow(id=new_id(IdPrefix.FLOW), name=name_of_copy(original.name), status=FlowStatus.DRAFT, **columns)
    session.add(copy)
    session.flush()
    screens = select(Screen.type, Screen.name, Screen.content, Screen.settings).where(Screen.flow_id == flow_id)
    add_screens(session, copy, session.execute(screens.order_by(Screen.order)).mappings().all())
    return get_flow_detail(session, copy.id)


def order_screens(
    session: Session, caller: Caller, flow_id: str, screen_ids: Sequence[str], if_match: Precondition
) -> FlowDetail:
    """Put a flow's screens in the order of the ids, and return the flow.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError.
    """
    flow = get_for_update(session, caller, Flow, flow_id, if_match=if_match)
    reorder_screens(session, flow, screen_ids)
    return get_flow_detail(session, flow_id)


def name_of_copy(name: str) -> str:
    """Return the name of a copy; a name that would become too long loses its end."""
    return name[: MAX_NAME_LENGTH - len(NAME_SUFFIX)].rstrip() + NAME_SUFFIX


def _set_default(project: Project, flow: Flow, *, wanted: bool | None) -> None:
    """Make the flow the default one or not; an archived flow never is. None changes nothing else.

    `is_default: true` for the default flow that is being archived was read with it (GET, edit, PUT), and is ignored.
    Raises InvalidRequestError for it on another archived flow.
    """
    is_default, is_archived = project.default_flow_id == flow.id, flow.status == FlowStatus.ARCHIVED
    if is_default and (is_archived or wanted is False):
        project.default_flow_id = None
    elif wanted and is_archived:
        raise InvalidRequestError([Detail.invalid("is_default", "must not be true for an archived flow")])
    elif wanted:
        project.default_flow_id = flow.id


def _check_theme(session: Session, project_id: str, theme_id: str | None) -> None:
    if theme_id is None:
        return
    theme = session.get(Theme, theme_id) if is_id(IdPrefix.THEME, theme_id) else None
    if theme is None or theme.project_id != project_id:
        raise theme_not_found()


def _check_not_in_active_experiment(session: Session, flow: Flow) -> None:
    """Raise ConflictError when a running or paused experiment assigns the flow to devices."""
    experiments = select(func.count()).where(
        Experiment.project_id == flow.project_id,
        Experiment.is_active(),
        Experiment.variants.contains([{"flow_id": flow.id}]),
    )
    if session.scalars(experiments).one():
        raise ConflictError("The flow is used by a running or paused experiment")
