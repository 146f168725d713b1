"""The snapshot: all that the edge needs of a project, compiled by the publisher, with finished bytes of each response.

It is the only contract between the two sides. A stored snapshot is one byte of FORMAT_VERSION followed by msgpack;
raise the version with every change that the release before cannot read (tests/contract holds a golden file), and
republish. It can read a further last member of a structure, which it ignores. Objects are few,
flat and frozen, because the edge keeps many of them.
"""

import msgspec

from common.errors import OnboardingError
from common.rules.bucketing import BucketRange
from common.rules.conditions import Condition
from common.wire.localized_bodies import Place

FORMAT_VERSION = 5

#: Publishers note it in Redis. Raise it with every addition to the content: a publisher writes all snapshots again that
#: have an older content, and leaves those with a newer one unchanged.
CONTENT_VERSION = 8

#: Format 4 has no flow parts: each response is whole in its tail. Edges read both, so that they can be upgraded first.
_READ_FORMATS = frozenset({b"\x04", bytes((FORMAT_VERSION,))})


class SnapshotFormatError(OnboardingError):
    """A stored snapshot is damaged or of a format that this release does not read."""


class SecretKeyDigest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The SHA-256 of a secret key, and the Unix second at which the key expires (None: never)."""

    key_id: str
    digest: bytes
    expires_at: float | None = None


class FlowPart(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The beginning of every response that ends at this flow, or at its draft: all that does not depend on the rule."""

    flow_id: str
    is_draft: bool
    body: bytes


class TargetedFlow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An active flow that is not the default: chosen inside its rollout, when all conditions hold.

    `tail` is the end of the response, behind the flow part. The rollout and the conditions tell readers whether it is
    evaluated before the default flow.
    """

    flow_id: str
    rollout_buckets: int
    conditions: tuple[Condition, ...]
    tail: bytes


class OverridingFlow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A flow of any status, or its draft, that the project's QA devices with these ids always get.

    `tail` is the end of the response, behind the flow part.
    """

    flow_id: str
    device_ids: tuple[str, ...]
    tail: bytes


class DefaultFlow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The active default flow, and the end of its response, behind the flow part."""

    flow_id: str
    tail: bytes


class ExperimentVariant(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variant: the ranges of buckets that it owns, and the end of its response.

    `head` is between the flow part and the device's token, `tail` is behind the token.
    """

    key: str
    flow_id: str
    ranges: tuple[BucketRange, ...]
    head: bytes
    tail: bytes


class Experiment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An experiment that is running, or paused, when only devices with a valid token have a variant."""

    experiment_id: str
    is_paused: bool
    conditions: tuple[Condition, ...]
    traffic_buckets: int
    salt_version: int
    variants: tuple[ExperimentVariant, ...]


class ConfigDocument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The response of GET /api/config, plain and compressed; `etag` is the opaque part, without quotes."""

    body: bytes
    gzip: bytes
    etag: str
    brotli: bytes


class Page(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The hosted page of a flow, as HTML compressed by gzip. A preview records nothing."""

    flow_id: str
    is_draft: bool
    is_preview: bool
    gzip: bytes
    #: Of a preview: links that were made before this Unix second were revoked.
    valid_from: int = 0


class FlowTexts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The texts of a flow, or of its draft, by locale and number, and their places in its bodies.

    The bodies have the texts of the default locale. Numbers 0 and 1 are the tag of the locale and its direction. The
    texts of a locale are encoded: most edges read those of a few locales only.
    """

    flow_id: str
    is_draft: bool
    texts: dict[str, bytes]
    of_part: tuple[Place, ...] = ()
    of_page: tuple[Place, ...] = ()
    of_preview: tuple[Place, ...] = ()

    def of_locale(self, locale: str) -> dict[int, str]:
        """Return the texts of a locale by their numbers."""
        return _TEXTS_DECODER.decode(self.texts[locale])


class Snapshot(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A project at one revision. Members with a default are stored where they differ from it.

    `experiments` are in the order in which they were started, `targeted` in that of their priority. `targeted` also has
    the flows that are for everyone, which are evaluated after the default flow (contract, section 4).

    The first `draft_overrides` of the overrides are drafts. A flow may have a second entry among the others. Release
    0.2.0 uses the last entry of a flow for both kinds of devices.

    `pages` is None where the publisher has no assets for them, or is of release 0.2.0.

    `flow_parts` has one part for each flow that a rule chooses, and for each draft; it is empty in format 4.

    `locales` are empty for a project with one locale, else the default is the first. An edge of a release before serves
    the texts of the default locale, which the bodies have.
    """

    project_id: str
    revision: int
    secret_keys: tuple[SecretKeyDigest, ...]
    platforms: tuple[str, ...]
    analytics_enabled: bool
    flow_ids: frozenset[str]
    overrides: tuple[OverridingFlow, ...]
    experiments: tuple[Experiment, ...]
    targeted: tuple[TargetedFlow, ...]
    default: DefaultFlow | None
    config: ConfigDocument
    deleted: bool
    custom_domain: str | None = None
    pages: tuple[Page, ...] | None = None
    draft_overrides: int = 0
    flow_parts: tuple[FlowPart, ...] = ()
    locales: tuple[str, ...] = ()
    locale_aliases: dict[str, str] = {}
    flow_texts: tuple[FlowTexts, ...] = ()

    @classmethod
    def tombstone(cls, project_id: str, revision: int) -> "Snapshot":
        """Return the snapshot of a deleted project, which no key opens."""
        return cls(
            project_id=project_id,
            revision=revision,
            secret_keys=(),
            platforms=(),
            analytics_enabled=False,
            flow_ids=frozenset(),
            overrides=(),
            experiments=(),
            targeted=(),
            default=None,
            config=ConfigDocument(b"", b"", "", b""),
            deleted=True,
        )


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_TEXTS_DECODER = msgspec.msgpack.Decoder(dict[int, str])
_DECODER = msgspec.msgpack.Decoder(Snapshot)


def encode_texts(texts: dict[int, str]) -> bytes:
    """Return the texts of a locale as `FlowTexts` has them."""
    return msgspec.msgpack.encode(texts)


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """Return the bytes to store; equal snapshots have equal bytes."""
    return bytes((FORMAT_VERSION,)) + _ENCODER.encode(snapshot)


def decode_snapshot(stored: bytes) -> Snapshot:
    """Decode stored bytes. Raises SnapshotFormatError."""
    if stored[:1] not in _READ_FORMATS:
        raise SnapshotFormatError(f"snapshot format {stored[:1].hex() or 'none'} is not {FORMAT_VERSION:02x}")
    try:
        return _DECODER.decode(memoryview(stored)[1:])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotFormatError(f"snapshot cannot be decoded: {error}") from error
