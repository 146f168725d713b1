"""Settings of the publisher."""

from pathlib import Path

from pydantic import Field

from common.settings.shared import DirectDatabaseSettings, MetricsSettings, PublicUrlSettings
from common.settings.types import MasterKey, MetricsPort, RedisUrl


class PublisherSettings(DirectDatabaseSettings, PublicUrlSettings, MetricsSettings):
    """The publisher."""

    redis_url: RedisUrl = Field(
        description="The URL of Redis: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    master_key: MasterKey = Field(
        description="Encrypts keys in the database: 32 bytes in base64, several separated by commas. The first one"
        " encrypts, all of them decrypt. Equal for management and publisher.",
        examples=["$(openssl rand -base64 32)"],
    )
    publisher_metrics_port: MetricsPort = Field(
        default=9403, description="The port of the metrics endpoint. 0: no metrics endpoint."
    )
    publisher_heartbeat_file: Path | None = Field(
        default=None,
        description="Heartbeat file for probes, touched at each step of the loop, so every second. None: no file.",
    )
    publisher_batch_size: int = Field(
        default=50, ge=1, le=1000, description="The maximum number of projects in one batch."
    )
