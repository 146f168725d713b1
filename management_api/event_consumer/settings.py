"""Settings of the event consumer."""

from pathlib import Path

from pydantic import Field

from common.settings.shared import DatabaseSettings, MetricsSettings
from common.settings.types import MetricsPort, RedisUrl


class ConsumerSettings(DatabaseSettings, MetricsSettings):
    """The event consumer."""

    redis_url: RedisUrl = Field(
        description="The URL of Redis: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    consumer_metrics_port: MetricsPort = Field(
        default=9404, description="The port of the metrics endpoint. 0: no metrics endpoint."
    )
    consumer_batch_size: int = Field(
        default=2000, ge=1, le=10_000, description="What one transaction takes at most of one stream."
    )
    consumer_reclaim_after_ms: int = Field(
        default=5000,
        ge=100,
        description="After this time without a heartbeat, other consumers claim the entries of a consumer.",
    )
    consumer_file: Path | None = Field(
        default=None,
        description="Written anew, several times in each reclaim time, while the consumer lives; for probes.",
    )
    event_retention_days: int = Field(
        default=400,
        ge=1,
        description="Raw events are dropped, a month at a time, when all of the month are older; what was counted of"
        " them stays.",
    )
    consumer_maintenance_seconds: float = Field(
        default=5.0, gt=0, description="The time between two looks at what there is to merge, make and drop."
    )
