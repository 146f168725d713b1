"""Compiler of snapshots: equal contents of a project give equal bytes."""

from collections.abc import Sequence

import msgspec

from common.rules.conditions import Condition
from common.rules.resolution import Source
from common.wire.snapshot import (
    DefaultFlow,
    Experiment,
    ExperimentVariant,
    OverridingFlow,
    SecretKeyDigest,
    Snapshot,
    TargetedFlow,
)
from publisher.project_content import (
    ExperimentContent,
    FlowContent,
    OverridingContent,
    ProjectContent,
    ThemeContent,
    VariantContent,
)
from publisher.response_bodies import compress_config, config_body, resolve_body, resolve_body_around_token


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
        experiments=tuple(_experiment(project, experiment) for experiment in project.experiments),
        targeted=tuple(_targeted(project, flow) for flow in project.active_flows if flow is not default),
        default=_default(project, default) if default else None,
        config=compress_config(config_body(project, default)),
    )


def _overriding(project: ProjectContent, override: OverridingContent) -> OverridingFlow:
    flow = override.flow
    return OverridingFlow(
        flow_id=flow.flow_id,
        device_ids=override.device_ids,
        body=resolve_body(project, flow, _theme_of(project, flow), Source.OVERRIDE),
    )


def _experiment(project: ProjectContent, experiment: ExperimentContent) -> Experiment:
    return Experiment(
        experiment_id=experiment.experiment_id,
        is_paused=experiment.is_paused,
        conditions=msgspec.convert(experiment.conditions, tuple[Condition, ...]),
        traffic_buckets=experiment.traffic_buckets,
        salt_version=experiment.salt_version,
        variants=tuple(_variant(project, experiment, variant) for variant in experiment.variants),
    )


def _variant(project: ProjectContent, experiment: ExperimentContent, variant: VariantContent) -> ExperimentVariant:
    theme = _theme_of(project, variant.flow)
    head, tail = resolve_body_around_token(project, variant.flow, theme, experiment.experiment_id, variant.key)
    return ExperimentVariant(variant.key, variant.flow.flow_id, variant.ranges, head, tail)


def _targeted(project: ProjectContent, flow: FlowContent) -> TargetedFlow:
    return TargetedFlow(
        flow_id=flow.flow_id,
        rollout_buckets=flow.rollout_buckets,
        conditions=msgspec.convert(flow.conditions, tuple[Condition, ...]),
        body=resolve_body(project, flow, _theme_of(project, flow), Source.TARGETING),
    )


def _default(project: ProjectContent, flow: FlowContent) -> DefaultFlow:
    return DefaultFlow(flow.flow_id, resolve_body(project, flow, _theme_of(project, flow), Source.DEFAULT))


def _theme_of(project: ProjectContent, flow: FlowContent) -> ThemeContent | None:
    """Return the theme of a flow: its own, else the project's default, else none."""
    own = next((theme for theme in project.themes if theme.theme_id == flow.theme_id), None)
    return own or next((theme for theme in project.themes if theme.is_default), None)
