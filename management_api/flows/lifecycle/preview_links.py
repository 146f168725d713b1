"""Preview links: a flow, or its draft, on a hosted page of the edge, for everyone with the link (hosted pages).

The ticket in a link is its only credential. The row of a link keeps the draft in the project's snapshot until the link
expires. A flow has at most two rows: one for its draft, and one for the live flow. Another link moves their end. The
page in the snapshot has the start of its row: a ticket that was issued before it was revoked with a former row.
"""

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.errors import ConflictError
from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from common.wire.tickets import PREVIEW_SECONDS, Tickets
from common.wire.tickets import PreviewLink as PreviewTicket
from management_api.auth.access import Caller, get_for_update
from management_api.auth.entity_tags import Precondition
from management_api.db.audit import record_change
from management_api.db.models.flow_history import PreviewLink
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.outbox import request_publication
from management_api.flows.lifecycle.schemas import PreviewLinkBody, PreviewLinkView


class PreviewLinks:
    """Creates links to the pages of one edge."""

    def __init__(self, tickets: Tickets, edge_url: str | None) -> None:
        self._tickets = tickets
        self._edge_url = edge_url

    def create(
        self, session: Session, caller: Caller, flow_id: str, body: PreviewLinkBody, origin: str
    ) -> PreviewLinkView:
        """Return a link to a flow or its draft, and request the publication. `origin` is that of the request.

        Raises FlowNotFoundError, ForbiddenError, ConflictError for an archived flow.
        """
        flow = get_for_update(session, caller, Flow, flow_id)
        if flow.status == FlowStatus.ARCHIVED:
            raise ConflictError("The flow is archived: hosted pages show no archived flow")
        # A ticket has whole seconds.
        now = utc_now().replace(microsecond=0)
        expires_at = now + timedelta(seconds=PREVIEW_SECONDS)
        is_same = (PreviewLink.flow_id == flow.id, PreviewLink.draft.is_(body.draft))
        link = session.scalar(select(PreviewLink).where(*is_same))
        if link is None:
            link = PreviewLink(
                id=new_id(IdPrefix.PREVIEW_LINK),
                project_id=flow.project_id,
                flow_id=flow.id,
                draft=body.draft,
                valid_from=now,
            )
            session.add(link)
        link.expires_at, link.created_by = expires_at, caller.user_id
        session.flush()
        request_publication(session, flow.project_id)
        after = {"draft": body.draft, "expires_at": expires_at}
        record_change(
            session, flow.project_id, entity="flow", verb="preview_link_created", entity_id=flow.id, after=after
        )
        ticket = self._tickets.issue(PreviewTicket(flow.project_id, flow.id, int(expires_at.timestamp()), body.draft))
        domain = flow.project.custom_domain
        address = f"https://{domain}" if domain else self._edge_url or origin
        return PreviewLinkView(url=f"{address}/s/{ticket}/onboarding/{flow.id}/1", expires_at=expires_at)


def revoke_preview_links(session: Session, caller: Caller, flow_id: str, if_match: Precondition) -> None:
    """Delete the links of a flow, so that edges refuse their tickets from the next publication on.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    # No response shows the links, so they have no tag that a client could have read: only `*` matches.
    if_match.check(lambda: "")
    links = session.scalars(select(PreviewLink).where(PreviewLink.flow_id == flow.id)).all()
    for link in links:
        session.delete(link)
    session.flush()
    if links:
        request_publication(session, flow.project_id)
    record_change(session, flow.project_id, entity="flow", verb="preview_links_revoked", entity_id=flow.id)
