"""The snapshot: all that the edge needs of a project, compiled by the publisher, with finished bytes for each answer.

This is the one contract between the two sides. A stored snapshot is one byte of FORMAT_VERSION followed by msgpack;
raise the version with every change of shape (tests/contract holds a golden file), and republish. Objects are few,
flat and frozen, because the edge keeps very many of them.
"""

import gzip
import hashlib

import brotli
import msgspec

from common.errors import OnboardingError
from common.rules.bucketing import BucketRange
from common.rules.conditions import Condition

FORMAT_VERSION = 4

#: Format 3 lacks what brotli makes, and nothing else: edges read it, so that they can be brought up to date first.
_READ_FORMATS = frozenset({b"\x03", bytes((FORMAT_VERSION,))})

#: Level 9 takes up to five times as long, a quarter of publishing a large project, and saves half a per cent.
_GZIP_LEVEL = 6
#: As long as gzip takes, and a tenth less to send. Quality 11 saves as much again, at up to a hundred times the price.
_BROTLI_QUALITY = 6


class SnapshotFormatError(OnboardingError):
    """A stored snapshot is damaged or of a format that this release does not read."""


class SecretKeyDigest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What verifies a secret key: SHA-256 of it, and the Unix second at which it dies (None: it does not)."""

    key_id: str
    digest: bytes
    expires_at: float | None = None


class TargetedFlow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An active flow that is not the default: chosen inside its rollout, when all conditions hold.

    `body` is the answer. Its rollout and its conditions tell readers whether it is evaluated before the default flow.
    """

    flow_id: str
    rollout_buckets: int
    conditions: tuple[Condition, ...]
    body: bytes


class OverridingFlow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A flow, of whatever status, that the project's QA devices with these ids always get, and its answer."""

    flow_id: str
    device_ids: tuple[str, ...]
    body: bytes


class DefaultFlow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The active default flow and its answer."""

    flow_id: str
    body: bytes


class ExperimentVariant(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variant: the ranges of buckets that it owns, and its answer on both sides of the device's own token."""

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
    """The answer of GET /api/config, plain and compressed; `etag` is the opaque part, without quotes.

    `brotli` is empty in what an older publisher has made.
    """

    body: bytes
    gzip: bytes
    etag: str
    brotli: bytes = b""

    @classmethod
    def of(cls, body: bytes) -> "ConfigDocument":
        """Compress and fingerprint a body; the same body always gives the same document."""
        return cls(
            body=body,
            gzip=gzip.compress(body, _GZIP_LEVEL, mtime=0),
            etag=hashlib.sha256(body).hexdigest()[:32],
            brotli=brotli.compress(body, mode=brotli.MODE_TEXT, quality=_BROTLI_QUALITY),
        )


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """A project at one revision.

    `experiments` are in the order in which they were started, `targeted` in that of their priority. `targeted` also has
    the flows that are for everyone, which are evaluated after the default flow (contract, section 4).
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
    deleted: bool = False

    @classmethod
    def tombstone(cls, project_id: str, revision: int) -> "Snapshot":
        """Make the snapshot of a deleted project: nobody's key opens it."""
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
            config=ConfigDocument(b"", b"", ""),
            deleted=True,
        )


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(Snapshot)


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """Give the bytes to store; equal snapshots give equal bytes."""
    return bytes((FORMAT_VERSION,)) + _ENCODER.encode(snapshot)


def decode_snapshot(stored: bytes) -> Snapshot:
    """Read stored bytes. Raises SnapshotFormatError."""
    if stored[:1] not in _READ_FORMATS:
        raise SnapshotFormatError(f"snapshot format {stored[:1].hex() or 'none'} is not {FORMAT_VERSION:02x}")
    try:
        return _DECODER.decode(memoryview(stored)[1:])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotFormatError(f"snapshot cannot be decoded: {error}") from error
