"""The finished answer for a device: the rules choose (`common/resolution.py`), the snapshot has the bytes."""

import msgspec

from common.resolution import Device, Source, choose
from edge_api.snapshots.resident_snapshot import ResidentSnapshot


class SelectedFlow(msgspec.Struct, frozen=True, gc=False):
    """The flow that a device gets, where it came from, and the finished answer."""

    flow_id: str
    source: Source
    body: bytes


def select_flow(resident: ResidentSnapshot, device: Device) -> SelectedFlow | None:
    """Give the flow for a device, or None when no flow is configured for it."""
    choice = choose(resident.rules, device)
    return None if choice is None else SelectedFlow(choice.flow_id, choice.source, resident.answers[choice])
