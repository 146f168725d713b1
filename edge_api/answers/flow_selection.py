"""Which flow a device gets: the rules in the order in which they are asked (contract, section 4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from common.bucketing import is_inside_rollout
from common.conditions import CUSTOM_PREFIX, DeviceAttributes, Scalar, all_hold
from common.public_bodies import ResolveBody
from edge_api.snapshots.resident_snapshot import ResidentSnapshot


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the rules see it."""

    device_id: str
    platform: str | None
    attributes: DeviceAttributes

    @classmethod
    def of(cls, body: ResolveBody) -> Self:
        """Name what the device says of itself as conditions name it."""
        named: dict[str, Scalar | None] = {
            "deviceId": body.device_id,
            "platform": body.platform,
            "appVersion": body.app_version,
            "osVersion": body.os_version,
            "locale": body.locale,
            "country": body.country,
        }
        attributes = {name: value for name, value in named.items() if value is not None}
        for name, value in (body.attributes or {}).items():
            attributes[CUSTOM_PREFIX + name] = value
        return cls(body.device_id, body.platform, attributes)


@dataclass(frozen=True, slots=True)
class Choice:
    """The flow that a rule chose, and the finished answer."""

    flow_id: str
    body: bytes


Rule = Callable[[ResidentSnapshot, Device], Choice | None]


def choose_flow(resident: ResidentSnapshot, device: Device) -> Choice | None:
    """Ask each rule in turn; None when no flow is configured for the device."""
    if device.platform is not None and device.platform not in resident.snapshot.platforms:
        return None
    for rule in RULES:
        choice = rule(resident, device)
        if choice is not None:
            return choice
    return None


def _first_targeted_flow(resident: ResidentSnapshot, device: Device) -> Choice | None:
    for flow in resident.targeted:
        if not is_inside_rollout(flow.flow_id, flow.rollout_buckets, device.device_id):
            continue
        if all_hold(flow.conditions, device.attributes):
            return Choice(flow.flow_id, flow.body)
    return None


def _default_flow(resident: ResidentSnapshot, _device: Device) -> Choice | None:
    default = resident.snapshot.default
    return None if default is None else Choice(default.flow_id, default.body)


#: The first that chooses decides. Overrides and experiments have their places before targeting.
RULES: tuple[Rule, ...] = (
    _first_targeted_flow,
    _default_flow,
)
