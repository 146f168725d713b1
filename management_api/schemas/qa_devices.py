"""QA devices as the interface takes and shows them (contract, section 3)."""

from collections.abc import Mapping
from typing import Annotated

from common.text import has_forbidden_characters, text_pattern
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH
from management_api.schemas.envelope import TaggedModel
from management_api.schemas.parsing import RequestModel
from management_api.schemas.rules import Rule
from management_api.schemas.texts import REQUIRED, IdText, complaint

MAX_QA_DEVICES = 100


def _device_map(value: object) -> object:
    """Trim device ids as the edge does, or they would never be found again."""
    if not isinstance(value, dict) or len(value) > MAX_QA_DEVICES:
        raise complaint(f"must be an object of at most {MAX_QA_DEVICES} device ids, each with the id of its flow")
    devices = {device_id.strip(): flow_id for device_id, flow_id in value.items()}
    if any(
        not 0 < len(device_id) <= MAX_DEVICE_ID_LENGTH or has_forbidden_characters(device_id) for device_id in devices
    ):
        raise complaint(f"must have device ids of 1 to {MAX_DEVICE_ID_LENGTH} characters, without control characters")
    if len(devices) < len(value):
        raise complaint("must name each device once")
    return devices


DeviceMap = Annotated[
    dict[str, IdText],
    Rule(
        _device_map,
        {"propertyNames": {"pattern": text_pattern(1, MAX_DEVICE_ID_LENGTH)}, "maxProperties": MAX_QA_DEVICES},
    ),
]


class QaDevicesBody(RequestModel):
    """PUT /projects/{project_id}/qa-devices."""

    read_only = frozenset({"project_id", "projectId"})

    devices: Annotated[DeviceMap, REQUIRED]


class QaDevicesView(TaggedModel):
    """The QA devices of a project."""

    project_id: str
    devices: Mapping[str, str]
