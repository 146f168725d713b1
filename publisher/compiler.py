"""Compiler of snapshots: the finished bodies of a resolve and of the configuration (contract, section 4).

Equal contents of a project give equal bytes.
"""

import gzip
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import brotli
import msgspec
import orjson

from common.credentials import secret_key_digest
from common.rules.bucketing import traffic_salt, variant_salt
from common.rules.conditions import Condition
from common.rules.resolution import Source
from common.timestamps import format_timestamp
from common.wire.localized_bodies import Place, json_string, unmarked
from common.wire.page_assets import AssetManifest
from common.wire.public_responses import (
    OPTIONAL_MEMBERS,
    Assignment,
    Configuration,
    ConfiguredAudience,
    ConfiguredExperiment,
    ConfiguredFlow,
    ConfiguredSettings,
    ConfiguredTargeting,
    ConfiguredTheme,
    ConfiguredVariant,
    PublicModel,
    PublicTheme,
    ResolvedFlow,
)
from common.wire.snapshot import (
    ConfigDocument,
    DefaultFlow,
    Experiment,
    ExperimentVariant,
    FlowPart,
    FlowTexts,
    OverridingFlow,
    Page,
    SecretKeyDigest,
    Snapshot,
    TargetedFlow,
    encode_texts,
)
from management_api.db.key_vault import KeyVault
from publisher.locales import aliases_of
from publisher.media import AT_THE_EDGE, MediaAddresses, ShownMedia
from publisher.pages import compile_page
from publisher.project_records import (
    DeletedProject,
    ExperimentRecord,
    FlowRecord,
    ProjectRecord,
    QaOverride,
    VariantRecord,
)
from publisher.translations import FlowKey, TranslatedFlow, chosen_flows, translated_flows
from publisher.words import page_words

#: The rollout column has buckets of 10,000, the interface per cent.
BUCKETS_PER_CENT = 100

Json = dict[str, Any]
#: The place of the device's own token.
_PLACEHOLDER = "?"
_ACTIVE = "active"
#: The members of a flow in the configuration that are fields of its record.
_PUBLIC_FIELDS = {field.name for field in fields(FlowRecord)}.intersection(ConfiguredFlow.__struct_fields__)

#: Level 9 takes up to five times as long, a quarter of publishing a large project, and saves half a per cent.
_GZIP_LEVEL = 6
#: Takes as long as gzip and saves a tenth. Quality 11 saves as much again and takes up to a hundred times as long.
_BROTLI_QUALITY = 6


def compile_project(
    project: ProjectRecord | DeletedProject,
    vault: KeyVault,
    manifest: AssetManifest | None = None,
    addresses: MediaAddresses = AT_THE_EDGE,
) -> Snapshot:
    """Compile a project; a deleted one becomes a tombstone. Without the assets of pages there are no pages.

    Raises cryptography's InvalidTag under a wrong master key, and what `compile_snapshot` raises.
    """
    if isinstance(project, DeletedProject):
        return Snapshot.tombstone(project.project_id, project.revision)
    return compile_snapshot(project, digest_keys(project, vault), manifest, addresses)


def digest_keys(project: ProjectRecord, vault: KeyVault) -> tuple[SecretKeyDigest, ...]:
    """Decrypt each secret key only long enough to digest it."""
    return tuple(
        SecretKeyDigest(
            key_id=key.key_id,
            digest=secret_key_digest(vault.decrypt(key.sealed, owner_id=project.project_id)),
            expires_at=key.expires_at.timestamp() if key.expires_at else None,
        )
        for key in project.secret_keys
    )


def compile_snapshot(
    project: ProjectRecord,
    secret_keys: Sequence[SecretKeyDigest],
    manifest: AssetManifest | None = None,
    addresses: MediaAddresses = AT_THE_EDGE,
) -> Snapshot:
    """Compile a project. Raises msgspec.ValidationError for conditions that are unknown to this release."""
    media, media_of_pages = (ShownMedia(project.project_id, project.media, address) for address in addresses)
    words = {} if manifest is None else page_words(manifest).addresses(project.locales)
    translated = translated_flows(project, words)
    parts = _flow_parts(project, media, translated)
    pages = None if manifest is None else _pages(project, media_of_pages, manifest, translated)
    default = next((flow for flow in project.active_flows if flow.id == project.default_flow_id), None)
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
        config=compress_config(_config_body(project, media, default)),
        deleted=False,
        custom_domain=project.custom_domain,
        pages=None if pages is None else tuple(page for page, _ in pages),
        draft_overrides=sum(override.is_draft for override in project.overrides),
        flow_parts=tuple(part for part, _ in parts),
        locales=project.locales if len(project.locales) > 1 else (),
        locale_aliases=aliases_of(project.locales) if len(project.locales) > 1 else {},
        flow_texts=_flow_texts(translated, parts, pages or ()),
    )


def _pages(
    project: ProjectRecord, media: ShownMedia, manifest: AssetManifest, translated: Mapping[FlowKey, TranslatedFlow]
) -> tuple[tuple[Page, tuple[Place, ...]], ...]:
    """Return the pages, each with the places of its texts."""
    return tuple(
        compile_page(
            project,
            record,
            media,
            _theme_of(project, media, record.flow),
            manifest,
            translated.get((record.flow.id, record.is_draft)),
        )
        for record in project.pages
    )


def _flow_parts(
    project: ProjectRecord, media: ShownMedia, translated: Mapping[FlowKey, TranslatedFlow]
) -> tuple[tuple[FlowPart, tuple[Place, ...]], ...]:
    """Return the part of each flow that a rule may choose, and of each draft, in the order of their ids.

    The places of its texts stand behind each part.
    """
    chosen = sorted(chosen_flows(project).items())
    return tuple(_flow_part(project, media, key, flow, translated.get(key)) for key, flow in chosen)


def _flow_texts(
    translated: Mapping[FlowKey, TranslatedFlow],
    parts: Iterable[tuple[FlowPart, tuple[Place, ...]]],
    pages: Iterable[tuple[Page, tuple[Place, ...]]],
) -> tuple[FlowTexts, ...]:
    of_parts = {(part.flow_id, part.is_draft): places for part, places in parts}
    of_pages = {(page.flow_id, page.is_draft, page.is_preview): places for page, places in pages}
    return tuple(
        FlowTexts(
            *key,
            {locale: encode_texts(texts) for locale, texts in flow.texts.items()},
            of_parts.get(key, ()),
            of_pages.get((*key, False), ()),
            of_pages.get((*key, True), ()),
        )
        for key, flow in translated.items()
    )


def _overriding(project: ProjectRecord, override: QaOverride) -> OverridingFlow:
    return OverridingFlow(override.flow.id, override.device_ids, _tail(project, Source.OVERRIDE))


def _experiment(project: ProjectRecord, experiment: ExperimentRecord) -> Experiment:
    return Experiment(
        experiment_id=experiment.experiment_id,
        is_paused=experiment.is_paused,
        conditions=msgspec.convert(experiment.conditions, tuple[Condition, ...]),
        traffic_buckets=experiment.traffic_buckets,
        salt_version=experiment.salt_version,
        variants=tuple(_variant(project, experiment, variant) for variant in experiment.variants),
    )


def _variant(project: ProjectRecord, experiment: ExperimentRecord, variant: VariantRecord) -> ExperimentVariant:
    assignment = Assignment(
        source=Source.EXPERIMENT, experiment_id=experiment.experiment_id, variant=variant.key, token=_PLACEHOLDER
    )
    # No text of a customer follows the token, so the last place is the right one.
    head, _, tail = _after_flow(project, assignment).rpartition(_PLACEHOLDER.encode())
    return ExperimentVariant(variant.key, variant.flow.id, variant.ranges, head, tail)


def _targeted(project: ProjectRecord, flow: FlowRecord) -> TargetedFlow:
    return TargetedFlow(
        flow_id=flow.id,
        rollout_buckets=flow.rollout_buckets,
        conditions=msgspec.convert(flow.conditions, tuple[Condition, ...]),
        tail=_tail(project, Source.TARGETING),
    )


def _default(project: ProjectRecord, flow: FlowRecord) -> DefaultFlow:
    return DefaultFlow(flow.id, _tail(project, Source.DEFAULT))


def _theme_of(project: ProjectRecord, media: ShownMedia, flow: FlowRecord) -> ConfiguredTheme | None:
    """Return the theme of a flow: its own, else the project's default, else none."""
    own = next((theme for theme in project.themes if theme.id == flow.theme_id), None)
    theme = own or next((theme for theme in project.themes if theme.is_default), None)
    return media.theme(theme) if theme else None


def _flow_part(
    project: ProjectRecord, media: ShownMedia, key: FlowKey, original: FlowRecord, translated: TranslatedFlow | None
) -> tuple[FlowPart, tuple[Place, ...]]:
    """Return a Resolution up to its assignment, and the places of the texts that are translated."""
    flow = original if translated is None else translated.flow
    theme = _theme_of(project, media, flow)
    # Without `is_default`, which only the configuration shows.
    public_theme = (
        PublicTheme(**{name: getattr(theme, name) for name in PublicTheme.__struct_fields__}) if theme else None
    )
    resolved = ResolvedFlow(
        id=flow.id,
        name=flow.name,
        theme=public_theme,
        screens=media.screens(flow.screens),
        variables=flow.variables,
        locale=msgspec.UNSET if translated is None else translated.locale,
        direction=msgspec.UNSET if translated is None else translated.direction,
    )
    locale = {} if translated is None else {"locale": translated.locale}
    members = {"flowId": flow.id, "projectId": project.project_id, **locale, "flow": resolved}
    body = _json(members).removesuffix(b"}") + b","
    places: tuple[Place, ...] = ()
    if translated is not None:
        body, places = unmarked(body, translated.prefix, translated.base, json_string)
    return FlowPart(*key, body), places


def _tail(project: ProjectRecord, source: Source) -> bytes:
    """Return the end of a Resolution without an experiment: the edge adds a token to those of variants only."""
    return _after_flow(project, Assignment(source=source, experiment_id=None, variant=None, token=None))


def _after_flow(project: ProjectRecord, assignment: Assignment) -> bytes:
    """Return a Resolution from its assignment on."""
    return _json({"assignment": assignment, "configVersion": project.revision}).removeprefix(b"{")


def _config_body(project: ProjectRecord, media: ShownMedia, active_default: FlowRecord | None) -> bytes:
    """Return the body of GET /api/config: all that an SDK needs to resolve by itself.

    The active flows are in the order of their priority, the default flow among them. Flows of another status follow,
    if a variant of an experiment assigns them. Experiments are in the order in which they were started.
    """
    others = {
        variant.flow.id: variant.flow
        for experiment in project.experiments
        for variant in experiment.variants
        if variant.flow.status != _ACTIVE
    }
    return _json(
        Configuration(
            project_id=project.project_id,
            name=project.name,
            settings=ConfiguredSettings(
                platforms=project.platforms,
                default_flow_id=project.default_flow_id,
                analytics_enabled=project.analytics_enabled,
                custom_domain=project.custom_domain,
                record_answers=project.record_answers or msgspec.UNSET,
                **_locale_settings(project),
            ),
            flows=[
                _flow_config(media, flow, is_default=flow is active_default)
                for flow in (*project.active_flows, *others.values())
            ],
            themes=tuple(media.theme(theme) for theme in project.themes),
            experiments=[_experiment_config(experiment) for experiment in project.experiments],
            config_version=project.revision,
        )
    )


def _locale_settings(project: ProjectRecord) -> dict[str, Any]:
    if len(project.locales) == 1:
        return {}
    return {
        "default_locale": project.locales[0],
        "locales": project.locales,
        "locale_aliases": aliases_of(project.locales),
    }


def compress_config(body: bytes) -> ConfigDocument:
    """Compress and fingerprint the body of GET /api/config; equal bodies have equal documents."""
    return ConfigDocument(
        body=body,
        gzip=gzip.compress(body, _GZIP_LEVEL, mtime=0),
        etag=hashlib.sha256(body).hexdigest()[:32],
        brotli=brotli.compress(body, mode=brotli.MODE_TEXT, quality=_BROTLI_QUALITY),
    )


def _experiment_config(experiment: ExperimentRecord) -> ConfiguredExperiment:
    return ConfiguredExperiment(
        id=experiment.experiment_id,
        name=experiment.name,
        status="paused" if experiment.is_paused else "running",
        started_at=format_timestamp(experiment.started_at),
        audience=ConfiguredAudience(conditions=experiment.conditions),
        traffic_percentage=_percentage(experiment.traffic_buckets),
        traffic_salt=traffic_salt(experiment.experiment_id, experiment.salt_version),
        variant_salt=variant_salt(experiment.experiment_id, experiment.salt_version),
        primary_event=experiment.primary_event,
        variants=[
            ConfiguredVariant(
                key=variant.key,
                name=variant.name,
                flow_id=variant.flow.id,
                is_control=variant.is_control,
                weight=variant.weight,
                ranges=variant.ranges,
            )
            for variant in experiment.variants
        ],
    )


def _flow_config(media: ShownMedia, flow: FlowRecord, *, is_default: bool) -> ConfiguredFlow:
    """Return a flow of the configuration: fields of the record as they are, and the members that others become."""
    members = {name: getattr(flow, name) for name in _PUBLIC_FIELDS}
    targeting = ConfiguredTargeting(percentage=_percentage(flow.rollout_buckets), conditions=flow.conditions)
    others = {
        "is_default": is_default,
        "targeting": targeting,
        "created_at": format_timestamp(flow.created_at),
        "screens": media.screens(flow.screens),
    }
    return ConfiguredFlow(**{**members, **others})


def _percentage(rollout_buckets: int) -> float:
    """Return an integer where the percentage is whole, so that it reads 50 and not 50.0."""
    whole, rest = divmod(rollout_buckets, BUCKETS_PER_CENT)
    return rollout_buckets / BUCKETS_PER_CENT if rest else whole


def _json(response: PublicModel | Json) -> bytes:
    """Return a response, or members of one, as JSON; the customer's objects in it pass untouched."""
    return orjson.dumps(response, default=_camel_case_members)


def _camel_case_members(value: object) -> Json:
    if isinstance(value, PublicModel):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        members = ((public_name, name, getattr(value, name)) for public_name, name in names)
        return {
            public_name: member
            for public_name, name, member in members
            if member is not msgspec.UNSET and (member or name not in OPTIONAL_MEMBERS)
        }
    raise TypeError(f"{type(value).__name__} has no JSON form")
