"""The document of a flow: its content without status, default and statistics (lifecycle, Model).

PostgreSQL builds the live document from the rows of the flow and its screens, and compares documents: it stores 1.0 and
1 as the same number, and members of an object without an order.
"""

from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.rules.bucketing import BUCKETS
from management_api.db.models.flow_history import FlowDraft, FlowVersion, live_document
from management_api.db.models.flows import Flow, Screen

Document = dict[str, Any]


def read_live_document(session: Session, flow_id: str) -> Document:
    """Return the document that devices get."""
    return cast("Document", session.scalars(select(live_document()).where(Flow.id == flow_id)).one())


def write_live_document(session: Session, flow: Flow, document: Mapping[str, Any]) -> None:
    """Replace the flow's columns and screens by those of a document; screens keep the ids that the document has."""
    targeting = document["targeting"]
    for name in Flow.document_columns:
        setattr(flow, name, document[name])
    flow.rollout_buckets = round(targeting["percentage"] * (BUCKETS // 100))
    flow.conditions = targeting["conditions"]
    former = {screen.id: screen for screen in session.scalars(select(Screen).where(Screen.flow_id == flow.id))}
    for order, columns in enumerate(document["screens"]):
        screen = former.pop(columns["id"], None)
        if screen is None:
            session.add(Screen(flow_id=flow.id, project_id=flow.project_id, order=order, **columns))
            continue
        screen.order = order
        for name in ("type", "name", "content", "settings"):
            setattr(screen, name, columns[name])
    for screen in former.values():
        session.delete(screen)
    session.flush()


def known_screen_ids(session: Session, flow_id: str) -> frozenset[str]:
    """Return the ids of the screens of the live document, the draft and all versions of a flow."""
    live = select(Screen.id).where(Screen.flow_id == flow_id)
    in_documents = [
        select(func.jsonb_array_elements(model.document["screens"]).op("->>")("id")).where(model.flow_id == flow_id)
        for model in (FlowVersion, FlowDraft)
    ]
    return frozenset(session.scalars(live.union(*in_documents)))
