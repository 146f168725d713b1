"""The finished bodies of a resolve and of the configuration (contract, section 4)."""

import gzip
import hashlib
from typing import Any

import brotli
import orjson

from common.rules.bucketing import traffic_salt, variant_salt
from common.rules.resolution import Source
from common.timestamps import format_timestamp
from common.wire.snapshot import ConfigDocument
from publisher.project_content import ExperimentContent, FlowContent, ProjectContent, ScreenContent, ThemeContent

#: The rollout column has buckets of 10,000, the interface per cent.
BUCKETS_PER_CENT = 100

Json = dict[str, Any]
#: The place of the device's own token.
_PLACEHOLDER = "?"
_ACTIVE = "active"

#: Level 9 takes up to five times as long, a quarter of publishing a large project, and saves half a per cent.
_GZIP_LEVEL = 6
#: Takes as long as gzip and saves a tenth. Quality 11 saves as much again and takes up to a hundred times as long.
_BROTLI_QUALITY = 6


def resolve_body(project: ProjectContent, flow: FlowContent, theme: ThemeContent | None, source: Source) -> bytes:
    """Return the body of a resolve that ends at this flow."""
    assignment: Json = {"source": source, "experimentId": None, "variant": None, "token": None}  # nosec B105 # no token yet: the edge signs one
    return orjson.dumps(_resolution(project, flow, theme, assignment))


def resolve_body_around_token(
    project: ProjectContent, flow: FlowContent, theme: ThemeContent | None, experiment_id: str, variant: str
) -> tuple[bytes, bytes]:
    """Return the body of a resolve that ends at a variant, in two parts: before and after the device's token."""
    assignment: Json = {
        "source": Source.EXPERIMENT,
        "experimentId": experiment_id,
        "variant": variant,
        "token": _PLACEHOLDER,
    }
    # No text of a customer follows the token, so the last place is the right one.
    head, _, tail = orjson.dumps(_resolution(project, flow, theme, assignment)).rpartition(_PLACEHOLDER.encode())
    return head, tail


def _resolution(project: ProjectContent, flow: FlowContent, theme: ThemeContent | None, assignment: Json) -> Json:
    return {
        "flowId": flow.flow_id,
        "projectId": project.project_id,
        "flow": {
            "id": flow.flow_id,
            "name": flow.name,
            "theme": _theme(theme) if theme else None,
            "screens": [_screen(screen) for screen in flow.screens],
        },
        "assignment": assignment,
        "configVersion": project.revision,
    }


def config_body(project: ProjectContent, active_default: FlowContent | None) -> bytes:
    """Return the body of GET /api/config: all that an SDK needs to resolve by itself.

    The active flows are in the order of their priority, the default flow among them. Flows of another status follow,
    if a variant of an experiment gives them. Experiments are in the order in which they were started.
    """
    others = {
        variant.flow.flow_id: variant.flow
        for experiment in project.experiments
        for variant in experiment.variants
        if variant.flow.status != _ACTIVE
    }
    return orjson.dumps(
        {
            "projectId": project.project_id,
            "name": project.name,
            "settings": {
                "platforms": project.platforms,
                "defaultFlowId": project.default_flow_id,
                "analyticsEnabled": project.analytics_enabled,
                "customDomain": project.custom_domain,
            },
            "flows": [
                _flow(flow, is_default=flow is active_default) for flow in (*project.active_flows, *others.values())
            ],
            "themes": [{**_theme(theme), "isDefault": theme.is_default} for theme in project.themes],
            "experiments": [_experiment(experiment) for experiment in project.experiments],
            "configVersion": project.revision,
        }
    )


def compress_config(body: bytes) -> ConfigDocument:
    """Compress and fingerprint the body of GET /api/config; equal bodies have equal documents."""
    return ConfigDocument(
        body=body,
        gzip=gzip.compress(body, _GZIP_LEVEL, mtime=0),
        etag=hashlib.sha256(body).hexdigest()[:32],
        brotli=brotli.compress(body, mode=brotli.MODE_TEXT, quality=_BROTLI_QUALITY),
    )


def _experiment(experiment: ExperimentContent) -> Json:
    return {
        "id": experiment.experiment_id,
        "name": experiment.name,
        "status": "paused" if experiment.is_paused else "running",
        "startedAt": format_timestamp(experiment.started_at),
        "audience": {"conditions": experiment.conditions},
        "trafficPercentage": _percentage(experiment.traffic_buckets),
        "trafficSalt": traffic_salt(experiment.experiment_id, experiment.salt_version),
        "variantSalt": variant_salt(experiment.experiment_id, experiment.salt_version),
        "primaryEvent": experiment.primary_event,
        "variants": [
            {
                "key": variant.key,
                "name": variant.name,
                "flowId": variant.flow.flow_id,
                "isControl": variant.is_control,
                "weight": variant.weight,
                "ranges": variant.ranges,
            }
            for variant in experiment.variants
        ],
    }


def _flow(flow: FlowContent, *, is_default: bool) -> Json:
    return {
        "id": flow.flow_id,
        "name": flow.name,
        "status": flow.status,
        "isDefault": is_default,
        "priority": flow.priority,
        "themeId": flow.theme_id,
        "targeting": {"percentage": _percentage(flow.rollout_buckets), "conditions": flow.conditions},
        "screens": [_screen(screen) for screen in flow.screens],
        "createdAt": format_timestamp(flow.created_at),
    }


def _percentage(rollout_buckets: int) -> float:
    """Return an integer where the percentage is whole, so that it reads 50 and not 50.0."""
    whole, rest = divmod(rollout_buckets, BUCKETS_PER_CENT)
    return rollout_buckets / BUCKETS_PER_CENT if rest else whole


def _screen(screen: ScreenContent) -> Json:
    return {
        "id": screen.screen_id,
        "type": screen.type,
        "name": screen.name,
        "order": screen.order,
        "content": screen.content,
        "settings": screen.settings,
    }


def _theme(theme: ThemeContent) -> Json:
    return {
        "id": theme.theme_id,
        "name": theme.name,
        "colors": theme.colors,
        "typography": theme.typography,
        "borderRadius": theme.border_radius,
    }
