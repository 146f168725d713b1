"""Settings of every process, read once at start from the environment, checked, frozen and handed down.

Each process has a class of its own, so that it is given (and can leak) only what it needs. A wrong or missing value
stops the start with one line that names it, see :func:`read_settings`.
"""

import base64
import binascii
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from common.errors import SettingsError
from common.rate_limits.trusted_proxies import TrustedProxies

MASTER_KEY_BYTES = 32
SHARED_SECRET_BYTES = 32
ASSIGNMENT_KEY_BYTES = 32
#: What one request can make is bounded whatever the settings say.
MOST_SCREENS_PER_FLOW = 1000


def _check_master_key(value: SecretStr) -> SecretStr:
    try:
        raw = base64.b64decode(value.get_secret_value(), validate=True)
    except binascii.Error as error:
        raise ValueError("must be base64") from error
    if len(raw) != MASTER_KEY_BYTES:
        raise ValueError(f"must be {MASTER_KEY_BYTES} bytes in base64")
    return value


def _check_database_url(value: SecretStr) -> SecretStr:
    if not value.get_secret_value().startswith(("postgresql://", "postgres://")):
        raise ValueError("must be a postgresql:// URL")
    return value


def _check_redis_url(value: SecretStr) -> SecretStr:
    if not value.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must be a redis://, rediss:// or unix:// URL")
    return value


def _check_assignment_keys(value: SecretStr) -> SecretStr:
    assignment_keys_of(value)
    return value


def assignment_keys_of(value: SecretStr) -> tuple[bytes, ...]:
    """Give the signing keys of assignment tokens, the one in use first. Raises ValueError."""
    try:
        keys = tuple(base64.b64decode(key, validate=True) for key in value.get_secret_value().split(","))
    except binascii.Error as error:
        raise ValueError("must be base64, several separated by commas") from error
    if any(len(key) < ASSIGNMENT_KEY_BYTES for key in keys):
        raise ValueError(f"must be keys of at least {ASSIGNMENT_KEY_BYTES} bytes in base64, separated by commas")
    return keys


def _check_shared_secret(value: SecretStr) -> SecretStr:
    # RFC 7518, section 3.2: a key as long as the hash, or it could be guessed from any token.
    if len(value.get_secret_value().encode()) < SHARED_SECRET_BYTES:
        raise ValueError(f"must have at least {SHARED_SECRET_BYTES} bytes")
    return value


def _split_at_commas(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _check_networks(value: tuple[str, ...]) -> tuple[str, ...]:
    TrustedProxies(value)
    return value


MasterKey = Annotated[SecretStr, AfterValidator(_check_master_key)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_check_database_url)]
RedisUrl = Annotated[SecretStr, AfterValidator(_check_redis_url)]
AssignmentKeys = Annotated[SecretStr, AfterValidator(_check_assignment_keys)]
SharedSecret = Annotated[SecretStr, AfterValidator(_check_shared_secret)]
Port = Annotated[int, Field(ge=1, le=65535)]
RequestsAnHour = Annotated[int, Field(ge=1, le=1_000_000_000)]
TrustedNetworks = Annotated[
    tuple[str, ...], NoDecode, BeforeValidator(_split_at_commas), AfterValidator(_check_networks)
]


class ProcessSettings(BaseSettings):
    """What every process has: how it logs."""

    model_config = SettingsConfigDict(env_prefix="ONBOARDING_", frozen=True, extra="ignore", hide_input_in_errors=True)

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"


class DatabaseSettings(ProcessSettings):
    """A process that speaks to PostgreSQL. Times are in milliseconds."""

    database_url: DatabaseUrl
    database_pool_size: int = Field(default=8, ge=1, le=200)
    database_pool_timeout_ms: int = Field(default=5000, ge=10)
    database_statement_timeout_ms: int = Field(default=10_000, ge=100)
    database_lock_timeout_ms: int = Field(default=5000, ge=100)


class RateLimitSettings(ProcessSettings):
    """A service that limits its clients. The limits are requests an hour; both services must be given the same."""

    #: Off, nothing is counted and no answer carries the headers.
    rate_limits_enabled: bool = True
    rate_limit_secret_key: RequestsAnHour = 1000
    rate_limit_api_key: RequestsAnHour = 5000
    rate_limit_jwt: RequestsAnHour = 5000
    rate_limit_unauthenticated: RequestsAnHour = 60
    secret_key_rate_limit_scope: Literal["client", "project"] = "client"  # noqa: S105 - not a key but what it is counted by
    #: Whose X-Forwarded-For is believed: networks (CIDR) separated by commas, `unix` for peers on a Unix socket.
    trusted_proxies: TrustedNetworks = ()
    #: Redis sees client addresses as digests; under a key of the operator's, nobody else can guess them back.
    rate_limit_digest_key: SecretStr = SecretStr("")
    #: A lease that Redis does not give in this time is not waited for.
    rate_limit_redis_timeout_ms: int = Field(default=200, ge=1, le=10_000)


class ResolvingSettings(ProcessSettings):
    """A service that resolves devices, or explains how they are resolved."""

    #: Sign the tokens that keep devices in their variants: the first key signs, former ones behind it are still
    #: believed. Every service must be given the same.
    assignment_keys: AssignmentKeys


class ManagementSettings(DatabaseSettings, RateLimitSettings, ResolvingSettings):
    """The management service."""

    management_host: str = "127.0.0.1"
    management_port: Port = Field(
        default=8081, validation_alias=AliasChoices("MANAGEMENT_PORT", "ONBOARDING_MANAGEMENT_PORT")
    )
    management_workers: int = Field(default=1, ge=1, le=64)
    management_threads: int = Field(default=8, ge=1, le=256)
    #: Only rate limits need Redis here; without it each worker limits alone.
    redis_url: RedisUrl | None = None
    master_key: MasterKey
    identity_audience: str = Field(min_length=1)
    #: Instead of asking the provider: its keys as a file, for development and for networks without a way out.
    identity_jwks_file: Path | None = None
    #: For providers that sign with HS256, beside their keys or, with `identity_discovery` off, instead of them.
    identity_shared_secret: SharedSecret | None = None
    identity_discovery: bool = True
    identity_allow_loopback_http: bool = False
    identity_issuer: str = Field(min_length=1)
    max_projects_per_user: int = Field(default=1000, ge=1)
    max_members_per_project: int = Field(default=200, ge=1)
    max_flows_per_project: int = Field(default=500, ge=1)
    max_screens_per_flow: int = Field(default=100, ge=1, le=MOST_SCREENS_PER_FLOW)
    max_themes_per_project: int = Field(default=500, ge=1)
    max_experiments_per_project: int = Field(default=500, ge=1)
    #: Running or paused at the same time: a resolve may ask every one of them.
    max_experiments_under_way: int = Field(default=50, ge=1, le=200)
    #: Those in their time of grace count; every one stands in the snapshot.
    max_living_secret_keys: int = Field(default=20, ge=2, le=100)


class PublisherSettings(DatabaseSettings):
    """The publisher. Times are in seconds."""

    redis_url: RedisUrl
    master_key: MasterKey
    publisher_claim_seconds: float = Field(default=5.0, gt=0)
    publisher_poll_seconds: float = Field(default=1.0, gt=0)
    publisher_batch_size: int = Field(default=50, ge=1, le=1000)


class ConsumerSettings(DatabaseSettings):
    """The event consumer."""

    redis_url: RedisUrl
    #: What one transaction takes at most of one stream.
    consumer_batch_size: int = Field(default=2000, ge=1, le=10_000)
    #: What a consumer that gave no sign of life for so long had read, others take over.
    consumer_reclaim_after_ms: int = Field(default=5000, ge=100)
    #: Written anew, several times in each reclaim time, while the consumer lives; for probes. None: no file.
    consumer_file: Path | None = None
    #: Raw events are dropped, a month at a time, when all of the month are older; what was counted of them stays.
    event_retention_days: int = Field(default=400, ge=1)
    #: Seconds between two looks at what there is to merge, make and drop.
    consumer_upkeep_seconds: float = Field(default=5.0, gt=0)


class EdgeSettings(RateLimitSettings, ResolvingSettings):
    """The edge. It knows neither PostgreSQL nor the master key."""

    edge_host: str = "127.0.0.1"
    edge_port: Port = Field(default=8080, validation_alias=AliasChoices("EDGE_PORT", "ONBOARDING_EDGE_PORT"))
    edge_workers: int = Field(default=1, ge=1, le=64)
    #: `protocol` answers public requests while they are parsed, `asgi` sends all of them through uvicorn's cycle.
    edge_door: Literal["protocol", "asgi"] = "protocol"
    #: A worker has at most so many connections.
    edge_connections: int = Field(default=10_000, ge=1)
    #: Absolute, however busily a client drips: a request's headers, and then its body, arrive within so many seconds.
    edge_head_seconds: float = Field(default=5.0, gt=0)
    edge_body_seconds: float = Field(default=10.0, gt=0)
    #: A connection without a request is kept for so long.
    edge_keep_alive_seconds: float = Field(default=30.0, gt=0)
    redis_url: RedisUrl
    edge_snapshot_memory_mb: int = Field(default=256, ge=1)
    edge_unknown_project_seconds: float = Field(default=1.0, ge=0)
    edge_reconcile_seconds: float = Field(default=5.0, gt=0)
    #: Where snapshots are copied to, so that an edge starts and serves without Redis; none: nowhere. The workers of one
    #: machine share it.
    edge_snapshot_folder: Path | None = None
    edge_snapshot_folder_mb: int = Field(default=1024, ge=1)
    #: After so many seconds without word from Redis, in which keys may have been revoked, requests with a secret key
    #: are answered 503. 0: what is held is served for as long as it takes.
    edge_max_stale_seconds: float = Field(default=0, ge=0)
    #: What may wait in a worker's memory to be made durable; more is answered 503.
    edge_pending_events: int = Field(default=10_000, ge=1)
    edge_pending_mb: int = Field(default=64, ge=4)
    #: What Redis does not take in this time goes to the spool, or is answered 503 where there is none.
    edge_redis_patience_ms: int = Field(default=1000, ge=10, le=60_000)
    #: Where events wait on disk while Redis does not take them; none: they are answered 503 then. The workers of one
    #: machine share it, and what it may hold.
    edge_spool_folder: Path | None = None
    edge_spool_mb: int = Field(default=1024, ge=1)
    record_exposures: bool = True


SettingsT = TypeVar("SettingsT", bound=ProcessSettings)


def read_settings(kind: type[SettingsT]) -> SettingsT:
    """Read and check the settings of one process.

    Raises SettingsError, whose text is one line that names every variable that is missing or wrong, never its value.
    """
    try:
        return kind()
    except ValidationError as error:
        raise SettingsError("; ".join(_complaint(kind, item["loc"], item["msg"]) for item in error.errors())) from None


def _complaint(kind: type[ProcessSettings], location: tuple[int | str, ...], message: str) -> str:
    name = str(location[0])
    prefix = kind.model_config["env_prefix"]
    variable = f"{prefix}{name.upper()}" if name in kind.model_fields else name
    return f"{variable}: {message}"
