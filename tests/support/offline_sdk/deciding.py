"""Decisions by the body of GET /api/config, implemented from docs/bucketing.md; imports nothing of the service."""

from typing import NamedTuple

from tests.support.offline_sdk.buckets import bucket, is_inside
from tests.support.offline_sdk.matching import Json, all_hold


class Kept(NamedTuple):
    """The assignment that an SDK keeps for decisions offline."""

    experiment_id: str
    variant: str
    variant_salt: str


class Decision(NamedTuple):
    """A flow with its source, and its experiment and variant, if any."""

    flow_id: str
    source: str
    experiment_id: str | None = None
    variant: str | None = None


def decide(config: Json, device: Json, kept: Kept | None = None) -> Decision | None:
    """Return the device's flow; None: nothing."""
    device_id = device["deviceId"].strip()
    platform = device.get("platform")
    if platform is not None and platform not in config["settings"]["platforms"]:
        return None
    return (
        _kept(config, kept)
        or _entered(config, device, device_id)
        or _targeted(config, device, device_id)
        or next((Decision(flow["id"], "default") for flow in config["flows"] if flow["isDefault"]), None)
        or _for_everyone(config)
    )


def _kept(config: Json, kept: Kept | None) -> Decision | None:
    if kept is None:
        return None
    for experiment in config["experiments"]:
        if (experiment["id"], experiment["variantSalt"]) == (kept.experiment_id, kept.variant_salt):
            for variant in experiment["variants"]:
                if variant["key"] == kept.variant:
                    return Decision(variant["flowId"], "experiment", experiment["id"], kept.variant)
    return None


def _entered(config: Json, device: Json, device_id: str) -> Decision | None:
    for experiment in config["experiments"]:
        if (
            experiment["status"] == "running"
            and all_hold(experiment["audience"]["conditions"], device)
            and is_inside(experiment["trafficSalt"], experiment["trafficPercentage"], device_id)
        ):
            variant = variant_of(experiment, device_id)
            return Decision(variant["flowId"], "experiment", experiment["id"], variant["key"])
    return None


def variant_of(experiment: Json, device_id: str) -> Json:
    """Return the variant that owns the device's bucket."""
    device_bucket = bucket(experiment["variantSalt"], device_id)
    variants: list[Json] = experiment["variants"]
    return next(
        variant for variant in variants if any(start <= device_bucket < end for start, end in variant["ranges"])
    )


def _targeted(config: Json, device: Json, device_id: str) -> Decision | None:
    for flow in config["flows"]:
        if (
            flow["status"] == "active"
            and not flow["isDefault"]
            and not _is_for_everyone(flow)
            and all_hold(flow["targeting"]["conditions"], device)
            and is_inside(flow["id"], flow["targeting"]["percentage"], device_id)
        ):
            return Decision(flow["id"], "targeting")
    return None


def _for_everyone(config: Json) -> Decision | None:
    for flow in config["flows"]:
        if flow["status"] == "active" and not flow["isDefault"] and _is_for_everyone(flow):
            return Decision(flow["id"], "targeting")
    return None


def _is_for_everyone(flow: Json) -> bool:
    targeting = flow["targeting"]
    return not targeting["conditions"] and round(targeting["percentage"] * 100) == 10_000
