"""The status of a flow, and the project's default flow (contract, section 3)."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.errors import ConflictError, Detail, InvalidRequestError
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.projects import Project
from management_api.projects.review import check_may_serve


def change_status(session: Session, project: Project, flow: Flow, status: FlowStatus) -> None:
    """Set the status of a flow; the default flow is unset when it is archived. Raises like check_status."""
    check_status(session, project, flow, status)
    flow.status = status
    session.flush()
    set_default(session, project, flow, wanted=None)


def check_status(session: Session, project: Project, flow: Flow, status: FlowStatus) -> None:
    """Raise ConflictError if the flow may not change to the status.

    A flow that a running or paused experiment uses is not archived, a flow whose content needs a review not activated.
    """
    if status == FlowStatus.ARCHIVED != flow.status:
        check_not_in_active_experiment(session, flow)
    if status == FlowStatus.ACTIVE != flow.status:
        check_may_serve(session, project, [flow.id])


def set_default(session: Session, project: Project, flow: Flow, *, wanted: bool | None) -> None:
    """Make the flow the default one or not; an archived flow never is. None changes nothing else.

    `is_default: true` for the default flow that is being archived was read with it (GET, edit, PUT), and is ignored.
    Raises InvalidRequestError for it on another archived flow, ConflictError for a flow whose content is not reviewed.
    """
    is_default, is_archived = project.default_flow_id == flow.id, flow.status == FlowStatus.ARCHIVED
    if is_default and (is_archived or wanted is False):
        project.default_flow_id = None
    elif wanted and is_archived:
        raise InvalidRequestError([Detail.invalid("is_default", "must not be true for an archived flow")])
    elif wanted:
        if not is_default:
            check_may_serve(session, project, [flow.id])
        project.default_flow_id = flow.id


def check_not_in_active_experiment(session: Session, flow: Flow) -> None:
    """Raise ConflictError when a running or paused experiment assigns the flow to devices."""
    experiments = select(func.count()).where(Experiment.is_active_with(flow.id, flow.project_id))
    if session.scalars(experiments).one():
        raise ConflictError("The flow is used by a running or paused experiment")
