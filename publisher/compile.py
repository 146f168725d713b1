"""Turns the content of a project into its snapshot; equal contents give equal bytes."""

from collections.abc import Sequence

import msgspec

from common.conditions import Condition
from common.resolution import Source
from common.snapshot import ConfigDocument, DefaultFlow, OverridingFlow, SecretKeyDigest, Snapshot, TargetedFlow
from publisher.answers import config_answer, resolve_answer
from publisher.project_content import FlowContent, OverridingContent, ProjectContent, ThemeContent


def compile_snapshot(project: ProjectContent, secret_keys: Sequence[SecretKeyDigest]) -> Snapshot:
    """Compile a project. Raises msgspec.ValidationError for conditions that this release does not know."""
    default = next((flow for flow in project.active_flows if flow.flow_id == project.default_flow_id), None)
    return Snapshot(
        project_id=project.project_id,
        revision=project.revision,
        secret_keys=tuple(secret_keys),
        platforms=project.platforms,
        analytics_enabled=project.analytics_enabled,
        flow_ids=project.flow_ids,
        overrides=tuple(_overriding(project, override) for override in project.overrides),
        targeted=tuple(_targeted(project, flow) for flow in project.active_flows if flow is not default),
        default=_default(project, default) if default else None,
        config=ConfigDocument.of(config_answer(project, default)),
    )


def _overriding(project: ProjectContent, override: OverridingContent) -> OverridingFlow:
    flow = override.flow
    return OverridingFlow(
        flow_id=flow.flow_id,
        device_ids=override.device_ids,
        body=resolve_answer(project, flow, _theme_of(project, flow), Source.OVERRIDE),
    )


def _targeted(project: ProjectContent, flow: FlowContent) -> TargetedFlow:
    return TargetedFlow(
        flow_id=flow.flow_id,
        rollout_buckets=flow.rollout_buckets,
        conditions=msgspec.convert(flow.conditions, tuple[Condition, ...]),
        body=resolve_answer(project, flow, _theme_of(project, flow), Source.TARGETING),
    )


def _default(project: ProjectContent, flow: FlowContent) -> DefaultFlow:
    return DefaultFlow(flow.flow_id, resolve_answer(project, flow, _theme_of(project, flow), Source.DEFAULT))


def _theme_of(project: ProjectContent, flow: FlowContent) -> ThemeContent | None:
    """Find the theme that a flow wears: its own, else the project's default, else none."""
    own = next((theme for theme in project.themes if theme.theme_id == flow.theme_id), None)
    return own or next((theme for theme in project.themes if theme.is_default), None)
