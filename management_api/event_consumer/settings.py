"""Settings of the event consumer."""

from pathlib import Path

from pydantic import Field, SecretStr

from common.settings.shared import DatabaseSettings, MediaStoreSettings, MetricsSettings, QuotaSettings
from common.settings.types import DigestKeys, MetricsPort, RedisUrl


class ConsumerSettings(DatabaseSettings, QuotaSettings, MediaStoreSettings, MetricsSettings):
    """The event consumer."""

    redis_url: RedisUrl = Field(
        description="The URL of Redis: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    consumer_metrics_port: MetricsPort = Field(
        default=9404, description="The port of the metrics endpoint. 0: no metrics endpoint."
    )
    consumer_batch_size: int = Field(
        default=2000,
        ge=1,
        le=10_000,
        description="The maximum number of entries in one transaction. A consumer has one for each of 8 streams.",
    )
    consumer_reclaim_after_ms: int = Field(
        default=5000,
        ge=100,
        description="After this time without a heartbeat, other consumers claim the entries of a consumer.",
    )
    consumer_heartbeat_file: Path | None = Field(
        default=None,
        description="Heartbeat file for probes, rewritten every fifth of the reclaim time. None: no file.",
    )
    device_digest_keys: DigestKeys = Field(
        default=SecretStr(""),
        description="Secret keys of the digests of erased devices: 32 bytes or more in base64, several separated by"
        " commas. The first one makes digests, all of them find digests. Equal for all consumers. Without a key, ids"
        " can be guessed from their digests.",
    )
    event_retention_days: int = Field(
        default=400,
        ge=1,
        description="Raw events are dropped by month of receipt, when the whole month is older, and the ids of devices"
        " that were not seen since. Statistics stay.",
    )
    audit_retention_days: int = Field(
        default=1095, ge=30, description="Entries of the audit log are deleted when they are older."
    )
    rollup_max_keys: int = Field(
        default=5000,
        ge=100,
        description="A breakdown of statistics counts so many names a day (of screens, flows, variants) of a project. "
        "Further names count as `(other)`.",
    )
