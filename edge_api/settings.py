"""Settings of the edge."""

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field

from common.settings.shared import (
    HostedPagesSettings,
    MediaStoreSettings,
    MetricsSettings,
    RateLimitSettings,
    ResolvingSettings,
)
from common.settings.types import EventReplicas, MetricsPort, Origins, Port, RedisUrl, can_fail_over


class EdgeSettings(RateLimitSettings, ResolvingSettings, HostedPagesSettings, MediaStoreSettings, MetricsSettings):
    """The edge. It has neither the database URL nor the master key."""

    edge_host: str = Field(default="127.0.0.1", description="The address that the edge listens on.")
    edge_port: Port = Field(
        default=8080,
        validation_alias=AliasChoices("EDGE_PORT", "ONBOARDING_EDGE_PORT"),
        description="The port that the edge listens on.",
    )
    edge_metrics_port: MetricsPort = Field(
        default=9401, description="The port of the metrics endpoint. 0: no metrics endpoint."
    )
    edge_workers: int = Field(default=1, ge=1, le=64, description="Worker processes. Use one for each processor.")
    edge_worker_timeout_seconds: float = Field(
        default=15.0,
        ge=2,
        description="A worker without a heartbeat for this time is killed and replaced.",
    )
    edge_http: Literal["fast", "asgi"] = Field(
        default="fast",
        description="`fast` answers public requests from the HTTP parser, `asgi` sends all requests through Starlette.",
    )
    edge_connections: int = Field(default=10_000, ge=1, description="The maximum number of connections of one worker.")
    edge_header_timeout_seconds: float = Field(
        default=5.0, gt=0, description="The maximum time for receiving the headers of a request."
    )
    edge_body_timeout_seconds: float = Field(
        default=10.0, gt=0, description="The maximum time for receiving the body of a request."
    )
    edge_keep_alive_seconds: float = Field(
        default=30.0, gt=0, description="An idle connection is closed after this time."
    )
    redis_url: RedisUrl = Field(
        description="The URL of Redis: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    edge_cors_origins: Origins = Field(
        default=(),
        description="Origins whose scripts may use the public endpoints in browsers (CORS), separated by commas, or `*`"
        " for all. Without it, browsers refuse scripts of other origins.",
        examples=["https://app.example.com"],
    )
    edge_snapshot_memory_mb: int = Field(default=256, ge=1, description="The size of the snapshot cache of one worker.")
    edge_snapshot_folder: Path | None = Field(
        default=None,
        description="The folder of the snapshot copies, on a local file system. Without Redis, an edge starts and"
        " serves from it. The workers of one machine share it. None: no copies.",
    )
    edge_snapshot_folder_mb: int = Field(default=1024, ge=1, description="The maximum size of the snapshot folder.")
    edge_media_folder_mb: int = Field(
        default=1024,
        ge=64,
        description="The maximum size of the copies of media files in the snapshot folder.",
    )
    edge_max_stale_seconds: float = Field(
        default=0,
        ge=0,
        description="After this time without Redis, requests with a secret key get 503, because a key may have been"
        " revoked meanwhile. 0: cached snapshots are served without a time limit.",
    )
    edge_redis_timeout_ms: int = Field(
        default=1000,
        ge=10,
        le=60_000,
        description="Timeout for storing events in Redis; afterwards they go to the spool, or get 503 without one.",
    )
    edge_event_replicas: EventReplicas
    edge_spool_folder: Path | None = Field(
        default=None,
        description="The folder of the spool, which stores events while Redis is unavailable. The workers of one"
        " machine share it. None: no spool, and such events get 503.",
    )
    edge_spool_mb: int = Field(
        default=1024, ge=1, description="The maximum size of the spool folder; further events get 503."
    )
    record_exposures: bool = Field(default=True, description="Record resolutions as exposures. Experiments need them.")

    def start_warnings(self) -> tuple[str, ...]:
        """Return the risks that the settings take."""
        if can_fail_over(self.redis_url) and not self.edge_event_replicas:
            return ("ONBOARDING_EDGE_EVENT_REPLICAS is 0: a failover of Redis can lose acknowledged events",)
        return ()
