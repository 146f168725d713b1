"""Settings of the management service."""

from pathlib import Path

from pydantic import AliasChoices, Field

from common.settings.shared import DatabaseSettings, MetricsSettings, RateLimitSettings, ResolvingSettings
from common.settings.types import DatabaseUrl, MasterKey, MetricsPort, Port, RedisUrl, SharedSecret

#: What one request can make is bounded whatever the settings say.
MAX_SCREENS_PER_FLOW = 1000


class ManagementSettings(DatabaseSettings, RateLimitSettings, ResolvingSettings, MetricsSettings):
    """The management service."""

    management_host: str = Field(default="127.0.0.1", description="The address that the service listens on.")
    management_port: Port = Field(
        default=8081,
        validation_alias=AliasChoices("MANAGEMENT_PORT", "ONBOARDING_MANAGEMENT_PORT"),
        description="The port that the service listens on.",
    )
    management_metrics_port: MetricsPort = Field(
        default=9402, description="The port of the metrics endpoint. 0: no metrics endpoint."
    )
    management_workers: int = Field(default=1, ge=1, le=64, description="Worker processes; each has a connection pool.")
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
    identity_assume_email_verified: bool = Field(
        default=False,
        description="For providers that never send `email_verified` and verify every address: a token without the claim"
        " has a verified address. Only verified addresses are stored, and members are added by them.",
    )
    identity_issuer: str = Field(
        min_length=1,
        description="The `iss` of tokens, letter by letter; for discovery an https URL.",
        examples=["https://id.example.com/"],
    )
    max_projects_per_user: int = Field(default=1000, ge=1, description="Projects that one user may own.")
    max_members_per_project: int = Field(default=200, ge=1, description="Members of one project.")
    max_flows_per_project: int = Field(default=500, ge=1, description="Flows of one project.")
    max_screens_per_flow: int = Field(default=100, ge=1, le=MAX_SCREENS_PER_FLOW, description="Screens of one flow.")
    max_themes_per_project: int = Field(default=500, ge=1, description="Themes of one project.")
    max_experiments_per_project: int = Field(default=500, ge=1, description="Experiments of one project.")
    max_active_experiments: int = Field(
        default=50,
        ge=1,
        le=200,
        description="Experiments of one project that run or pause at the same time: a resolve may ask every one.",
    )
    max_active_secret_keys: int = Field(
        default=20,
        ge=2,
        le=100,
        description="Secret keys of one project, those in their time of grace included: all stand in the snapshot.",
    )
