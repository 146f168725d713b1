"""The rows of flows and screens as release 0.2.0 reads and writes them."""

from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from management_api.db.models.documents import upcast
from management_api.history.diff import is_same_document

_DOCUMENTS = text("""
    SELECT flows.id, jsonb_build_object(
        'schema', 2, 'name', flows.name, 'description', description, 'theme_id', theme_id,
        'targeting', jsonb_build_object('percentage', trim_scale(rollout_buckets / 100.0), 'conditions', conditions),
        'screens', (
            SELECT coalesce(jsonb_agg(
                jsonb_build_object('id', id, 'type', type, 'name', name, 'content', content, 'settings', settings)
                ORDER BY "order"
            ), '[]') FROM screens WHERE flow_id = flows.id
        )
    ) AS rows, document AS live
    FROM flows LEFT JOIN flow_versions ON flow_id = flows.id AND number = live_version
    ORDER BY flows.id
""")
#: The types of screens that release 0.2.0 does not have.
_OF_0_2_0 = dict.fromkeys(("loading", "summary", "social_proof", "comparison", "consent", "native"), "custom")


def flows_with_other_rows(session: Session) -> list[str]:
    """Return the flows whose rows differ from their live document."""
    rows = session.execute(_DOCUMENTS)
    return [row.id for row in rows if row.live is None or not is_same_document(upcast(row.rows), _readable(row.live))]


def _readable(live: dict[str, Any]) -> dict[str, Any]:
    """Return a live document with the types of screens that release 0.2.0 has."""
    document = upcast(live)
    screens = [{**screen, "type": _OF_0_2_0.get(screen["type"], screen["type"])} for screen in document["screens"]]
    return {**document, "screens": screens}
