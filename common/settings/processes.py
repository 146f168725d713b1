"""Settings of every process, read once at start from the environment, checked, frozen and handed down.

Each process has a class of its own, so that it is given (and can leak) only what it needs. Every setting says what it
means: docs/settings.md and .env.example are made of these classes (`make settings`). A wrong or missing value stops the
start with a line that names it, see :func:`read_settings`.
"""

from pathlib import Path
from typing import Literal, TypeVar

from pydantic import AliasChoices, Field, ValidationError

from common.errors import SettingsError
from common.settings.names import FILE_SUFFIX, is_secret, variables_of
from common.settings.shared import (
    DatabaseSettings,
    DirectDatabaseSettings,
    MetricsSettings,
    ProcessSettings,
    RateLimitSettings,
    ResolvingSettings,
)
from common.settings.types import DatabaseUrl, MasterKey, MetricsPort, Port, RedisUrl, SharedSecret

__all__ = [
    "IS_REQUIRED",
    "MOST_SCREENS_PER_FLOW",
    "ConsumerSettings",
    "DatabaseSettings",
    "DirectDatabaseSettings",
    "EdgeSettings",
    "ManagementSettings",
    "MetricsSettings",
    "ProcessSettings",
    "PublisherSettings",
    "RateLimitSettings",
    "ResolvingSettings",
    "read_settings",
]

#: What one request can make is bounded whatever the settings say.
MOST_SCREENS_PER_FLOW = 1000


class ManagementSettings(DatabaseSettings, RateLimitSettings, ResolvingSettings, MetricsSettings):
    """The management service."""

    management_host: str = Field(default="127.0.0.1", description="The address that the service listens on.")
    management_port: Port = Field(
        default=8081,
        validation_alias=AliasChoices("MANAGEMENT_PORT", "ONBOARDING_MANAGEMENT_PORT"),
        description="The port that the service listens on.",
    )
    management_metrics_port: MetricsPort = Field(
        default=9402, description="The port on which the management service shows its metrics. 0: none."
    )
    management_workers: int = Field(
        default=1, ge=1, le=64, description="Processes that serve; each has a pool of connections."
    )
    management_threads: int = Field(default=8, ge=1, le=256, description="Requests that one worker works on at once.")
    analytics_database_url: DatabaseUrl | None = Field(
        default=None,
        description="A read replica of the database, which statistics, analytics and results are read from while it"
        " answers. None: they are read from the database itself.",
    )
    analytics_max_lag_seconds: float = Field(
        default=60.0,
        ge=0,
        description="While the replica is further behind, the database itself is read. 0: however far it is.",
    )
    redis_url: RedisUrl | None = Field(
        default=None, description="Only rate limits need Redis here; without it each worker limits alone."
    )
    master_key: MasterKey = Field(
        description="Seals keys in the database: 32 bytes in base64. The first one seals, others behind commas still"
        " open. The same for management and publisher.",
        examples=["$(openssl rand -base64 32)"],
    )
    identity_audience: str = Field(
        min_length=1, description="What must be (among) the `aud` of tokens.", examples=["onboarding"]
    )
    identity_jwks_file: Path | None = Field(
        default=None,
        description="Instead of asking the provider: its keys as a file, for networks without a way out.",
    )
    identity_shared_secret: SharedSecret | None = Field(
        default=None,
        description="For providers that sign with HS256: their secret, at least 32 bytes, beside their keys or, with"
        " `ONBOARDING_IDENTITY_DISCOVERY` off, instead of them.",
    )
    identity_discovery: bool = Field(default=True, description="Off, the provider is never asked for its keys.")
    identity_allow_loopback_http: bool = Field(
        default=False, description="An issuer on `http://localhost` or `http://127.0.0.1` is good enough."
    )
    identity_issuer: str = Field(
        min_length=1,
        description="The `iss` of tokens, letter by letter; for discovery an https URL.",
        examples=["https://id.example.com/"],
    )
    max_projects_per_user: int = Field(default=1000, ge=1, description="Projects that one user may own.")
    max_members_per_project: int = Field(default=200, ge=1, description="Members of one project.")
    max_flows_per_project: int = Field(default=500, ge=1, description="Flows of one project.")
    max_screens_per_flow: int = Field(default=100, ge=1, le=MOST_SCREENS_PER_FLOW, description="Screens of one flow.")
    max_themes_per_project: int = Field(default=500, ge=1, description="Themes of one project.")
    max_experiments_per_project: int = Field(default=500, ge=1, description="Experiments of one project.")
    max_experiments_under_way: int = Field(
        default=50,
        ge=1,
        le=200,
        description="Experiments of one project that run or pause at the same time: a resolve may ask every one.",
    )
    max_living_secret_keys: int = Field(
        default=20,
        ge=2,
        le=100,
        description="Secret keys of one project, those in their time of grace included: all stand in the snapshot.",
    )


class PublisherSettings(DirectDatabaseSettings, MetricsSettings):
    """The publisher."""

    redis_url: RedisUrl = Field(
        description="Where Redis is: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    master_key: MasterKey = Field(
        description="Seals keys in the database: 32 bytes in base64. The first one seals, others behind commas still"
        " open. The same for management and publisher.",
        examples=["$(openssl rand -base64 32)"],
    )
    publisher_metrics_port: MetricsPort = Field(
        default=9403, description="The port on which the publisher shows its metrics. 0: none."
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


class ConsumerSettings(DatabaseSettings, MetricsSettings):
    """The event consumer."""

    redis_url: RedisUrl = Field(
        description="Where Redis is: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    consumer_metrics_port: MetricsPort = Field(
        default=9404, description="The port on which the event consumer shows its metrics. 0: none."
    )
    consumer_batch_size: int = Field(
        default=2000, ge=1, le=10_000, description="What one transaction takes at most of one stream."
    )
    consumer_id_filter_mb: int = Field(
        default=64,
        ge=0,
        le=512,
        description="What a consumer may remember of the event ids of the week before, so that it need not look up new"
        " ones; 8 bytes for each of them are enough. 0: it looks up all.",
    )
    consumer_reclaim_after_ms: int = Field(
        default=5000,
        ge=100,
        description="What a consumer that gave no sign of life for so long had read, others take over.",
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
    consumer_upkeep_seconds: float = Field(
        default=5.0, gt=0, description="The time between two looks at what there is to merge, make and drop."
    )


class EdgeSettings(RateLimitSettings, ResolvingSettings, MetricsSettings):
    """The edge. It knows neither PostgreSQL nor the master key."""

    edge_host: str = Field(default="127.0.0.1", description="The address that the edge listens on.")
    edge_port: Port = Field(
        default=8080,
        validation_alias=AliasChoices("EDGE_PORT", "ONBOARDING_EDGE_PORT"),
        description="The port that the edge listens on.",
    )
    edge_metrics_port: MetricsPort = Field(
        default=9401, description="The port on which the edge shows its metrics. 0: none."
    )
    edge_workers: int = Field(default=1, ge=1, le=64, description="Processes that serve, one for each processor.")
    edge_worker_silence_seconds: float = Field(
        default=15.0,
        ge=2,
        description="Where there are several, one that gives no sign of life for so long is killed and replaced.",
    )
    edge_door: Literal["protocol", "asgi"] = Field(
        default="protocol",
        description="`protocol` answers public requests while they are parsed, `asgi` sends all of them through"
        " uvicorn's cycle.",
    )
    edge_connections: int = Field(default=10_000, ge=1, description="The most connections of one worker.")
    edge_head_seconds: float = Field(
        default=5.0, gt=0, description="A request's headers arrive within this time, however busily a client drips."
    )
    edge_body_seconds: float = Field(default=10.0, gt=0, description="A request's body arrives within this time.")
    edge_keep_alive_seconds: float = Field(
        default=30.0, gt=0, description="A connection without a request is kept for so long."
    )
    redis_url: RedisUrl = Field(
        description="Where Redis is: one server, Sentinels or a Cluster.",
        examples=["redis://:PASSWORD@127.0.0.1:6379/0"],
    )
    edge_snapshot_memory_mb: int = Field(default=256, ge=1, description="Snapshots that one worker keeps in memory.")
    edge_unknown_project_seconds: float = Field(
        default=1.0, ge=0, description="For how long an unknown project is not asked for again."
    )
    edge_reconcile_seconds: float = Field(
        default=5.0, gt=0, description="How often revisions are compared with Redis, in case a change was missed."
    )
    edge_snapshot_folder: Path | None = Field(
        default=None,
        description="Where snapshots are copied to, so that an edge starts and serves without Redis; none: nowhere. The"
        " workers of one machine share it.",
    )
    edge_snapshot_folder_mb: int = Field(default=1024, ge=1, description="What that folder may hold.")
    edge_max_stale_seconds: float = Field(
        default=0,
        ge=0,
        description="After so long without word from Redis, in which keys may have been revoked, requests with a secret"
        " key are answered 503. 0: what is held is served for as long as it takes.",
    )
    edge_pending_events: int = Field(
        default=10_000,
        ge=1,
        description="Events that may wait in a worker's memory to be made durable; more is answered 503.",
    )
    edge_pending_mb: int = Field(default=64, ge=4, description="As above, by size.")
    edge_redis_patience_ms: int = Field(
        default=1000,
        ge=10,
        le=60_000,
        description="Events that Redis does not take in this time go to the spool, or are answered 503 without one.",
    )
    edge_event_replicas: int = Field(
        default=0,
        ge=0,
        le=10,
        description="An event counts as stored in Redis when so many replicas have it as well, so that a failover loses"
        " none. 0: when the server that took it has.",
    )
    edge_spool_folder: Path | None = Field(
        default=None,
        description="Where events wait on disk while Redis does not take them; none: they are answered 503 then. The"
        " workers of one machine share it, and what it may hold.",
    )
    edge_spool_mb: int = Field(default=1024, ge=1, description="What that folder may hold; more is answered 503.")
    record_exposures: bool = Field(default=True, description="Off, resolutions are not recorded.")


#: How a complaint ends about a setting that is not there.
IS_REQUIRED = "is required"

SettingsT = TypeVar("SettingsT", bound=ProcessSettings)


def read_settings(kind: type[SettingsT]) -> SettingsT:
    """Read and check the settings of one process.

    Raises SettingsError with a complaint for every variable that is missing or wrong, which never shows its value.
    """
    try:
        return kind()
    except ValidationError as error:
        complaints = (_complaint(kind, str(item["loc"][0]), item["type"], item["msg"]) for item in error.errors())
        raise SettingsError(*complaints) from None


def _complaint(kind: type[ProcessSettings], location: str, problem: str, message: str) -> str:
    field = kind.model_fields.get(location)
    variable = variables_of(location, field)[0] if field else location
    if problem != "missing":
        return f"{variable}: {message.removeprefix('Value error, ')}"
    or_file = f" (or {variable}{FILE_SUFFIX})" if field and is_secret(field) else ""
    return f"{variable}{or_file}: {IS_REQUIRED}"
