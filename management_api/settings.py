"""Settings of the management service."""

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr

from common.settings.shared import (
    DatabaseSettings,
    HostedPagesSettings,
    MediaStoreSettings,
    MetricsSettings,
    QuotaSettings,
    RateLimitSettings,
    ResolvingSettings,
)
from common.settings.types import (
    DatabaseUrl,
    MachineKind,
    MasterKey,
    MetricsPort,
    OptionalGroupRoles,
    OptionalPublicUrl,
    OptionalText,
    Port,
    PublicUrls,
    RedisUrl,
    SharedSecret,
)

#: A bound on the screens that one request can create, which settings cannot raise.
MAX_SCREENS_PER_FLOW = 1000
#: The bytes of the largest document of a flow, as JSON.
MAX_DOCUMENT_BYTES = 1024 * 1024


class ManagementSettings(
    DatabaseSettings,
    RateLimitSettings,
    QuotaSettings,
    ResolvingSettings,
    HostedPagesSettings,
    MediaStoreSettings,
    MetricsSettings,
):
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
    management_threads: int = Field(
        default=8, ge=1, le=256, description="The maximum number of concurrent requests of one worker."
    )
    analytics_database_url: DatabaseUrl | None = Field(
        default=None,
        description="The URL of a read replica for statistics, analytics and results. None, or while it is unavailable"
        " or a minute behind: the primary database is read.",
    )
    redis_url: RedisUrl | None = Field(
        default=None, description="Redis for rate limits. None: each worker limits locally."
    )
    master_key: MasterKey = Field(
        description="Encrypts keys in the database: 32 bytes in base64, several separated by commas. The first one"
        " encrypts, all of them decrypt. Equal for management and publisher.",
        examples=["$(openssl rand -base64 32)"],
    )
    identity_audience: str = Field(
        min_length=1, description="The audience that `aud` of a token must contain.", examples=["onboarding"]
    )
    identity_jwks_file: Path | None = Field(
        default=None,
        description="A JWKS file with the keys of the provider, instead of discovery; for networks without internet.",
    )
    identity_shared_secret: SharedSecret | None = Field(
        default=None,
        description="The HS256 secret of the provider, at least 32 bytes. It is used beside the JWKS, or alone with"
        " `ONBOARDING_IDENTITY_DISCOVERY=false`.",
    )
    identity_discovery: bool = Field(
        default=True, description="Fetch the keys of the provider by OpenID Connect discovery."
    )
    identity_assume_email_verified: bool = Field(
        default=False,
        description="Treat a missing `email_verified` as true. Only for providers that never send the claim and verify"
        " every address: members are added by verified address.",
    )
    identity_groups_claim: OptionalText = Field(
        default=None,
        description="The claim of tokens with the names of the user's groups, a list of texts. A token without it is of"
        " a user without groups. None: groups are not read.",
        examples=["groups"],
    )
    identity_group_roles: OptionalGroupRoles = Field(
        default=None,
        description="The roles that groups give, as JSON: an object of groups, each an object of project ids with"
        " `viewer`, `editor` or `admin`. It needs `ONBOARDING_IDENTITY_GROUPS_CLAIM`.",
        examples=['{"designers": {"proj_01m8eww4ngeq98tykhs7bycdge": "editor"}}'],
    )
    identity_issuer: str = Field(
        min_length=1,
        description="The exact `iss` of tokens; for discovery an https URL, or `http://localhost` for development.",
        examples=["https://id.example.com/"],
    )
    dashboard_client_id: OptionalText = Field(
        default=None,
        description="The OpenID Connect client id of the dashboard at the provider: a public client with authorization"
        " code and PKCE. ID tokens with it as `aud` are accepted. Without it, sign-in to the dashboard is disabled.",
        examples=["onboarding-dashboard"],
    )
    dashboard_identity_origins: PublicUrls = Field(
        default=(),
        description="Further origins of the provider that the dashboard may send requests to, separated by commas:"
        " where its token endpoint is not at the origin of the issuer.",
    )
    dashboard_development_sign_in: bool = Field(
        default=False,
        description="Let the dashboard sign in by a token in the fragment of its address. The local stack sets it;"
        " never set it where people can send links to users.",
    )
    dashboard_development_token: SecretStr | None = Field(
        default=None,
        description="The token that a short link of a demo signs in with, `/dashboard/sign-in/` and the first 12 digits"
        " of its SHA-256. The local stack sets it; never set it in production.",
    )
    translate_url: OptionalPublicUrl = Field(
        default=None,
        description="The service that drafts missing translations when an editor asks for it: an OpenAI-compatible one,"
        " such as `https://llm.example.com/v1`, or DeepL. None: no text leaves the installation.",
        examples=["https://api.deepl.com"],
    )
    translate_kind: MachineKind = Field(
        default="openai", description="The request format of `ONBOARDING_TRANSLATE_URL`: `openai` or `deepl`."
    )
    translate_key: SecretStr | None = Field(
        default=None, description="The key that `ONBOARDING_TRANSLATE_URL` gets with each request."
    )
    translate_model: OptionalText = Field(
        default=None, description="The model of an OpenAI-compatible service. None: its own default."
    )
    max_projects_per_user: int = Field(
        default=1000, ge=1, description="The maximum number of projects that one user has created and not deleted."
    )
    max_members_per_project: int = Field(default=200, ge=1, description="The maximum number of members of one project.")
    max_flows_per_project: int = Field(default=500, ge=1, description="The maximum number of flows of one project.")
    max_content_bytes_per_project: int = Field(
        default=64 * 1024 * 1024,
        ge=MAX_DOCUMENT_BYTES,
        description="The maximum bytes of the documents of all flows of one project, drafts included, as JSON. Those of"
        " flows that are not archived may have at most 16 MiB together.",
    )
    max_screens_per_flow: int = Field(
        default=100, ge=1, le=MAX_SCREENS_PER_FLOW, description="The maximum number of screens of one flow."
    )
    max_themes_per_project: int = Field(default=500, ge=1, description="The maximum number of themes of one project.")
    max_experiments_per_project: int = Field(
        default=500, ge=1, description="The maximum number of experiments of one project."
    )
    max_media_per_project: int = Field(
        default=1000, ge=1, description="The maximum number of media files of one project."
    )
    max_media_bytes_per_project: int = Field(
        default=500 * 1024 * 1024,
        ge=1024,
        description="The maximum bytes of the media files of one project, with all sizes that are kept of them.",
    )
    max_active_experiments: int = Field(
        default=50,
        ge=1,
        le=200,
        description="Running and paused experiments of one project. A resolve may evaluate all of them.",
    )
    max_active_secret_keys: int = Field(
        default=20,
        ge=2,
        le=100,
        description="Valid secret keys of one project, including rotated keys in their grace period.",
    )

    def start_warnings(self) -> tuple[str, ...]:
        """Return the risks that the settings take."""
        if self.dashboard_development_sign_in or self.dashboard_development_token:
            return ("the development sign-in is on: whoever has a link of it is signed in",)
        return ()
