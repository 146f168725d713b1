"""Review: the content that may reach devices while a project requires approvals (contract, section 7, Review).

A version is reviewed if it was published or restored under the rule, or was live before the rule began. Every way to
devices asks `check_may_serve`: the status, the default flow, an experiment that starts, its winner, and schedules. The
caller holds the lock of the project for all that writes.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from common.errors import ConflictError, Detail, ForbiddenError
from management_api.auth.access import Caller, check_may_read
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import DraftApproval, FlowDraft, FlowVersion, is_reviewed
from management_api.db.models.flows import Flow, FlowStatus, Theme
from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import User

#: A reviewed version that was live in this time may be restored without approvals.
EMERGENCY = timedelta(hours=24)
_EDITORS = [role.value for role in Role if role.includes(Role.EDITOR)]


class ReviewCode(StrEnum):
    """The code of a problem of a review."""

    APPROVALS_MISSING = "APPROVALS_MISSING"


class ApprovalsMissingError(ConflictError):
    """409: content that was not reviewed would reach devices."""

    def __init__(self, message: str, *problems: str) -> None:
        details = [Detail("", ReviewCode.APPROVALS_MISSING, problem) for problem in problems]
        super().__init__(message, details)


def check_may_serve(session: Session, project: Project, flow_ids: Collection[str]) -> None:
    """Raise ApprovalsMissingError if the newest version of one of these flows must not reach devices."""
    if project.required_approvals == 0:
        return
    is_unreviewed = (Flow.project_id == project.id) & Flow.id.in_(flow_ids) & ~is_reviewed()
    names = session.scalars(select(Flow.name).where(is_unreviewed).order_by(Flow.id)).all()
    if names:
        raise ApprovalsMissingError(
            "This project requires approvals: save the content as a draft, and publish it with approvals",
            *(f"the newest version of {name} is not reviewed" for name in names),
        )


def check_new_flow(project: Project, status: FlowStatus, *, is_default: bool) -> None:
    """Raise ApprovalsMissingError if a new flow, which is not reviewed, would be active or the default."""
    if project.required_approvals > 0 and (is_default or status == FlowStatus.ACTIVE):
        raise ApprovalsMissingError(
            "This project requires approvals: a new flow is a draft, and never the default",
            "a new flow is not reviewed",
        )


def mark_live_as_reviewed(session: Session, project_id: str) -> None:
    """Mark the versions of the flows that devices get, because they were live before the rule began.

    The versions of other flows stay unreviewed: no device has seen them.
    """
    flows = select(Flow.id).where(Flow.project_id == project_id, _is_served(project_id))
    session.execute(
        update(FlowVersion)
        .where(FlowVersion.flow_id.in_(flows), FlowVersion.is_reviewed.is_(False))
        .values(is_reviewed=True)
        .execution_options(synchronize_session=False)
    )


# --- approvals ---


def get_approvals(session: Session, draft: FlowDraft) -> Sequence[DraftApproval]:
    """Return the approvals of a draft that count, the first one first.

    An approval counts while its giver may edit the project.
    """
    is_editor = exists().where(
        Member.project_id == draft.project_id,
        Member.user_id == DraftApproval.user_id,
        Member.role.in_(_EDITORS),
        User.id == Member.user_id,
        User.is_active(),
    )
    return session.scalars(
        select(DraftApproval)
        .where(DraftApproval.flow_id == draft.flow_id, is_editor)
        .order_by(DraftApproval.created_at, DraftApproval.user_id)
    ).all()


def approve_draft(session: Session, draft: FlowDraft, user_id: str) -> bool:
    """Add the approval of a user; return False if it is there already.

    Raises ForbiddenError for a user who has changed the draft since it was begun.
    """
    if user_id in {draft.updated_by, *draft.authors}:
        raise ForbiddenError
    approval = insert(DraftApproval).values(flow_id=draft.flow_id, user_id=user_id).on_conflict_do_nothing()
    return session.scalar(approval.returning(DraftApproval.user_id)) is not None


def check_approvals(session: Session, project: Project, draft: FlowDraft) -> list[str]:
    """Return the users whose approvals count. Raises ApprovalsMissingError for fewer than the project requires."""
    approvers = [approval.user_id for approval in get_approvals(session, draft)]
    if len(approvers) < project.required_approvals:
        message = f"has {len(approvers)} of {project.required_approvals} approvals"
        raise ApprovalsMissingError("The draft needs more approvals", message)
    return approvers


# --- themes ---


def check_may_change_theme(session: Session, caller: Caller, project_id: str, theme: Theme | None) -> None:
    """Check a change of a theme; None is a theme that becomes the default, so flows without a theme get its look.

    Raises ForbiddenError below the role admin if the look of reviewed content would change. Otherwise the approvals of
    drafts with the theme vanish, because they were given to another look.
    """
    if session.get_one(Project, project_id).required_approvals == 0:
        return
    if theme is None or theme.is_default or _has_reviewed_flow(session, theme):
        check_may_read(session, Caller(caller.user_id, Role.ADMIN), project_id)
        return
    drafts = select(FlowDraft.flow_id).where(
        FlowDraft.project_id == project_id, FlowDraft.document["theme_id"].astext == theme.id
    )
    session.execute(delete(DraftApproval).where(DraftApproval.flow_id.in_(drafts)))


def check_may_change_media(session: Session, caller: Caller, project_id: str, *, is_used: bool) -> None:
    """Raise ForbiddenError below the role admin if another look of a used file would reach devices unreviewed."""
    if is_used and session.get_one(Project, project_id).required_approvals > 0:
        check_may_read(session, Caller(caller.user_id, Role.ADMIN), project_id)


def _has_reviewed_flow(session: Session, theme: Theme) -> bool:
    """Return whether devices get a flow with the theme, or will get one after one step of an editor."""
    of_flow = and_(
        Flow.project_id == theme.project_id,
        Flow.theme_id == theme.id,
        or_(_is_served(theme.project_id), is_reviewed()),
    )
    successor = aliased(FlowVersion)
    was_live_lately = exists().where(
        successor.flow_id == FlowVersion.flow_id,
        successor.number == FlowVersion.number + 1,
        successor.created_at > func.clock_timestamp() - EMERGENCY,
    )
    of_restorable_version = and_(
        FlowVersion.flow_id.in_(select(Flow.id).where(Flow.project_id == theme.project_id)),
        FlowVersion.is_reviewed,
        was_live_lately,
        FlowVersion.document["theme_id"].astext == theme.id,
    )
    return session.scalars(select(or_(exists().where(of_flow), exists().where(of_restorable_version)))).one()


def _is_served(project_id: str) -> ColumnElement[bool]:
    """Return the condition of flows of the project that devices get."""
    of_experiments = select(func.jsonb_array_elements(Experiment.variants).op("->>")("flow_id")).where(
        Experiment.project_id == project_id, Experiment.is_active()
    )
    return or_(Flow.status == FlowStatus.ACTIVE, Flow.id.in_(of_experiments))
