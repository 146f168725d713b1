"""From an event's body to the record that is stored (contract, section 4)."""

from typing import Any

from common.errors import FlowNotFoundError
from common.ids import IdPrefix, new_id
from common.json_body import convert_object
from common.wire.public_bodies import EventBody
from common.wire.stream_records import EventRecord
from edge_api.answers.credentials import AuthenticatedProject


def event_record(document: dict[str, Any], access: AuthenticatedProject, received_at_ms: int) -> EventRecord:
    """Check one event and complete it with its id and moment.

    Raises InvalidRequestError, and FlowNotFoundError for a flow that the project does not have.
    """
    body = convert_object(document, EventBody)
    snapshot = access.resident.snapshot
    if body.flow_id is not None and body.flow_id not in snapshot.flow_ids:
        raise FlowNotFoundError
    return EventRecord(
        project_id=snapshot.project_id,
        event_id=body.event_id or new_id(IdPrefix.EVENT),
        event_type=body.event_type,
        device_id=body.device_id,
        occurred_at_ms=received_at_ms if body.timestamp is None else body.timestamp.unix_ms,
        received_at_ms=received_at_ms,
        flow_id=body.flow_id,
        screen_id=body.screen_id,
        experiment_id=body.experiment_id,
        variant=body.variant,
        session_id=body.session_id,
        platform=body.platform,
        app_version=body.app_version,
        properties={} if body.properties is None else body.properties.members,
        secret_key_id=access.key_id,
    )
