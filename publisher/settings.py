"""Settings of the publisher."""

from pydantic import Field

from common.settings.shared import DirectDatabaseSettings, MetricsSettings
from common.settings.types import MasterKey, MetricsPort, RedisUrl


class PublisherSettings(DirectDatabaseSettings, MetricsSettings):
    """The publisher."""

    redis_url: RedisUrl = Field(
        description="The URL of Redis: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    master_key: MasterKey = Field(
        description="Seals keys in the database: 32 bytes in base64. The first one seals, others behind commas still"
        " open. The same for management and publisher.",
        examples=["$(openssl rand -base64 32)"],
    )
    publisher_metrics_port: MetricsPort = Field(
        default=9403, description="The port of the metrics endpoint. 0: no metrics endpoint."
    )
    publisher_claim_seconds: float = Field(
        default=5.0, gt=0, description="For how long a publisher keeps others away from what it works on."
    )
    publisher_poll_seconds: float = Field(
        default=1.0, gt=0, description="How often the publisher looks for changes that it was not told of."
    )
    publisher_batch_size: int = Field(
        default=50, ge=1, le=1000, description="Projects that are read and published together."
    )
