"""The document of a flow: its content without status, default and statistics (lifecycle, Model).

The live document is built by PostgreSQL from the rows of the flow and its screens. PostgreSQL also compares documents:
it stores 1.0 and 1 as the same number, and members of an object without an order.
"""

from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import ColumnElement, func, literal_column, select
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by
from sqlalchemy.orm import InstrumentedAttribute, Session

from common.rules.bucketing import BUCKETS
from management_api.db.models.flow_history import FlowDraft, FlowVersion
from management_api.db.models.flows import Flow, Screen

Document = dict[str, Any]

_BUCKETS_PER_PERCENT: ColumnElement[Any] = literal_column(f"{BUCKETS // 100}.0")


def _object(**members: ColumnElement[Any] | InstrumentedAttribute[Any]) -> ColumnElement[Any]:
    pairs = (part for name, value in members.items() for part in (literal_column(f"'{name}'"), value))
    return func.jsonb_build_object(*pairs, type_=JSONB)


def live_document() -> ColumnElement[Any]:
    """Return the document of the row of `flows` in the enclosing statement."""
    screen = _object(id=Screen.id, type=Screen.type, name=Screen.name, content=Screen.content, settings=Screen.settings)
    screens = select(func.jsonb_agg(aggregate_order_by(screen, Screen.order))).where(Screen.flow_id == Flow.id)
    return _object(
        name=Flow.name,
        description=Flow.description,
        theme_id=Flow.theme_id,
        priority=Flow.priority,
        targeting=_object(
            percentage=func.trim_scale(Flow.rollout_buckets / _BUCKETS_PER_PERCENT), conditions=Flow.conditions
        ),
        screens=func.coalesce(screens.correlate(Flow).scalar_subquery(), literal_column("'[]'::jsonb")),
    )


def read_live_document(session: Session, flow_id: str) -> Document:
    """Return the document that devices get."""
    return cast("Document", session.scalars(select(live_document()).where(Flow.id == flow_id)).one())


def write_live_document(session: Session, flow: Flow, document: Mapping[str, Any]) -> None:
    """Replace the flow's columns and screens by those of a document; screens keep the ids that the document has."""
    targeting = document["targeting"]
    for name in ("name", "description", "theme_id", "priority"):
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
