"""What the settings of several processes have in common: how they are read, logging, the database, rate limits."""

from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from common.settings.names import PREFIX
from common.settings.secret_files import InvalidSecretFile, SecretFiles
from common.settings.types import AssignmentKeys, DatabaseUrl, RequestsAnHour, TrustedNetworks


class ProcessSettings(BaseSettings):
    """What every process has: how it logs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True)

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least important lines that are logged."
    )
    log_format: Literal["json", "console"] = Field(
        default="json", description="`json` for programs, `console` for reading by eye."
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
        """Read what the code gives, then secrets in files, then the environment."""
        return init_settings, SecretFiles(settings_cls), env_settings

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_unusable_secrets(cls, value: object) -> object:
        if isinstance(value, InvalidSecretFile):
            raise ValueError(str(value))  # noqa: TRY004 - pydantic takes a ValueError for a complaint
        return value


class MetricsSettings(ProcessSettings):
    """A process that shows metrics, at `/metrics` on a port of its own."""

    metrics_host: str = Field(
        default="127.0.0.1", description="The address that metrics are shown on: keep it private, they are for anyone."
    )


class DatabaseSettings(ProcessSettings):
    """A process that speaks to PostgreSQL."""

    database_url: DatabaseUrl = Field(
        description="Where PostgreSQL is: user, password, host, port, database, and what else libpq takes in a URL, as"
        " `?sslmode=verify-full&sslrootcert=...`.",
        examples=["postgresql://onboarding:PASSWORD@127.0.0.1:5432/onboarding"],
    )
    database_pool_size: int = Field(
        default=8, ge=1, le=200, description="The most connections of one worker; it has one more for health checks."
    )
    database_pool_timeout_ms: int = Field(
        default=5000, ge=10, description="How long a request waits for a connection before it is answered 503."
    )
    database_statement_timeout_ms: int = Field(
        default=10_000, ge=100, description="PostgreSQL gives up on a statement after so long."
    )
    database_lock_timeout_ms: int = Field(
        default=5000, ge=100, description="PostgreSQL gives up on waiting for a lock after so long."
    )
    database_pooler: Literal["none", "transaction"] = Field(
        default="none",
        description="`transaction`: the URL leads to PgBouncer, or its like, in that pool mode; nothing is then kept in"
        " a session. Not for the publisher and `onboarding migrate`, which need PostgreSQL itself.",
    )


class DirectDatabaseSettings(DatabaseSettings):
    """A process that needs a session of its own: it listens, or holds a lock from one transaction to the next."""

    @field_validator("database_pooler")
    @classmethod
    def _refuse_pooler(cls, value: str) -> str:
        if value != "none":
            raise ValueError("must be `none` here: this process needs PostgreSQL itself, without a pooler in between")
        return value


class RateLimitSettings(ProcessSettings):
    """A service that limits its clients."""

    rate_limits_enabled: bool = Field(
        default=True, description="Off, nothing is counted and no answer carries the headers."
    )
    rate_limit_secret_key: RequestsAnHour = Field(
        default=1000, description="Requests an hour with a secret key. All limits must be the same for both services."
    )
    rate_limit_api_key: RequestsAnHour = Field(
        default=5000, description="Requests an hour of a user by personal API key."
    )
    rate_limit_jwt: RequestsAnHour = Field(default=5000, description="Requests an hour of a user by JWT.")
    rate_limit_unauthenticated: RequestsAnHour = Field(
        default=60, description="Requests an hour of an address without a credential that is known."
    )
    secret_key_rate_limit_scope: Literal["client", "project"] = Field(
        default="client",
        description="What requests with a secret key are counted by: each address, or all of a project together.",
    )
    trusted_proxies: TrustedNetworks = Field(
        default=(),
        description="Whose X-Forwarded-For is believed: networks (CIDR), `unix` for peers on a Unix socket.",
    )
    rate_limit_digest_key: SecretStr = Field(
        default=SecretStr(""),
        description="Redis sees client addresses as digests; under a key of yours, the same for both services, nobody"
        " else can guess them back.",
    )
    rate_limit_redis_timeout_ms: int = Field(
        default=200, ge=1, le=10_000, description="A lease that Redis does not give in this time is not waited for."
    )


class ResolvingSettings(ProcessSettings):
    """A service that resolves devices, or explains how they are resolved."""

    assignment_keys: AssignmentKeys = Field(
        description="Sign the tokens that keep devices in their variants: 32 bytes or more in base64. The first signs,"
        " others behind commas are still believed. The same for edge and management.",
        examples=["$(openssl rand -base64 32)"],
    )
