"""Changes of flows: create, update, delete, duplicate (contract, section 3)."""

from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from sqlalchemy import Row, bindparam, func, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from common.ids import IdPrefix, is_id, new_id
from common.rules.conditions import Condition
from management_api.auth.access import FLOW, Caller, part_to_change, project_to_change, theme_not_found
from management_api.db.audited_rows import add_row, change_row, remove_row
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, FlowStatus, Screen, ScreenType, Theme
from management_api.db.models.projects import Project
from management_api.db.prepared import Prepared
from management_api.flows.queries import WholeFlow, new_whole_flow, whole_flow
from management_api.flows.targeting import stored_conditions
from management_api.http.etags import Precondition
from management_api.projects.quotas import Quotas, check_quota, check_screen_count
from management_api.screens.operations import NewScreen, add_screens

_THEME = Prepared(
    select(Theme.id).where(Theme.id == bindparam("theme_id"), Theme.project_id == bindparam("project_id"))
)


@dataclass(frozen=True, slots=True)
class NewFlow:
    """What a flow is made of. `rollout_buckets` is the percentage x 100; `screens` are numbered as they stand."""

    name: str
    description: str | None
    status: FlowStatus
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: tuple[Condition, ...]
    is_default: bool
    screens: tuple[NewScreen, ...]


class FlowChanges(TypedDict, total=False):
    """What a PUT changes; an absent member stays as it is."""

    name: str
    description: str | None
    status: FlowStatus
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: tuple[Condition, ...]
    is_default: bool


class DefaultFlow(NamedTuple):
    """Which flow is the default one of a locked project, or was: None is none."""

    id: str
    default_flow_id: str | None


def create_flow(session: Session, caller: Caller, project_id: str, new: NewFlow, quotas: Quotas) -> WholeFlow:
    """Make a flow with its screens.

    Raises ProjectNotFoundError, NotFoundError (the theme), InvalidRequestError, ConflictError when there are too many.
    """
    project = project_to_change(session, caller, project_id)
    check_quota(session, quotas, Flow, project_id)
    check_screen_count(quotas, len(new.screens))
    _check_theme(session, project_id, new.theme_id)
    flow = add_row(
        session,
        Flow,
        {
            "id": new_id(IdPrefix.FLOW),
            "project_id": project_id,
            "name": new.name,
            "description": new.description,
            "status": new.status.value,
            "theme_id": new.theme_id,
            "priority": new.priority,
            "rollout_buckets": new.rollout_buckets,
            "conditions": stored_conditions(new.conditions),
        },
    )
    screens = add_screens(session, flow.id, project_id, new.screens)
    default = DefaultFlow(project_id, project.default_flow_id)
    is_default = _settle_default(session, default, flow.id, flow.status, wanted=new.is_default)
    return new_whole_flow(flow, screens, is_default=is_default)


def update_flow(
    session: Session, caller: Caller, flow_id: str, changes: FlowChanges, if_match: Precondition
) -> WholeFlow:
    """Change a flow.

    Raises FlowNotFoundError, NotFoundError (the theme), ForbiddenError, PreconditionFailedError, InvalidRequestError,
    ConflictError for archiving a flow that a running or paused experiment uses.
    """
    flow = part_to_change(session, caller, FLOW, flow_id, if_match=if_match)
    if changes.get("status") == FlowStatus.ARCHIVED != flow.status:
        check_no_experiment_uses(session, flow.project_id, flow_id)
    _check_theme(session, flow.project_id, changes.get("theme_id"))
    columns: dict[str, Any] = {name: value for name, value in changes.items() if name != "is_default"}
    if "status" in changes:
        columns["status"] = changes["status"].value
    if "conditions" in changes:
        columns["conditions"] = stored_conditions(changes["conditions"])
    change_row(session, Flow, flow, columns)
    default, status = DefaultFlow(flow.project_id, flow.default_flow_id), columns.get("status", flow.status)
    _settle_default(session, default, flow_id, status, wanted=changes.get("is_default"))
    return whole_flow(session, flow_id)


def delete_flow(session: Session, caller: Caller, flow_id: str, if_match: Precondition) -> None:
    """Delete a flow and its screens; the project's default is unset with it.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, ConflictError while an experiment needs it.
    """
    flow = part_to_change(session, caller, FLOW, flow_id, if_match=if_match)
    check_no_experiment_uses(session, flow.project_id, flow_id)
    if flow.default_flow_id == flow_id:
        set_default(session, DefaultFlow(flow.project_id, flow_id), None)
    remove_row(session, Flow, flow)


def _settle_default(session: Session, default: DefaultFlow, flow_id: str, status: str, *, wanted: bool | None) -> bool:
    """Keep the rule that an archived flow is never the default, and tell whether the flow is it now.

    `is_default: true` on the default flow that is just being archived is an echo of what was read (GET, edit, PUT)
    and gives way; asked for an archived flow that is not the default, it is refused.
    """
    is_default, archived = default.default_flow_id == flow_id, status == FlowStatus.ARCHIVED
    if is_default and (archived or wanted is False):
        set_default(session, default, None)
        return False
    if wanted and archived:
        raise InvalidRequestError([Detail.invalid("is_default", "must not be true for an archived flow")])
    if wanted:
        set_default(session, default, flow_id)
    return is_default or bool(wanted)


def set_default(session: Session, default: DefaultFlow, flow_id: str | None) -> None:
    """Make another flow the default one, or none."""
    change_row(session, Project, default, {"default_flow_id": flow_id})


def _check_theme(session: Session, project_id: str, theme_id: str | None) -> None:
    if theme_id is None:
        return
    values = {"theme_id": theme_id, "project_id": project_id}
    if not is_id(IdPrefix.THEME, theme_id) or _THEME.row(session, values) is None:
        raise theme_not_found()


_USERS_OF_FLOW = Prepared(
    select(func.count()).where(
        Experiment.project_id == bindparam("project_id"),
        Experiment.is_active(),
        Experiment.variants.contains(bindparam("variant", type_=JSONB)),
    )
)


def check_no_experiment_uses(session: Session, project_id: str, flow_id: str) -> None:
    """Raise ConflictError when an experiment that is under way gives the flow to devices."""
    [(users,)] = _USERS_OF_FLOW.rows(session, {"project_id": project_id, "variant": [{"flow_id": flow_id}]})
    if users:
        raise ConflictError("The flow is used by a running or paused experiment")


NAME_LENGTH = 100
NAME_ENDING = " (copy)"
#: What a copy has of its original as it is.
_COPIED = ("project_id", "description", "theme_id", "priority", "rollout_buckets", "conditions")
_SCREENS = Prepared(
    select(Screen.type, Screen.name, Screen.content, Screen.settings)
    .where(Screen.flow_id == bindparam("flow_id"))
    .order_by(Screen.order)
)


def duplicate_flow(session: Session, caller: Caller, flow_id: str, quotas: Quotas) -> WholeFlow:
    """Make a copy with all that the flow has, but a draft and never the default.

    Raises FlowNotFoundError, ForbiddenError, ConflictError when the project is full.
    """
    original = part_to_change(session, caller, FLOW, flow_id)
    check_quota(session, quotas, Flow, original.project_id)
    copied = {name: getattr(original, name) for name in _COPIED}
    named = {"id": new_id(IdPrefix.FLOW), "name": name_of_copy(original.name), "status": FlowStatus.DRAFT.value}
    copy = add_row(session, Flow, {**copied, **named})
    screens = [_new_screen(screen) for screen in _SCREENS.rows(session, {"flow_id": flow_id})]
    return new_whole_flow(copy, add_screens(session, copy.id, copy.project_id, screens), is_default=False)


def name_of_copy(name: str) -> str:
    """Give the name of a copy; a name that would become too long loses its end."""
    return name[: NAME_LENGTH - len(NAME_ENDING)].rstrip() + NAME_ENDING


def _new_screen(screen: Row[*tuple[Any, ...]]) -> NewScreen:
    return NewScreen(type=ScreenType(screen.type), name=screen.name, content=screen.content, settings=screen.settings)
