"""Settings that several processes share: logging, metrics, the database, rate limits, resolution."""

from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from common.settings.sources import PREFIX, InvalidSecretFile, SecretFiles
from common.settings.types import (
    AssignmentKeys,
    DatabaseUrl,
    MediaStoreUrl,
    OptionalPublicUrl,
    Quota,
    RequestsAnHour,
    TrustedNetworks,
)


class ProcessSettings(BaseSettings):
    """Every process: logging."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True)

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The minimum level of log lines."
    )
    log_format: Literal["json", "console"] = Field(
        default="json", description="`json` for machines, `console` for terminals."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - handed over by name
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - as above
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, by precedence."""
        return init_settings, SecretFiles(settings_cls), env_settings

    def start_warnings(self) -> tuple[str, ...]:
        """Return the risks that the settings take; each is logged at the start."""
        return ()

    @field_validator("*", mode="before")
    @classmethod
    def _reject_invalid_secret_files(cls, value: object) -> object:
        if isinstance(value, InvalidSecretFile):
            raise ValueError(str(value))  # noqa: TRY004 - pydantic reports a ValueError as an error of the setting
        return value


class MetricsSettings(ProcessSettings):
    """A process with a metrics endpoint, `/metrics` on a separate port."""

    metrics_host: str = Field(
        default="127.0.0.1",
        description="The address of the metrics endpoint, which has no authentication.",
    )


class DatabaseSettings(ProcessSettings):
    """A process with connections to PostgreSQL."""

    database_url: DatabaseUrl = Field(
        description="The URL of PostgreSQL. Parameters of libpq follow `?`: `?sslmode=verify-full&sslrootcert=...`.",
        examples=["postgresql://onboarding:PASSWORD@127.0.0.1:5432/onboarding"],
    )
    database_pool_size: int = Field(
        default=8,
        ge=1,
        le=200,
        description="The maximum number of connections of one worker, without the one for health checks. A process"
        " takes at least one for each of its threads.",
    )
    database_pool_timeout_ms: int = Field(
        default=5000, ge=10, description="Timeout for getting a connection from the pool; then the request gets 503."
    )
    database_statement_timeout_ms: int = Field(
        default=10_000,
        ge=100,
        description="`statement_timeout` of PostgreSQL. Without a response the connection is closed 10 s later.",
    )
    database_lock_timeout_ms: int = Field(default=5000, ge=100, description="`lock_timeout` of PostgreSQL.")
    database_pooler: Literal["none", "transaction"] = Field(
        default="none",
        description="`transaction`: the URL names a pooler in transaction mode, such as PgBouncer, and sessions keep no"
        " state. The publisher and `onboarding migrate` need a direct connection and refuse this value.",
    )


class DirectDatabaseSettings(DatabaseSettings):
    """A process that needs a session: for LISTEN, or for a lock across transactions."""

    @field_validator("database_pooler")
    @classmethod
    def _reject_pooler(cls, value: str) -> str:
        if value != "none":
            raise ValueError("must be `none` here: this process needs PostgreSQL itself, without a pooler in between")
        return value


class RateLimitSettings(ProcessSettings):
    """A service with rate limits (contract, section 1)."""

    rate_limits_enabled: bool = Field(
        default=True, description="Count and limit requests, and send rate limit headers."
    )
    rate_limit_per_secret_key: RequestsAnHour = Field(
        default=1000, description="Requests an hour with a secret key. Limits must be equal in both services."
    )
    rate_limit_per_api_key: RequestsAnHour = Field(
        default=5000, description="Requests an hour of one user with the personal API key."
    )
    rate_limit_per_jwt: RequestsAnHour = Field(default=5000, description="Requests an hour of one user with JWTs.")
    rate_limit_unauthenticated: RequestsAnHour = Field(
        default=60, description="Requests an hour of one client address without a valid credential."
    )
    secret_key_rate_limit_scope: Literal["client", "project"] = Field(
        default="client",
        description="Requests with a secret key are counted for each `client` address, or for the whole `project`.",
    )
    trusted_proxies: TrustedNetworks = Field(
        default=(),
        description="Proxies whose X-Forwarded-For is trusted: networks (CIDR), `unix` for peers on a Unix socket.",
    )
    rate_limit_digest_key: SecretStr = Field(
        default=SecretStr(""),
        description="Secret key of the client address digests in Redis, equal in both services. Without it, addresses"
        " can be guessed from their digests.",
    )
    rate_limit_redis_timeout_ms: int = Field(
        default=200,
        ge=1,
        le=10_000,
        description="Timeout of a rate limit call to Redis; afterwards the worker limits locally.",
    )


class QuotaSettings(ProcessSettings):
    """A process that counts or shows what a project uses in a UTC day (contract, Quotas of a project)."""

    quota_events_per_day: Quota = Field(
        default=20_000_000,
        description="New events of one project in a UTC day. When one is used up, requests with events get 429 until"
        " midnight. Quotas must be equal for event consumer and management.",
    )
    quota_property_bytes_per_day: Quota = Field(
        default=10 * 1024**3, description="Bytes of the properties of these events, as JSON."
    )
    quota_new_devices_per_day: Quota = Field(default=2_000_000, description="New devices of one project in a UTC day.")


class ResolvingSettings(ProcessSettings):
    """A service that resolves devices or explains resolutions."""

    assignment_keys: AssignmentKeys = Field(
        description="Keys that sign assignment tokens: 32 bytes or more in base64, separated by commas. The first one"
        " signs, all of them verify. Equal for edge and management.",
        examples=["$(openssl rand -base64 32)"],
    )


class PublicUrlSettings(ProcessSettings):
    """A process that makes addresses of hosted pages or of media files."""

    edge_public_url: OptionalPublicUrl = Field(
        default=None,
        description="The public URL of the edge, for media files, and for hosted pages of projects without a custom"
        " domain. Equal for edge, management and publisher. None: the origin of the request; apps then get addresses of"
        " media files without an origin.",
    )
    media_url: OptionalPublicUrl = Field(
        default=None,
        description="The public URL of media files in front of `/{project id}/{name}`: of a CDN, or of a public bucket."
        " Equal for edge, management and publisher; `onboarding snapshots rebuild` brings a new one to all devices."
        " None: `/media` of the edge.",
        examples=["https://cdn.example.com/media"],
    )

    @property
    def media_base_url(self) -> str | None:
        """The address in front of the project's id; None where only a request tells it."""
        return self.media_url or (None if self.edge_public_url is None else f"{self.edge_public_url}/media")


class HostedPagesSettings(PublicUrlSettings):
    """A service that shows hosted pages, or links to them."""

    dashboard_url: OptionalPublicUrl = Field(
        default=None,
        description="The public URL of the dashboard. Only its origin may show previews of pages in a frame. None: the"
        " origin of ONBOARDING_EDGE_PUBLIC_URL, else of the request, which is management's behind the gateway.",
    )


class MediaStoreSettings(ProcessSettings):
    """A process that reads or writes media files."""

    media_store: MediaStoreUrl = Field(
        default=None,
        description="The store of media files: `file:///folder`, `s3://bucket/prefix`, `gs://bucket/prefix` or"
        " `az://account/container`. Credentials come from the usual variables, such as `AWS_ACCESS_KEY_ID` and"
        " `AWS_ENDPOINT_URL`. Equal for edge, management and event consumer. None: files cannot be uploaded.",
        examples=["file:///var/lib/onboarding/media"],
    )
